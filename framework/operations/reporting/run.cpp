// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/reporting/run.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "framework/dataset/readers/formats.hpp"
#include "framework/operations/common/places.hpp"
#include "framework/operations/offers/commands.hpp"
#include "framework/operations/offers/pool.hpp"
#include "framework/operations/offers/trial.hpp"
#include "framework/operations/training/subset_trainer.hpp"
#include "framework/records/credits.hpp"
#include "framework/records/offers.hpp"
#include "framework/reports/run/page.hpp"

namespace mash {
namespace {

constexpr std::size_t kMostPairs = 24;  // of permutations, for Shapley's values

ContributionSettings contribution_settings(const Experiment& experiment, const RunReportSettings& report) {
  ContributionSettings settings;
  settings.seeds.resize(report.seeds);
  std::iota(settings.seeds.begin(), settings.seeds.end(), experiment.seed);
  settings.shapley = ShapleySettings{.num_pairs = report.orders ? (*report.orders + 1) / 2 : kMostPairs,
                                     .walks_all = report.orders.has_value()};
  return settings;
}

// How the families differ from those that were recorded, a line each.
std::vector<std::string> differences(const RunRecord& record, const FeatureSet& features) {
  std::vector<std::string> remarks;
  for (const LeftOut& left_out : features.left_out()) remarks.push_back(left_out.reason);
  std::map<std::string, const RunRecord::Family*> recorded;
  for (const RunRecord::Family& family : record.families) recorded[family.name] = &family;
  for (const FamilyInfo& family : features.families()) {
    const auto found = recorded.find(family.spec.name);
    if (found == recorded.end()) {
      remarks.push_back(fmt::format("{} is new: the run was without it", family.spec.name));
      continue;
    }
    const RunRecord::Family& before = *found->second;
    if (before.settings != family.spec.settings ||
        before.heuristic.plugin_sha256 != family.spec.heuristic.plugin_sha256)
      remarks.push_back(fmt::format(
          "{} {} than in the run", family.spec.name,
          family.spec.columns ? "has other values in its file" : "is another build, or has other settings,"));
    recorded.erase(found);
  }
  for (const auto& [name, family] : recorded)
    remarks.push_back(fmt::format("{} is missing: its plugin was not found", name));
  return remarks;
}

// Says before the trainings which families the report will lack.
void warn_of_missing(const RunRecord& record, const FeatureSet& features, Remarks& remarks) {
  for (const RunRecord::Family& family : record.families)
    if (std::ranges::none_of(features.families(),
                             [&](const FamilyInfo& known) { return known.spec.name == family.name; }))
      remarks.warn(fmt::format(
          "{} is not in this report: its plugin was not found, which --heuristics PATH names", family.name));
}

// Those whose part of the margin is known.
std::vector<CostPoint> cost_points_of_pool(const PoolContribution& pool) {
  std::vector<CostPoint> points;
  for (const FamilyContribution& family : pool.families)
    if (family.margin_share)
      points.push_back(
          {family.name, family.cost.microseconds_per_image, family.margin_share->mean, false, false});
  mark_front(points);
  return points;
}

// Adds the parts of another family of the same heuristic.
void add_to(CreditParts& sum, const CreditParts& more) {
  const auto add = [](std::vector<double>& values, const std::vector<double>& others) {
    values.resize(others.size());
    for (std::size_t i = 0; i < others.size(); ++i) values[i] += others[i];
  };
  add(sum.of_pairs, more.of_pairs);
  add(sum.of_seeds, more.of_seeds);
  add(sum.of_pictures, more.of_pictures);
}

// Keeps what each heuristic, with all its families, is credited with: for leaderboards. What was found is
// worth showing also where it cannot be kept, which is a remark.
void keep_credits_of(Workspace& space, const PoolContribution& pool, Remarks& remarks) {
  std::map<std::pair<std::string, std::string>, CreditRow> credits;  // by heuristic and version
  std::vector<std::string> names;
  for (std::size_t k = 0; k < pool.families.size(); ++k) {
    const FamilySpec& spec = space.features.families()[k].spec;
    names.push_back(spec.name);
    const ShapleyValue& of_family = *pool.families[k].shapley;
    CreditRow& credit = credits[{spec.heuristic.id, spec.heuristic.version}];
    credit.heuristic = spec.heuristic.id;
    credit.version = spec.heuristic.version;
    credit.credit += of_family.mean;
    add_to(credit.parts, pool.shapley->parts[k]);
  }
  std::vector<CreditRow> rows;
  for (auto& [heuristic, credit] : credits) {
    if (const auto known = with_error_of(credit.credit, credit.parts))
      credit.standard_error = known->standard_error;
    rows.push_back(std::move(credit));
  }
  const Status kept =
      keep_credits(space.records, {space.dataset->fingerprint, family_set_key(names), pool.rounds}, rows);
  if (!kept.ok()) remarks.warn("the records do not keep these credits: " + kept.error().message);
}

// The offer of each family beside the others; none where there are too few pictures to tell.
Result<std::vector<HeuristicOffer>> offers_of(Workspace& space, const Experiment& experiment,
                                              const std::string& name, const PoolContribution& pool,
                                              const RunReportSettings& settings, const WorkContext& work) {
  MASH_ASSIGN(const OfferTestSettings how, pool_offer_settings(experiment, settings.offer_seconds, work));
  if (space.features.num_families() < 2) return std::vector<HeuristicOffer>();  // the others are missing
  std::vector<PoolMember> members;
  for (std::size_t k = 0; k < pool.families.size(); ++k) {
    PoolMember& member = members.emplace_back();
    member.families = {pool.families[k].name, {k}};
    member.neighbours = pool.families[k].neighbours;
    for (Neighbour& neighbour : member.neighbours)
      neighbour.family_idx -= neighbour.family_idx > k;  // among the others
    member.alpha_share = pool.families[k].alpha_share.mean;
  }
  auto offers = keep_pool_offers(space, name, members, how, work);
  if (offers.ok() || offers.error().kind != ErrorKind::kInput) return offers;
  work.remarks.warn(offers.error().message);
  return std::vector<HeuristicOffer>();
}

// The command of `mash` that reports on it again.
std::string command_of_report(const RunReportSettings& settings) {
  return fmt::format("mash report {} --rounds {} --seeds {}{} --seconds {:g}{}", settings.run_id,
                     settings.rounds, settings.seeds,
                     settings.orders ? fmt::format(" --orders {}", *settings.orders) : "",
                     settings.offer_seconds, options_of(settings.workspace));
}

// The contributions of the families of a recorded experiment.
Result<PoolReport> pool_report(const RunRecord& record, const Experiment& recorded,
                               std::shared_ptr<const Dataset> its_dataset, const RunReportSettings& settings,
                               const WorkContext& work) {
  const Stopwatch watch;
  Experiment experiment = recorded;
  experiment.booster.settings.add("rounds", std::to_string(settings.rounds), "rounds");
  experiment.runs = settings.seeds;
  MASH_TRY(check_subsets(experiment));
  MASH_ASSIGN(Workspace space,
              open_workspace(experiment, settings.workspace, work, {{}, std::move(its_dataset)}));
  const Dataset& dataset = *space.dataset;
  warn_of_missing(record, space.features, work.remarks);
  MASH_ASSIGN(SubsetTrainer trainer, SubsetTrainer::make(experiment, space, work));
  MASH_ASSIGN(PoolAnalysis analysis, pool_contribution(trainer, contribution_settings(experiment, settings)));
  PoolReport report;
  report.pool = std::move(analysis.contribution);
  report.pool.rounds = settings.rounds;
  keep_credits_of(space, report.pool, work.remarks);
  if (settings.orders && report.pool.shapley->num_permutations == 0)
    work.remarks.tell(
        fmt::format("--orders: all sets of the {} families are trained, so that all orders count",
                    report.pool.families.size()));
  report.sampler = describe_part(experiment.sampler);
  report.class_names = dataset.class_names;
  report.num_test = dataset.test.num_examples;
  report.judging_side = dataset.judging_side;
  report.test_names = example_names(dataset, dataset.test);
  MASH_ASSIGN(report.offers, offers_of(space, experiment, record.name, report.pool, settings, work));
  report.cka = analysis.cka;
  MASH_ASSIGN(const CutAnswers answers, CutAnswers::make(analysis.all.models[0], space.features));
  report.mistakes = mistakes_of(analysis.all.models[0], answers, dataset.test.labels, work.workers);
  report.clusters = mistake_clusters(report.mistakes, kClustersOfReport);
  report.costs = cost_points_of_pool(report.pool);
  report.uncovered = std::move(analysis.uncovered);
  report.remarks = differences(record, space.features);
  report.num_trained = trainer.num_trained();
  report.num_found = trainer.num_found();
  report.command = command_of_report(settings);
  report.seconds = watch.seconds();
  return report;
}

// Why the families of an experiment cannot be looked at one by one; nothing where they can.
std::optional<std::string> obstacle(const RunRecord& record, const Experiment& experiment,
                                    const Dataset& dataset) {
  if (dataset.train.is_endless()) return "the training data have no end (endless: true)";
  if (record.families.size() < 2) return "there is one family only";
  const Status status = check_subsets(experiment);
  return status.ok() ? std::nullopt : std::optional(status.error().message);
}

}  // namespace

Result<RunReportResult> report_run(const RunReportSettings& settings, const WorkContext& work) {
  std::optional<RunRecord> record;
  {
    MASH_ASSIGN(const RecordsReader records, open_records(settings.workspace.database));
    MASH_ASSIGN(record, read_run(records, settings.run_id));
  }
  MASH_ASSIGN(const Experiment experiment,
              parse_experiment(record->configuration, fmt::format("run {}", settings.run_id), {}));
  MASH_ASSIGN(Dataset loaded,
              load_dataset(experiment.dataset.name, dataset_settings(experiment), experiment.seed, work));
  const auto dataset = std::make_shared<const Dataset>(std::move(loaded));
  MASH_TRY(check_data(*record, *dataset));
  RunReportResult result;
  std::vector<page::Section> sections;
  if (!settings.recorded_only) {
    if (const auto why_not = obstacle(*record, experiment, *dataset)) {
      work.remarks.tell(fmt::format("without what each family contributes: {}", *why_not));
    } else {
      MASH_ASSIGN(result.pool, pool_report(*record, experiment, dataset, settings, work));
      sections = pool_sections(*result.pool);
    }
  }
  MASH_ASSIGN(result.page, run_page(*record, *dataset, sections));
  return result;
}

}  // namespace mash
