// SPDX-License-Identifier: Apache-2.0
#include "classifiers/boosters/online/online.hpp"

#include <algorithm>
#include <cmath>
#include <deque>
#include <optional>

#include "classifiers/boosters/loop/training_side.hpp"
#include "classifiers/boosters/one_vs_all/code_values.hpp"
#include "classifiers/boosters/one_vs_all/reservoir_plan.hpp"
#include "classifiers/online/online_loop.hpp"
#include "classifiers/online/rows.hpp"
#include "classifiers/online/stump_term.hpp"
#include "framework/base/elementary.hpp"
#include "framework/base/state_numbers.hpp"

namespace mash {
namespace {

constexpr std::uint64_t kErrorWindow = 1000;    // examples
constexpr std::uint32_t kMeasuredLearners = 3;  // of each problem, where only seconds are of use

using Learners = std::vector<std::vector<OnlineStump>>;  // of each problem

class OnlineTraining final : public RoundTraining {
 public:
  OnlineTraining(const OnlineOneVsAll::Options& options, const SearchParts& search, std::uint64_t seed,
                 const TrainingContext& context)
      : options_(options),
        search_(search),
        seed_(seed),
        context_(context),
        problems_(context.dataset.train, context.dataset.num_classes()),
        stream_(training_stream(context.dataset.train, context.left_out, seed)),
        ledger_(context.features, 1),
        codes_(context.features, ledger_) {}

  Status start(const TrainingPlan&) override { return Done{}; }

  Status begin() override {
    Learners learners(problems_.size());
    std::uint64_t num_seen = 0;
    if (options_.wants_learners) {
      MASH_ASSIGN(learners, context_.purpose == Purpose::kSeconds ? measure_offline()
                                                                  : learn_offline(options_.num_learners));
      num_seen = options_.num_start;
      if (!stream_.is_endless()) num_seen = std::min<std::uint64_t>(num_seen, stream_.num_examples());
    }
    MASH_TRY(make_loop(learners));
    OnlineState state = loop_->state();
    state.place = stream_.place_after(num_seen);
    loop_->restore(state);
    return Done{};
  }

  RoundOutcome round(const Round&) override {
    const SecondsScope timed(ledger_.meters().phases.update);
    const OnlineCounts before = loop_->counts();
    const double loss_before = loss_log10(before);
    loop_->run(
        before.num_learned + options_.num_fresh, options_.num_fresh, [](const OnlineCounts&) {},
        context_.work.workers, StopFlag());
    const std::uint64_t num_wrong = loop_->counts().num_wrong - before.num_wrong;
    num_wrong_.push_back(num_wrong);
    if ((num_wrong_.size() - 1) * options_.num_fresh >= kErrorWindow) num_wrong_.pop_front();
    const auto num_classes = double(context_.dataset.num_classes());
    const double error = double(num_wrong) / double(options_.num_fresh);
    RoundOutcome outcome;
    outcome.edge = std::max(0.0, 1 - error * num_classes / (num_classes - 1));
    outcome.loss_change_log10 = loss_log10(loop_->counts()) - loss_before;
    outcome.changes_all = true;
    return outcome;
  }

  std::vector<Hypothesis> whole_model() const override {
    std::vector<Hypothesis> hypotheses;
    for (std::size_t p = 0; p < problems_.size(); ++p) {
      std::vector<StumpTerm> terms = loop_->booster(p).terms();
      for (StumpTerm& term : terms) term = codes_.in_values(term);
      const auto place = [&](std::uint32_t feature) {
        return Cut{context_.features.family_of(feature), context_.features.index_in_family(feature), 0};
      };
      const auto of_problem = as_hypotheses(terms, problems_.votes(p), place);
      hypotheses.insert(hypotheses.end(), of_problem.begin(), of_problem.end());
    }
    return hypotheses;
  }

  // The place of the stream, the counts, the wrong ones of the last rounds after how many rounds that are; of
  // each booster how many features it asks for, how many numbers it has, and these.
  std::vector<double> state() const override {
    const OnlineState loop = loop_->state();
    StateWriter writer;
    writer.add(loop.place.pass, loop.place.position, loop.counts.num_learned, loop.counts.num_wrong);
    writer.add_counted(num_wrong_);
    for (std::size_t p = 0; p < problems_.size(); ++p) {
      writer.add(loop_->booster(p).features().size());
      writer.add_counted(loop.boosters[p]);
    }
    return writer.take();
  }
  void restore(std::span<const Hypothesis>, std::span<const double> state, std::span<const double>) override {
    StateReader reader(state);
    OnlineState loop;
    for (std::uint64_t* number :
         {&loop.place.pass, &loop.place.position, &loop.counts.num_learned, &loop.counts.num_wrong})
      *number = reader.next<std::uint64_t>();
    const std::span<const double> of_rounds = reader.next_counted();
    num_wrong_.assign(of_rounds.begin(), of_rounds.end());
    Learners learners(problems_.size());
    for (auto& of_problem : learners) {
      const auto num_features = reader.next<std::size_t>();
      if (options_.wants_learners) of_problem.assign(num_features, OnlineStump(FeatureStump()));
      const std::span<const double> of_booster = reader.next_counted();
      loop.boosters.emplace_back(of_booster.begin(), of_booster.end());
    }
    reader.finish();
    require(make_loop(learners).ok(), "boosters that were made once are made again");
    loop_->restore(loop);
  }

  std::span<const double> weights() const override { return {}; }
  bool is_exhaustive() const override { return false; }
  bool keeps_examples() const override { return false; }
  double train_error() override {
    std::uint64_t num_wrong = 0;
    for (const std::uint64_t wrong : num_wrong_) num_wrong += wrong;
    return num_wrong_.empty() ? 1 : double(num_wrong) / double(num_wrong_.size() * options_.num_fresh);
  }
  Ledger& ledger() override { return ledger_; }

 private:
  static double loss_log10(const OnlineCounts& counts) {
    return stable_log10((double(counts.num_wrong) + 1) / (double(counts.num_learned) + 1));
  }

  // A few stumps of each problem, taken again and again in the place of all.
  Result<Learners> measure_offline() {
    const std::uint32_t num_measured = std::min(kMeasuredLearners, options_.num_learners);
    const Stopwatch watch;
    MASH_ASSIGN(Learners learners, learn_offline(num_measured));
    for (auto& of_problem : learners)
      for (std::size_t i = 0; of_problem.size() < options_.num_learners; ++i)
        of_problem.push_back(OnlineStump(of_problem[i]));
    ledger_.meters().seconds += watch.seconds() * (double(options_.num_learners) / num_measured - 1);
    return learners;
  }

  // Stumps of LogitBoost on the first examples of the stream, at most num_learners of each problem: a
  // reservoir to which nothing comes. A problem without any gets one that always says yes.
  Result<Learners> learn_offline(std::uint32_t num_learners) {
    OneVsAll::Options options{.name = options_.name, .num_rounds = num_learners, .parts = {}};
    Settings no_settings;
    const auto row = std::ranges::find(retention_strategies(), "rand", &RetentionRow::name);
    MASH_ASSIGN(std::shared_ptr<const Retention> keep, row->make(no_settings));
    options.parts = [&](const PlanGround& ground) {
      return ProblemParts{make_reservoir_plan({keep, options_.num_start, 0, false}, ground),
                          make_line_search(ground)};
    };
    Observer nobody;
    MASH_ASSIGN(const TrainingResult found,
                OneVsAll(options, search_)
                    .train(seed_, {.dataset = context_.dataset,
                                   .features = context_.features,
                                   .work = {context_.work.workers, no_progress(), context_.work.remarks,
                                            context_.work.stop},
                                   .observer = nobody,
                                   .checkpoint = {},
                                   .run_key = {},
                                   .left_out = context_.left_out,
                                   .purpose = Purpose::kModel}));
    if (found.status == TrainingStatus::kStopped) return Error{ErrorKind::kStopped, "stopped"};
    ledger_.add(found.meters, found.families);
    Learners learners(problems_.size());
    for (const Hypothesis& hypothesis : found.model.sum().hypotheses) {
      const std::size_t problem = problems_.problem_of(hypothesis);
      learners[problem].emplace_back(codes_.stump_of(problems_.of_one_class(problem, hypothesis)));
    }
    for (auto& of_problem : learners)
      if (of_problem.empty()) of_problem.emplace_back(FeatureStump());
    return learners;
  }

  Status make_loop(const Learners& learners) {
    std::vector<std::unique_ptr<OnlineBooster>> boosters;
    for (std::size_t p = 0; p < problems_.size(); ++p) {
      const OnlineTask task{problem_seed(seed_, std::uint32_t(p)),
                            std::uint32_t(context_.features.num_features()), learners[p]};
      MASH_ASSIGN(auto booster, options_.factory(task));
      boosters.push_back(std::move(booster));
    }
    loop_.emplace(OnlineData{label_, std::uint32_t(context_.features.num_features()), values_},
                  std::move(boosters), stream_);
    return Done{};
  }

  const OnlineOneVsAll::Options& options_;
  const SearchParts& search_;
  const std::uint64_t seed_;
  const TrainingContext& context_;
  const BinaryProblems problems_;
  const ExampleStream stream_;  // at its beginning
  Ledger ledger_;
  CodeValues codes_;
  const ExampleLabel label_ = [this](std::uint32_t example) { return problems_.label(example); };
  const ExampleValues values_ = [this](std::uint32_t example, std::span<const std::uint32_t> features,
                                       std::span<float> values) { codes_.get(example, features, values); };
  std::optional<OnlineLoop> loop_;
  std::deque<std::uint64_t> num_wrong_;  // of the last rounds
};

}  // namespace

Status OnlineOneVsAll::check(const WeakLearner& weak) const {
  if (weak.cuts() != Cuts::kCodes)
    return input_error("booster {}: found cuts: exact, expected codes", options_.name);
  if (!weak.needs_class_edges()) return Done{};
  return input_error(
      "booster {}: found a weak learner that does not learn from one example at a time, "
      "expected stump",
      options_.name);
}

Result<TrainingResult> OnlineOneVsAll::train(std::uint64_t seed, const TrainingContext& context) const {
  if (context.dataset.num_classes() < 2) return input_error("found data of one class, expected at least two");
  OnlineTraining training(options_, search(), seed, context);
  return run_rounds({.num_rounds = options_.num_rounds}, training, seed, context);
}

Result<std::unique_ptr<const Booster>> make_online(std::string_view name, Settings& settings,
                                                   SearchParts search) {
  MASH_ASSIGN(const OnlineRow* row, find_online_booster(name));
  OnlineOneVsAll::Options options;
  options.name = row->name;
  options.wants_learners = row->wants_learners;
  MASH_ASSIGN(options.num_rounds, read_num_rounds(settings, options.num_rounds));
  const auto read_count = [&](std::string_view key, std::uint32_t& count, std::int64_t least) -> Status {
    MASH_ASSIGN(const auto number, settings.integer(key, count, least, 1'000'000));
    count = std::uint32_t(number);
    return Done{};
  };
  MASH_TRY(read_count("fresh", options.num_fresh, 1));
  if (row->wants_learners) {
    MASH_TRY(read_count("stumps", options.num_learners, 1));
    MASH_TRY(read_count("start", options.num_start, 2));
  }
  MASH_ASSIGN(options.factory, row->make(settings));
  return {std::make_unique<const OnlineOneVsAll>(std::move(options), std::move(search))};
}

}  // namespace mash
