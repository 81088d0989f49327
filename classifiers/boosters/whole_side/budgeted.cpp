// SPDX-License-Identifier: Apache-2.0
#include "classifiers/boosters/whole_side/budgeted.hpp"

#include <cmath>
#include <filesystem>
#include <set>

#include "classifiers/boosters/whole_side/adaboost_mh.hpp"
#include "classifiers/budget/costs_file.hpp"
#include "classifiers/budget/model_costs.hpp"
#include "framework/base/number.hpp"
#include "framework/base/suggestion.hpp"

namespace mash {
namespace {

class BudgetLimit final : public RoundLimit {
 public:
  BudgetLimit(const SelectionSettings& settings, const FeatureCosts& costs, double budget)
      : costs_(costs), selection_(settings, costs, budget) {}

  void begin_round() override { is_begun_ = false; }

  void rank(std::span<Candidate> candidates) override {
    std::vector<FeatureEdge> offered;
    for (const Candidate& candidate : candidates) offered.push_back({candidate.feature, candidate.edge});
    if (!is_begun_) selection_.begin_round(offered);
    is_begun_ = true;
    const auto best = selection_.choose(offered);
    is_held_back_ = best && selection_.passes_over(offered, *best);
    for (Candidate& candidate : candidates)
      candidate.merit = selection_.merit(candidate.feature, candidate.edge);
    // Ahead of what is equal up to rounding: samplers decide by chance there, the rule by the cost.
    if (best) candidates[*best].merit *= 1 + kAhead;
  }

  bool admits(const Hypothesis& hypothesis) const override {
    return selection_.can_afford(costs_.needs(hypothesis));
  }
  void take(const Hypothesis& hypothesis) override {
    const Needs needs = costs_.needs(hypothesis);
    const double before = spent();
    selection_.pay(needs);
    num_held_back_ += is_held_back_ && spent() == before;
    paid_features_.insert(needs.features.begin(), needs.features.end());
  }

  const std::set<std::uint32_t>& paid_features() const { return paid_features_; }

  // How many hypotheses were added that cost nothing more, in place of a feature with a larger edge that
  // could have been paid for.
  std::uint32_t num_held_back() const { return num_held_back_; }
  double spent() const { return selection_.purchases().spent(); }

  std::vector<double> state() const override {
    std::vector<double> state = selection_.state();
    state.push_back(num_held_back_);
    return state;
  }
  void restore(std::span<const double> state) override {
    selection_.restore(state.first(state.size() - 1));
    num_held_back_ = std::uint32_t(state.back());
  }

 private:
  static constexpr double kAhead = 1e-8;

  const FeatureCosts& costs_;
  BudgetedSelection selection_;
  std::set<std::uint32_t> paid_features_;
  bool is_begun_ = false;
  bool is_held_back_ = false;  // in the last look: the one at all examples
  std::uint32_t num_held_back_ = 0;
};

// Compares what another sampler finds with every feature that is already paid for, since to use it again
// costs nothing; a sampler that draws a few of many features would rarely draw it again. These are evaluated,
// beside what the sampler may spend, and not offered: no sampler proposed them.
class WithPaidFeatures final : public Sampler {
 public:
  WithPaidFeatures(std::unique_ptr<Sampler> sampler, const BudgetLimit& limit)
      : sampler_(std::move(sampler)), limit_(limit) {}

  Status start(StumpScan& scan, const TrainingPlan& plan) override { return sampler_->start(scan, plan); }
  std::uint32_t propose(StumpScan& scan, const Round& round) override {
    const std::uint32_t found = sampler_->propose(scan, round);
    if (sampler_->is_exhaustive() || limit_.paid_features().empty()) return found;
    std::set<std::uint32_t> features = limit_.paid_features();
    features.insert(found);
    return best_of_all(scan, round, std::vector(features.begin(), features.end()));
  }
  std::vector<double> state() const override { return sampler_->state(); }
  void restore(std::span<const double> state) override { sampler_->restore(state); }
  bool is_exhaustive() const override { return sampler_->is_exhaustive(); }

 private:
  std::unique_ptr<Sampler> sampler_;
  const BudgetLimit& limit_;
};

// A rule that looks at the cost too much buys a few cheap features and then nothing (Huang, Powers & Reyzin,
// section 6). Where nothing else has a larger edge, or everything is bought, there is nothing to tell.
void tell_of_trap(const BudgetLimit& limit, const Budgeted::Options& options, std::uint32_t num_rounds,
                  Remarks& remarks) {
  if (limit.num_held_back() <= num_rounds / 2 || limit.spent() > options.budget / 2) return;
  remarks.tell(fmt::format(
      "{} of {} rounds bought nothing though a feature that the rest of the budget pays for had a larger "
      "edge, and {:.4g} of the budget of {:.4g} is spent: rule {} finds these too expensive; rule "
      "adaboost-bt, which looks at edges alone, may use the rest",
      limit.num_held_back(), num_rounds, limit.spent(), options.budget, options.selection.rule->name));
}

// "1.5", "random", or the name of a file.
Result<CostSource> read_cost_source(Settings& settings) {
  constexpr std::string_view kRandom = "random";
  CostSource source;
  MASH_ASSIGN(source.path, settings.text("costs", "1", Settings::Kind::kText, {std::string(kRandom)}));
  MASH_ASSIGN(const auto seed, settings.integer("cost_seed", 1, 0, 1'000'000'000));
  source.seed = std::uint64_t(seed);
  if (source.path == kRandom) {
    source.kind = CostSource::Kind::kRandom;
    return source;
  }
  const auto number = number_in<double>(source.path);
  source.each = number.value_or(source.each);
  if (number) settings.holds("costs", fmt::format("{}", *number));
  std::error_code ignored;
  const bool is_file =
      std::filesystem::exists(source.path, ignored) && !std::filesystem::is_directory(source.path, ignored);
  if (!number) source.kind = CostSource::Kind::kFile;
  if (number ? std::isfinite(source.each) && source.each >= 0 : is_file) {
    MASH_TRY(settings.refuse_without("cost_seed", "costs: random"));
    return source;
  }
  const std::string question = did_you_mean(source.path, std::span(&kRandom, 1));
  MASH_TRY(
      settings.refuse(settings.unexpected("costs", fmt::format("a number from 0 on, random, or a file{}{}",
                                                               question.empty() ? "" : "; ", question))));
  return source;
}

// Refuses keys that this rule and this mode do not look at.
Status refuse_idle_keys(const SelectionSettings& selection, Settings& settings) {
  const SelectionRule& rule = *selection.rule;
  if (rule.merit != smoothed_merit && rule.merit_after_switch != smoothed_merit)
    MASH_TRY(settings.refuse_without("tau", "rule: smoothed or hybrid"));
  if (rule.merit_after_switch == nullptr) MASH_TRY(settings.refuse_without("kappa", "rule: hybrid"));
  if (selection.cost_mode != CostMode::kAmortised)
    MASH_TRY(settings.refuse_without("uses_per_setup", "cost_mode: amortised"));
  return Done{};
}

}  // namespace

Result<FeatureCosts> costs_of(const CostSource& source, const FeatureSet& features) {
  if (source.kind == CostSource::Kind::kFile) {
    std::vector<FamilySize> sizes;
    for (const FamilyInfo& family : features.families()) sizes.push_back({family.spec.name, family.dim});
    return read_costs(source.path, sizes);
  }
  std::vector<FamilyCosts> families;
  for (const FamilyInfo& family : features.families())
    families.push_back(source.kind == CostSource::Kind::kEqual
                           ? equal_costs(family.spec.name, family.dim, source.each)
                           : random_costs(family.spec.name, family.dim, source.seed));
  return FeatureCosts::make(std::move(families));
}

Status Budgeted::check_families(std::span<const FamilySpec> families) const {
  MASH_TRY(Booster::check_families(families));
  if (options_.costs.kind != CostSource::Kind::kFile) return Done{};
  std::vector<std::string> names, required;
  for (const FamilySpec& family : families) {
    names.push_back(family.name);
    if (family.named) required.push_back(family.name);
  }
  return check_costs(options_.costs.path, names, required);
}

std::vector<std::filesystem::path> Budgeted::identity_files() const {
  if (options_.costs.kind != CostSource::Kind::kFile) return {};
  return {options_.costs.path};
}

Result<TrainingResult> Budgeted::train(std::uint64_t seed, const TrainingContext& context) const {
  MASH_ASSIGN(const FeatureCosts costs, costs_of(options_.costs, context.features));
  return train_budgeted(options_, costs, search(), seed, context);
}

Result<TrainingResult> train_budgeted(const Budgeted::Options& options, const FeatureCosts& costs,
                                      const SearchParts& search, std::uint64_t seed,
                                      const TrainingContext& context) {
  BudgetLimit limit(options.selection, costs, options.budget);
  const WholeTrainingSide examples(InitialWeights::kUniform);
  const auto step_rule = [](const SignedWeights& initial_weights, const Workers& workers) {
    return make_step_rule(exponential_loss(), initial_weights, workers);
  };
  const SamplerFactory sampler = [&] { return std::make_unique<WithPaidFeatures>(search.sampler(), limit); };
  auto result = train_rounds(options.rounds, {examples, options.scan, hamming_criterion(), step_rule, &limit},
                             {sampler, search.weak}, seed, context);
  if (!result.ok()) return result;
  tell_of_trap(limit, options, result->num_rounds, context.work.remarks);
  if (result->model.sum().hypotheses.empty() && result->status == TrainingStatus::kBudgetSpent)
    context.work.remarks.tell(fmt::format(
        "nothing was bought: what was offered costs more than the budget of {:.3g}, or its set-up "
        "more than setup_share x budget = {:.3g}",
        options.budget, options.selection.setup_share * options.budget));
  MASH_ASSIGN(result->model, with_costs(result->model.sum(), costs));
  return result;
}

Result<std::unique_ptr<const Booster>> make_budgeted(Settings& settings, SearchParts search) {
  std::vector<Choice<const SelectionRule*>> rules;
  for (const SelectionRule& rule : selection_rules()) rules.push_back({rule.name, &rule});
  MASH_ASSIGN(const SelectionRule* smoothed, find_selection_rule("smoothed"));
  Budgeted::Options options;
  SelectionSettings& selection = options.selection;
  MASH_ASSIGN(options.rounds.num_rounds, read_num_rounds(settings, 500));
  MASH_ASSIGN(options.budget, settings.real("budget", 100, 0, 1e300));
  MASH_ASSIGN(selection.rule, settings.one_of("rule", smoothed, rules));
  MASH_ASSIGN(options.costs, read_cost_source(settings));
  MASH_ASSIGN(selection.cost_mode, settings.one_of("cost_mode", selection.cost_mode, kCostModes));
  MASH_ASSIGN(selection.tau, settings.real("tau", selection.tau, 0, 1e6));
  MASH_ASSIGN(selection.kappa, settings.real("kappa", selection.kappa, 0, 1e6));
  MASH_ASSIGN(selection.uses_per_setup, settings.real("uses_per_setup", selection.uses_per_setup, 1, 1e9));
  MASH_ASSIGN(selection.setup_share, settings.real("setup_share", 0.6, 0, 1));
  MASH_ASSIGN(selection.skip_unaffordable, settings.boolean("skip_unaffordable", false));
  MASH_ASSIGN(options.scan, read_scan_mode(settings));
  MASH_ASSIGN(options.rounds.stop_on_perfect, settings.boolean("stop_on_perfect", false));
  MASH_TRY(refuse_idle_keys(selection, settings));
  return {std::make_unique<const Budgeted>(options, std::move(search))};
}

}  // namespace mash
