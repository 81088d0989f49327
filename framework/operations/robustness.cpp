// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/robustness.hpp"

#include "classifiers/serving/predictor.hpp"
#include "framework/analysis/contribution.hpp"
#include "framework/base/require.hpp"
#include "framework/dataset/perturbation.hpp"

namespace mash {
namespace {

constexpr std::size_t kNumImages = 1000;

Split first_images(const Split& split, const ImageShape& shape) {
  Split first;
  first.num_examples = std::min(kNumImages, split.num_examples);
  first.labels.assign(split.labels.begin(), split.labels.begin() + std::ptrdiff_t(first.num_examples));
  const std::size_t num_bytes = first.num_examples * shape.num_bytes();
  first.pixels.assign(split.pixels.begin(), split.pixels.begin() + std::ptrdiff_t(num_bytes));
  return first;
}

Result<double> test_error(const Predictor& predictor, const Split& split, std::size_t num_classes,
                          const WorkContext& work) {
  MASH_ASSIGN(const auto scores, predictor.scores(split, work.workers, no_progress(), work.stop));
  return error_of(predicted_classes(scores, num_classes), split.labels);
}

}  // namespace

Result<std::vector<RobustnessCurve>> robustness_curves(const RobustnessSettings& settings,
                                                       Catalogue& catalogue, const WorkContext& work) {
  require(!settings.dataset.is_table(), "robustness_curves: a data set of images");
  MASH_ASSIGN(const Predictor with, Predictor::open(settings.with, catalogue));
  std::optional<Predictor> without;
  if (settings.without) {
    MASH_ASSIGN(without, Predictor::open(*settings.without, catalogue));
  }
  const Split unchanged = first_images(settings.dataset.test, settings.dataset.shape);
  const std::size_t num_classes = settings.dataset.num_classes();
  const double constant = constant_error(settings.dataset.train.labels, unchanged.labels, num_classes);
  const auto point = [&](const Split& split, double amount) -> Result<RobustnessPoint> {
    RobustnessPoint result{amount, constant, 0};
    MASH_ASSIGN(result.error_with, test_error(with, split, num_classes, work));
    if (without) {
      MASH_ASSIGN(result.error_without, test_error(*without, split, num_classes, work));
    }
    work.progress.advance(1);
    return result;
  };
  std::size_t num_steps = 1;
  for (const PerturbationInfo& info : perturbations()) num_steps += info.steps.size();
  work.progress.start("changed pictures", num_steps, "steps");
  MASH_ASSIGN(const RobustnessPoint none, point(unchanged, 0));
  std::vector<RobustnessCurve> curves;
  for (const PerturbationInfo& info : perturbations()) {
    RobustnessCurve& curve =
        curves.emplace_back(RobustnessCurve{std::string(info.name), std::string(info.unit), {none}});
    for (const double amount : info.steps) {
      Split changed = unchanged;
      perturb(changed, settings.dataset.shape, {info.kind, amount}, settings.seed);
      MASH_ASSIGN(const RobustnessPoint changed_point, point(changed, amount));
      curve.points.push_back(changed_point);
    }
  }
  work.progress.finish();
  return curves;
}

}  // namespace mash
