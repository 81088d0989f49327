// SPDX-License-Identifier: Apache-2.0
#include "classifiers/boosters/filter_plan.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "classifiers/boosters/binary_sum.hpp"
#include "classifiers/boosters/example_source.hpp"

namespace mash {
namespace {

constexpr std::size_t kDrawnAtOnce = 256;  // so that the model is asked for several examples together
constexpr std::size_t kJudged = 1000;      // examples for the error
constexpr std::uint64_t kMostEdgeSamples = 1'000'000;  // a hypothesis without an edge would want ever more

// The draws of one round of one problem. F, of the model before the round, outlives them.
class RoundDraws {
 public:
  RoundDraws(const BinaryProblems& problems, std::size_t problem, const HeldCodes& codes,
             const BinarySum& sum, std::span<const std::uint32_t> examples, RandomStream stream)
      : problems_(problems),
        problem_(problem),
        codes_(codes),
        sum_(sum),
        examples_(examples),
        stream_(std::move(stream)) {}

  OracleDraw next() {
    if (position_ == drawn_.size()) refill();
    const std::uint32_t example = drawn_[position_++];
    const double sign = problems_.sign(problem_, example);
    return {example, sign > 0 ? 1 : -1, sign * sums_[place_of(example)]};
  }

  // From now on the examples that come are judged by this hypothesis, too.
  void judge(const Hypothesis& hypothesis) {
    hypothesis_.emplace(codes_).add(hypothesis);
    if (!distinct_.empty()) ask_hypothesis();
  }
  // Whether the hypothesis is right on an example that was drawn last. REQUIRES: judge was called.
  bool is_right(const OracleDraw& draw) const { return draw.sign * answers_[place_of(draw.example_idx)] > 0; }

  std::size_t num_known() const { return distinct_.size(); }
  // Hypotheses x examples.
  std::uint64_t num_asked() const { return num_asked_; }

 private:
  std::size_t place_of(std::uint32_t example) const {
    return std::size_t(std::lower_bound(distinct_.begin(), distinct_.end(), example) - distinct_.begin());
  }

  void refill() {
    drawn_.resize(kDrawnAtOnce);
    for (std::uint32_t& example : drawn_) example = examples_[stream_.below(examples_.size())];
    position_ = 0;
    distinct_ = drawn_;
    std::sort(distinct_.begin(), distinct_.end());
    distinct_.erase(std::unique(distinct_.begin(), distinct_.end()), distinct_.end());
    sums_ = sum_.at(distinct_);
    num_asked_ += sum_.size() * distinct_.size();
    if (hypothesis_) ask_hypothesis();
  }

  void ask_hypothesis() {
    answers_ = hypothesis_->at(distinct_);
    num_asked_ += distinct_.size();
  }

  const BinaryProblems& problems_;
  const std::size_t problem_;
  const HeldCodes& codes_;
  const BinarySum& sum_;
  const std::span<const std::uint32_t> examples_;
  RandomStream stream_;
  std::optional<BinarySum> hypothesis_;
  std::vector<std::uint32_t> drawn_, distinct_;  // those that were drawn last; each once, increasing
  std::size_t position_ = 0;                     // in drawn_
  std::vector<double> sums_, answers_;           // of distinct_: F, and what the hypothesis says
  std::uint64_t num_asked_ = 0;
};

class FilterPlan final : public ExamplePlan {
 public:
  FilterPlan(const FilterPlanSettings& settings, const PlanGround& ground)
      : settings_(settings),
        problems_(ground.problems),
        context_(ground.context),
        seed_(ground.seed),
        examples_(trained_on(problems_.num_examples(), context_.left_out)),
        codes_(context_.features, false),
        sums_(problems_.size(), BinarySum(codes_)),
        has_ended_(problems_.size(), 0) {
    const std::size_t size = std::min(kJudged, examples_.size());
    for (std::size_t i = 0; i < size; ++i) judged_.push_back(examples_[i * examples_.size() / size]);
  }

  RoundExamples next(std::size_t problem, const Round& round) override {
    RoundExamples next;
    if (has_ended_[problem]) return next;
    round_ = std::uint32_t((round.number - 1) / problems_.size() + 1);
    draws_.emplace(problems_, problem, codes_, sums_[problem], examples_,
                   round.stream("boosting.filter_draws"));
    filter_.emplace(settings_.filter, RandomStream(seed_, "boosting.filter", problem).next_u64(), round_,
                    oracle_);
    std::map<std::uint32_t, double> taken;  // how often
    for (auto left = filterboost_sample_size(settings_.sample_factor, round_); left > 0; --left) {
      const auto draw = filter_->next();
      if (!draw) {
        has_ended_[problem] = 1;
        break;
      }
      ++taken[draw->example_idx];
    }
    next.num_asked = draws_->num_asked();
    if (has_ended_[problem]) return next;
    for (const auto& [example, count] : taken) {
      next.examples.push_back(example);
      next.weights.push_back(count);
    }
    next.features = context_.features.of_rows(next.examples);
    return next;
  }

  std::optional<OwnStep> own_step(std::size_t problem, const Hypothesis& hypothesis) override {
    const std::uint64_t num_asked_before = draws_->num_asked();
    draws_->judge(hypothesis);
    EdgeRule rule{.tau = settings_.tau, .round_delta = round_delta(settings_.filter.delta, round_)};
    rule.is_fixed = settings_.edge_samples.has_value();
    rule.max_samples = settings_.edge_samples.value_or(kMostEdgeSamples);
    const auto estimate = estimate_edge(rule, [&]() -> std::optional<bool> {
      const auto draw = filter_->next();
      if (!draw) return std::nullopt;
      return draws_->is_right(*draw);
    });
    OwnStep step;
    step.num_asked = draws_->num_asked() - num_asked_before;
    if (estimate) {
      step.alpha = filterboost_alpha(estimate->edge);
      const double edge = std::min(std::abs(estimate->edge), 0.5 - 1e-6);
      step.loss_factor = std::sqrt(1 - 4 * edge * edge);
    } else {
      has_ended_[problem] = 1;
    }
    return step;
  }

  bool has_ended() const override {
    return std::all_of(has_ended_.begin(), has_ended_.end(), [](char ended) { return ended != 0; });
  }

  std::size_t add(std::size_t problem, const Hypothesis& hypothesis, std::span<const std::uint8_t>) override {
    sums_[problem].add(hypothesis);
    return 0;  // F is computed of what is drawn
  }

  double error() override {
    std::vector<std::vector<double>> all;
    for (const BinarySum& sum : sums_) all.push_back(sum.at(judged_));
    std::size_t num_wrong = 0;
    std::vector<double> sums(problems_.size());
    for (std::size_t i = 0; i < judged_.size(); ++i) {
      for (std::size_t p = 0; p < sums.size(); ++p) sums[p] = all[p][i];
      num_wrong += problems_.predicted(sums) != problems_.labels()[judged_[i]];
    }
    return double(num_wrong) / double(judged_.size());
  }
  std::size_t num_known() const override { return draws_ ? draws_->num_known() : 0; }
  std::size_t size() const override {
    return std::size_t(filterboost_sample_size(settings_.sample_factor, 1));
  }
  bool is_fixed() const override { return false; }

  std::vector<double> state() const override { return {has_ended_.begin(), has_ended_.end()}; }
  void replay(std::size_t problem, const Hypothesis& hypothesis) override { sums_[problem].add(hypothesis); }
  void restore(std::span<const double> state) override { has_ended_.assign(state.begin(), state.end()); }

 private:
  FilterPlanSettings settings_;
  const BinaryProblems& problems_;
  const TrainingContext& context_;
  std::uint64_t seed_;
  std::vector<std::uint32_t> examples_, judged_;  // that may be trained on; some of them, for the error
  HeldCodes codes_;
  std::vector<BinarySum> sums_;  // of each problem
  std::vector<char> has_ended_;  // each problem
  // What follows is of the current round.
  std::uint32_t round_ = 1;  // its number among those of the problem
  std::optional<RoundDraws> draws_;
  const Oracle oracle_ = [this] { return draws_->next(); };
  std::optional<RoundFilter> filter_;
};

}  // namespace

std::unique_ptr<ExamplePlan> make_filter_plan(const FilterPlanSettings& settings, const PlanGround& ground) {
  return std::make_unique<FilterPlan>(settings, ground);
}

}  // namespace mash
