// SPDX-License-Identifier: Apache-2.0
#include "classifiers/boosters/one_vs_all/filter_plan.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <optional>

#include "classifiers/boosters/loop/training_side.hpp"
#include "classifiers/boosters/one_vs_all/binary_sum.hpp"
#include "framework/base/state_numbers.hpp"

namespace mash {
namespace {

constexpr std::size_t kDrawnAtOnce = 256;  // so that the model is asked for several examples together
constexpr std::size_t kJudged = 1000;      // examples for the error
constexpr std::uint64_t kMostEdgeSamples = 1'000'000;  // a hypothesis without an edge would want ever more

// The draws of one round of one problem. F, of the model before the round, outlives them.
class RoundDraws {
 public:
  // draw: the number of the next example.
  RoundDraws(const BinaryProblems& problems, std::size_t problem, const HeldCodes& codes,
             const BinarySum& sum, std::function<std::uint32_t()> draw)
      : problems_(problems), problem_(problem), codes_(codes), sum_(sum), draw_(std::move(draw)) {}

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
    for (std::uint32_t& example : drawn_) example = draw_();
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
  std::function<std::uint32_t()> draw_;
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
        ground_(ground),
        problems_(ground.problems),
        context_(ground.context),
        seed_(ground.seed),
        keeps_all_(ground.looks_at_all && context_.features.any_lazy()),
        examples_(trained_on(problems_.num_examples(), context_.left_out)),
        stream_(context_.dataset.train.is_endless()
                    ? std::optional(training_stream(context_.dataset.train, context_.left_out, ground.seed))
                    : std::nullopt),
        codes_(context_.features, false),
        sums_(problems_.size(), BinarySum(codes_)),
        has_ended_(problems_.size(), 0) {
    const std::size_t size = std::min(kJudged, examples_.size());
    for (std::size_t i = 0; i < size; ++i) judged_.push_back(examples_[i * examples_.size() / size]);
  }

  RoundExamples before_rounds() const override {
    return spread_examples(ground_, std::size_t(filterboost_sample_size(settings_.sample_factor, 1)));
  }

  RoundExamples next(std::size_t problem, const Round& round) override {
    RoundExamples next;
    if (has_ended_[problem]) return next;
    round_ = std::uint32_t((round.number - 1) / problems_.size() + 1);
    draws_.emplace(problems_, problem, codes_, sums_[problem], draws_of(round));
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
    num_taken_ = 0;
    if (has_ended_[problem]) return next;
    num_taken_ = taken.size();
    for (const auto& [example, count] : taken) {
      next.examples.push_back(example);
      next.weights.push_back(count);
    }
    HeldCodes codes(context_.features, keeps_all_);
    codes.hold(next.examples);
    next.features = codes.view(next.examples);
    return next;
  }

  // The step of the current round, by more examples than it trained on; its alpha is below 0 where the votes
  // are to be turned round. loss: the mean loss of the problem.
  Step step(std::size_t problem, const Hypothesis& hypothesis, double loss) {
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
    Step step;
    step.num_asked = draws_->num_asked() - num_asked_before;
    if (estimate) {
      step.alpha = filterboost_alpha(estimate->edge);
      const double edge = std::min(std::abs(estimate->edge), 0.5 - 1e-6);
      step.before = loss;
      step.after = loss * std::sqrt(1 - 4 * edge * edge);
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

  double error() const override {
    std::vector<std::vector<double>> all;
    for (const BinarySum& sum : sums_) all.push_back(sum.at(judged_));
    std::size_t num_wrong = 0;
    std::vector<double> sums(problems_.size());
    for (std::size_t i = 0; i < judged_.size(); ++i) {
      for (std::size_t p = 0; p < sums.size(); ++p) sums[p] = all[p][i];
      num_wrong += problems_.predicted(sums) != problems_.label(judged_[i]);
    }
    return double(num_wrong) / double(judged_.size());
  }
  std::size_t num_known() const override { return num_taken_ + (draws_ ? draws_->num_known() : 0); }
  bool is_fixed() const override { return false; }

  // Which problems have ended; of a side that never ends, also the place of the stream.
  std::vector<double> state() const override {
    StateWriter writer;
    writer.add_all(has_ended_);
    if (stream_) writer.add(stream_->place().pass, stream_->place().position);
    return writer.take();
  }
  void replay(std::size_t problem, const Hypothesis& hypothesis) override { sums_[problem].add(hypothesis); }
  void restore(std::span<const double> state) override {
    StateReader reader(state);
    for (char& ended : has_ended_) ended = reader.next<char>();
    if (stream_) {
      const auto pass = reader.next<std::uint64_t>(), position = reader.next<std::uint64_t>();
      stream_->go_to({pass, position});
    }
    reader.finish();
  }

 private:
  std::function<std::uint32_t()> draws_of(const Round& round) {
    if (stream_) return [this] { return stream_->next(); };
    return [this, draws = round.stream("boosting.filter_draws")]() mutable {
      return examples_[draws.below(examples_.size())];
    };
  }

  FilterPlanSettings settings_;
  const PlanGround ground_;
  const BinaryProblems& problems_;
  const TrainingContext& context_;
  std::uint64_t seed_;
  bool keeps_all_;  // of what a round trains on: all that it looks at, so that it is computed at once
  std::vector<std::uint32_t> examples_, judged_;  // that are held and may be trained on; some, for the error
  std::optional<ExampleStream> stream_;           // where the side never ends; else draws are of examples_
  HeldCodes codes_;
  std::vector<BinarySum> sums_;  // of each problem
  std::vector<char> has_ended_;  // each problem
  // State of the current round.
  std::uint32_t round_ = 1;    // its number among those of the problem
  std::size_t num_taken_ = 0;  // examples that it trains on
  std::optional<RoundDraws> draws_;
  const Oracle oracle_ = [this] { return draws_->next(); };
  std::optional<RoundFilter> filter_;
};

class FilterSteps final : public StepChoice {
 public:
  // plan: outlives it.
  FilterSteps(FilterPlan& plan, const BinaryProblems& problems) : plan_(plan), problems_(problems) {}

  std::vector<double> rows(std::size_t problem, const RoundExamples& examples) const override {
    return signed_weights(problems_, problem, examples);
  }
  Step choose(std::size_t problem, const RoundExamples&, WeakHypothesis& found, double loss) override {
    found.model.alpha = 1;
    Step step = plan_.step(problem, found.model, loss);
    if (step.alpha < 0)
      for (double& vote : found.model.votes) vote = -vote;
    step.alpha = std::abs(step.alpha);
    return step;
  }

 private:
  FilterPlan& plan_;
  const BinaryProblems& problems_;
};

}  // namespace

ProblemParts make_filter_parts(const FilterPlanSettings& settings, const PlanGround& ground) {
  auto plan = std::make_unique<FilterPlan>(settings, ground);
  auto steps = std::make_unique<FilterSteps>(*plan, ground.problems);
  return {std::move(plan), std::move(steps)};
}

}  // namespace mash
