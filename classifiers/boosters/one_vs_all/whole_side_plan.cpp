// SPDX-License-Identifier: Apache-2.0
#include "classifiers/boosters/one_vs_all/whole_side_plan.hpp"

#include <algorithm>
#include <optional>

#include "classifiers/boosters/loop/training_side.hpp"
#include "classifiers/boosters/one_vs_all/whole_sums.hpp"
#include "classifiers/online/mada_weight.hpp"
#include "classifiers/samplers/example_draw.hpp"

namespace mash {
namespace {

constexpr std::uint32_t kPass = 2000;  // of the draw: away from the passes of samplers, which draw too

class WholeSidePlan final : public ExamplePlan {
 public:
  WholeSidePlan(const SidePlanSettings& settings, const PlanGround& ground)
      : settings_(settings),
        ground_(ground),
        problems_(ground.problems),
        context_(ground.context),
        sums_(problems_, context_.features) {
    // All of them: those that are left out stand among the others, and count for nothing.
    const bool takes_all = settings.draw == SideDraw::kAll;
    examples_ = trained_on(problems_.num_examples(),
                           takes_all ? std::span<const std::uint32_t>() : context_.left_out);
    if (takes_all) counts_ = counts_of_all(examples_.size(), context_.left_out);
    if (settings.draw != SideDraw::kFixed || examples_.size() <= settings.size) return;
    RandomStream(ground.seed, "boosting.fixed_examples").shuffle(std::span(examples_));
    examples_.resize(settings.size);
    std::sort(examples_.begin(), examples_.end());
  }

  RoundExamples before_rounds() const override {
    return spread_examples(ground_, settings_.draw == SideDraw::kAll
                                        ? examples_.size()
                                        : std::min(examples_.size(), settings_.size));
  }

  RoundExamples next(std::size_t problem, const Round& round) override {
    sums_.begin_round();
    RoundExamples next{examples_, weights(problem), {}, counts_, 0, 0, std::nullopt};
    for (std::size_t i = 0; i < counts_.size(); ++i) next.weights[i] *= counts_[i];
    if (settings_.draw == SideDraw::kByWeight)
      draw(next.weights, round, next);
    else if (settings_.draw == SideDraw::kMada)
      draw(mada_weights(problem), round, next);
    for (const std::uint32_t n : next.examples) next.sums.push_back(sums_.of(problem)[n]);
    if (next.examples.size() < problems_.num_examples())
      next.features = context_.features.of_rows(next.examples);
    return next;
  }

  // All training examples.
  StepExamples step_examples(std::size_t problem, const Hypothesis& hypothesis) {
    if (all_.empty()) {
      all_ = trained_on(problems_.num_examples(), {});
      counts_of_all_ = counts_of_all(all_.size(), context_.left_out);
    }
    return {all_, sums_.of(problem), counts_of_all_, sums_.cells_of(hypothesis)};
  }

  std::size_t add(std::size_t problem, const Hypothesis& hypothesis,
                  std::span<const std::uint8_t> cells) override {
    return sums_.add(problem, hypothesis, cells);
  }

  double error() const override { return sums_.error(); }
  std::size_t num_known() const override { return problems_.num_examples(); }
  bool is_fixed() const override {
    return settings_.draw == SideDraw::kAll || settings_.draw == SideDraw::kFixed;
  }
  void replay(std::size_t problem, const Hypothesis& hypothesis) override {
    sums_.begin_round();
    add(problem, hypothesis, {});
  }

 private:
  // Figures of each of examples_: y F, and the weight that the loss or MadaBoost gives it.
  std::vector<double> margins(std::size_t problem) const {
    std::vector<double> margins;
    for (const std::uint32_t n : examples_)
      margins.push_back(problems_.sign(problem, n) * sums_.of(problem)[n]);
    return margins;
  }
  std::vector<double> weights(std::size_t problem) const {
    std::vector<double> weights = margins(problem);
    ground_.loss.weights(weights, weights);
    return weights;
  }
  std::vector<double> mada_weights(std::size_t problem) const {
    std::vector<double> weights = margins(problem);
    for (double& weight : weights) weight = mada_weight(weight);
    return weights;
  }

  // Leaves of the examples those that are drawn in proportion to `shares`. Their weights are divided by the
  // shares; one that is drawn several times counts several times. Where as many are to be drawn as there are:
  // all of them, as they are.
  void draw(std::span<const double> shares, const Round& round, RoundExamples& drawn) const {
    const ExampleDraw draw = WeightedDraw(shares, context_.work.workers).draw(settings_.size, round, kPass);
    RoundExamples kept;
    for (std::size_t i = 0; i < draw.rows.size(); ++i) {
      const std::uint32_t row = draw.rows[i];
      kept.examples.push_back(drawn.examples[row]);
      kept.counts.push_back(double(draw.counts[i]));
      kept.weights.push_back(kept.counts.back() * drawn.weights[row] / shares[row]);
    }
    if (!draw.rows.empty()) drawn = std::move(kept);
  }

  SidePlanSettings settings_;
  const PlanGround ground_;
  const BinaryProblems& problems_;
  const TrainingContext& context_;
  std::vector<std::uint32_t> examples_;  // that may be drawn
  std::vector<double> counts_;           // how often each counts; none: once
  WholeSums sums_;
  // All training examples, for steps that are searched for on them.
  std::vector<std::uint32_t> all_;
  std::vector<double> counts_of_all_;
};

}  // namespace

ProblemParts make_whole_side_parts(const SidePlanSettings& settings, const PlanGround& ground) {
  auto plan = std::make_unique<WholeSidePlan>(settings, ground);
  FindStepExamples find;
  if (settings.steps_on_all)
    find = [&plan = *plan](std::size_t problem, const Hypothesis& hypothesis) {
      return plan.step_examples(problem, hypothesis);
    };
  return {std::move(plan), make_line_search(ground, std::move(find))};
}

}  // namespace mash
