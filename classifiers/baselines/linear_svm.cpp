// SPDX-License-Identifier: Apache-2.0
#include "classifiers/baselines/linear_svm.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "classifiers/baselines/class_machines.hpp"
#include "classifiers/baselines/rows_learner.hpp"
#include "classifiers/learners/tuned_training.hpp"

namespace mash {
namespace {

constexpr std::array kLosses{Choice{"hinge", HingeLoss::kHinge},
                             Choice{"squared_hinge", HingeLoss::kSquaredHinge}};

struct LinearSvmOptions {
  HingeLoss loss = HingeLoss::kSquaredHinge;
  std::vector<double> costs;  // none: C is tuned
  DescentLimits limits;
};

// The machines of all classes, as TunedTraining solves them.
class SvmSolver {
 public:
  SvmSolver(ClassMachines machines, const DescentLimits& limits, std::uint64_t seed)
      : machines_(std::move(machines)), limits_(limits), seed_(seed) {}

  void begin(double cost, std::span<const double> weights, bool is_coarse, const Workers&) {
    DescentLimits limits = limits_;
    if (is_coarse)
      limits = {std::min(limits.tolerance * kCoarser, 1.0), (limits.num_passes + kCoarser - 1) / kCoarser};
    machines_.weigh_more(weights);
    machines_.begin(cost, limits, seed_);
  }
  Result<bool> go_on(double most_seconds, const WorkContext& work) {
    return machines_.go_on(most_seconds, work);
  }
  std::size_t most_steps() const { return machines_.size() - machines_.num_ended(); }
  std::vector<std::uint16_t> classes(std::span<const std::uint32_t> examples, const Workers& workers) const {
    return machines_.classes(examples, workers);
  }
  void keep(StateWriter& writer) const { machines_.keep(writer); }
  void take_back(StateReader& reader) { machines_.take_back(reader); }

  const ClassMachines& machines() const { return machines_; }

 private:
  ClassMachines machines_;
  DescentLimits limits_;
  std::uint64_t seed_;
};

class LinearSvm final : public RowsLearner {
 public:
  LinearSvm(const InputOptions& inputs, LinearSvmOptions options)
      : RowsLearner("linear-svm", inputs), options_(std::move(options)) {}

  // Counted are the rows, and for each class what it keeps of each example and a function, twice while C is
  // chosen, and the order of examples.
  std::uint64_t training_bytes(const TrainingSize& size) const override {
    return rows_bytes(size) +
           size.num_classes * (70 * size.num_train + 2 * num_columns(size) * sizeof(double));
  }

 private:
  Result<Fitted> fit(const StandardRows& rows, std::span<const std::uint32_t> features,
                     std::span<const double> weights, std::uint64_t seed,
                     const TrainingContext& context) const override {
    const Dataset& dataset = context.dataset;
    const std::vector<double> squares = rows.squares(context.work.workers);
    SettingChoice choice(tried_costs(options_.costs, weights), dataset.train.labels, weights,
                         dataset.num_classes(), seed);
    ClassMachines machines(rows, squares, dataset.train.labels, dataset.num_classes(), choice.weights(),
                           options_.loss);
    TunedTraining training(name(), 1, std::move(choice), context,
                           SvmSolver(std::move(machines), options_.limits, seed));
    MASH_TRY(training.run());
    const ClassMachines& found = training.solver().machines();
    if (const std::size_t num_converged = found.num_converged(); num_converged < found.size())
      context.work.remarks.tell(fmt::format(
          "linear-svm: {} of {} machines ended after {} passes with C {:.3g}, before the tolerance; "
          "more `passes`, a larger `tolerance` or a smaller `C` help",
          found.size() - num_converged, found.size(), options_.limits.num_passes, training.value()));
    Fitted fitted{{}, training.earlier_seconds(), training.chosen()};
    found.write(rows, features, fitted.fit);
    return fitted;
  }

  LinearSvmOptions options_;
};

}  // namespace

Result<std::unique_ptr<const Learner>> make_linear_svm(Settings& settings) {
  LinearSvmOptions options;
  MASH_ASSIGN(const InputOptions inputs, read_input_options(settings));
  MASH_ASSIGN(options.loss, settings.one_of("loss", options.loss, kLosses));
  MASH_ASSIGN(options.costs, read_positive_numbers(settings, "C", "tuned"));
  MASH_ASSIGN(options.limits.tolerance, settings.real("tolerance", options.limits.tolerance, 1e-12, 1));
  MASH_ASSIGN(const std::int64_t num_passes,
              settings.integer("passes", options.limits.num_passes, 1, 1'000'000'000));
  options.limits.num_passes = std::uint32_t(num_passes);
  return std::unique_ptr<const Learner>(std::make_unique<const LinearSvm>(inputs, std::move(options)));
}

}  // namespace mash
