// SPDX-License-Identifier: Apache-2.0
#include "classifiers/boosters/one_vs_all/whole_side_plan.hpp"

#include <algorithm>
#include <optional>

#include "classifiers/boosters/loop/training_side.hpp"
#include "classifiers/losses/softmax.hpp"
#include "classifiers/online/mada_weight.hpp"
#include "classifiers/samplers/example_draw.hpp"
#include "classifiers/serving/cut_answers.hpp"
#include "framework/base/elementary.hpp"

namespace mash {
namespace {

constexpr std::uint32_t kPass = 2000;  // of the draw: away from the passes of samplers, which draw too

class WholeSidePlan final : public ExamplePlan {
 public:
  WholeSidePlan(const SidePlanSettings& settings, const PlanGround& ground)
      : settings_(settings),
        problems_(ground.problems),
        loss_(ground.loss),
        context_(ground.context),
        sums_(problems_.size(), std::vector<double>(problems_.num_examples())) {
    // All of them: those that are left out stand among the others, and count for nothing.
    const bool takes_all = settings.draw == SideDraw::kAll;
    examples_ = trained_on(problems_.num_examples(),
                           takes_all ? std::span<const std::uint32_t>() : context_.left_out);
    if (takes_all && !context_.left_out.empty()) {
      counts_.assign(examples_.size(), 1);
      for (const std::uint32_t n : context_.left_out) counts_[n] = 0;
    }
    if (settings.uses_softmax && problems_.size() > 1) {
      softmax_.emplace(sums_, context_.work.workers);
      for (std::uint32_t n = 0; n < problems_.num_examples(); ++n) labels_.push_back(problems_.label(n));
    }
    if (settings.draw != SideDraw::kFixed || examples_.size() <= settings.size) return;
    RandomStream(ground.seed, "boosting.fixed_examples").shuffle(std::span(examples_));
    examples_.resize(settings.size);
    std::sort(examples_.begin(), examples_.end());
  }

  RoundExamples next(std::size_t problem, const Round& round) override {
    cells_of_all_.clear();
    if (softmax_) return {examples_, {}, softmax_->log_odds(problem), counts_, 0, 0, std::nullopt};
    RoundExamples next{examples_, weights(problem), {}, counts_, 0, 0, std::nullopt};
    for (std::size_t i = 0; i < counts_.size(); ++i) next.weights[i] *= counts_[i];
    if (settings_.draw == SideDraw::kByWeight)
      draw(next.weights, round, next);
    else if (settings_.draw == SideDraw::kMada)
      draw(mada_weights(problem), round, next);
    for (const std::uint32_t n : next.examples) next.sums.push_back(sums_[problem][n]);
    if (next.examples.size() < problems_.num_examples())
      next.features = context_.features.of_rows(next.examples);
    return next;
  }

  std::optional<StepExamples> step_examples(std::size_t problem, const Hypothesis& hypothesis) override {
    if (!settings_.steps_on_all) return std::nullopt;
    if (all_.empty()) {
      all_ = trained_on(problems_.num_examples(), {});
      counts_of_all_.assign(all_.size(), 1);
      for (const std::uint32_t n : context_.left_out) counts_of_all_[n] = 0;
    }
    cells_of_all_ = cells_of(hypothesis, context_.features, Side::kTrain);
    return StepExamples{all_, sums_[problem], counts_of_all_, cells_of_all_};
  }

  std::size_t add(std::size_t problem, const Hypothesis& hypothesis,
                  std::span<const std::uint8_t> cells) override {
    const bool of_all = cells.size() == problems_.num_examples(), is_known = !cells_of_all_.empty();
    if (!of_all && !is_known) cells_of_all_ = cells_of(hypothesis, context_.features, Side::kTrain);
    if (!of_all) cells = cells_of_all_;
    std::vector<double> steps = cell_votes(hypothesis);
    for (double& step : steps) step *= hypothesis.alpha;
    for (std::size_t n = 0; n < cells.size(); ++n) sums_[problem][n] += steps[cells[n]];
    if (softmax_) softmax_->update(problem);
    return is_known ? 0 : cells.size();
  }

  bool uses_softmax() const override { return softmax_.has_value(); }
  void finish_turn() override { softmax_->refresh(); }
  double cross_entropy() const override {
    return softmax_->cross_entropy(labels_, counts_) / stable_log(double(problems_.size()));
  }

  double error() override {
    std::size_t num_wrong = 0;
    std::vector<double> sums(problems_.size());
    for (std::uint32_t n = 0; n < problems_.num_examples(); ++n) {
      for (std::size_t p = 0; p < sums.size(); ++p) sums[p] = sums_[p][n];
      num_wrong += problems_.predicted(sums) != problems_.label(n);
    }
    return double(num_wrong) / double(problems_.num_examples());
  }

  std::size_t num_known() const override { return problems_.num_examples(); }
  std::size_t size() const override {
    return settings_.draw == SideDraw::kAll ? examples_.size() : std::min(examples_.size(), settings_.size);
  }
  bool is_fixed() const override {
    return settings_.draw == SideDraw::kAll || settings_.draw == SideDraw::kFixed;
  }
  void replay(std::size_t problem, const Hypothesis& hypothesis) override {
    cells_of_all_.clear();
    add(problem, hypothesis, {});
  }

 private:
  // Figures of each of examples_: y F, and the weight that the loss or MadaBoost gives it.
  std::vector<double> margins(std::size_t problem) const {
    std::vector<double> margins;
    for (const std::uint32_t n : examples_) margins.push_back(problems_.sign(problem, n) * sums_[problem][n]);
    return margins;
  }
  std::vector<double> weights(std::size_t problem) const {
    std::vector<double> weights = margins(problem);
    loss_.weights(weights, weights);
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
  const BinaryProblems& problems_;
  const Loss& loss_;
  const TrainingContext& context_;
  std::vector<std::uint32_t> examples_;  // that may be drawn
  std::vector<double> counts_;           // how often each counts; none: once
  SoftmaxOdds::Sums sums_;               // F of each problem, of all training examples
  std::optional<SoftmaxOdds> softmax_;   // where it is used; then also all labels
  std::vector<std::uint16_t> labels_;
  // Where steps are searched for on all training examples: these, and the cells of the round's hypothesis.
  std::vector<std::uint32_t> all_;
  std::vector<double> counts_of_all_;
  std::vector<std::uint8_t> cells_of_all_;
};

}  // namespace

std::unique_ptr<ExamplePlan> make_whole_side_plan(const SidePlanSettings& settings,
                                                  const PlanGround& ground) {
  return std::make_unique<WholeSidePlan>(settings, ground);
}

}  // namespace mash
