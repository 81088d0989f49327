// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/offers/trial.hpp"

#include <algorithm>
#include <numeric>

#include "framework/dataset/data_path.hpp"
#include "framework/extractors/parameters.hpp"
#include "framework/operations/common/plugins.hpp"
#include "framework/operations/experiment/columns_item.hpp"
#include "framework/operations/experiment/families.hpp"
#include "framework/operations/offers/summary.hpp"
#include "framework/operations/training/subset_trainer.hpp"

namespace mash {
namespace {

// Half the budget of a full run trains as well as all of it in as many rounds, in half the time.
constexpr std::string_view kDefaultExperiment = R"yaml(
dataset: {name: mnist}
heuristics: all
booster: {name: adaboost.mh}
weak: {name: stump}
sampler: {name: laminating, budget: 5, features: 128}
)yaml";

// Refuses overrides of what has a setting of the trial's own: they would be ignored silently.
Status check_overrides(const Overrides& overrides, const Experiment& experiment) {
  for (const std::string& text : overrides.texts)
    if (text.starts_with("runs="))
      return input_error(
          "{} {}: here the number of seeds is set by itself (seeds), not as a part of the experiment",
          overrides.called, text);
  for (const auto& entry : experiment.booster.settings.entries())
    if (entry.key == "rounds" && entry.origin == Origin::kOverride)
      return input_error(
          "{}: here the number of rounds is set by itself (rounds), not as a part of the experiment",
          entry.where);
  return Done{};
}

// The experiment to try it in, without the heuristic where that is named by nobody yet.
Result<Experiment> experiment_of(const TrySettings& settings) {
  Experiment experiment;
  if (settings.against.empty()) {
    MASH_ASSIGN(experiment, parse_experiment(std::string(kDefaultExperiment),
                                             std::string(kDefaultTrialExperiment), settings.overrides));
  } else {
    MASH_ASSIGN(experiment, read_experiment(settings.against, settings.overrides));
  }
  MASH_TRY(check_overrides(settings.overrides, experiment));
  const bool by_default =
      settings.dataset.empty() && settings.against.empty() && experiment.dataset.origin == Origin::kFile;
  if (by_default && !is_at_hand("mnist")) {
    MASH_ASSIGN(Experiment demo, read_experiment("demo", settings.overrides));
    experiment.dataset = std::move(demo.dataset);
  }
  if (!settings.dataset.empty() &&
      (settings.is_dataset_alone || settings.dataset != experiment.dataset.name)) {
    Settings given;  // those in the file were of other data
    for (const auto& entry : experiment.dataset.settings.entries())
      if (entry.origin == Origin::kOverride) given.add(entry.key, entry.value, entry.where, entry.origin);
    experiment.dataset = {settings.dataset, std::move(given), "dataset"};
  }
  experiment.runs = settings.seeds;
  if (settings.seed) experiment.seed = *settings.seed;
  return experiment;
}

// The families of a heuristic. Errors (kInput): it was left out, with the reason.
Result<FamilyGroup> families_of(const HeuristicInfo& heuristic, const FeatureSet& features) {
  FamilyGroup group{heuristic.id, {}};
  for (std::size_t k = 0; k < features.num_families(); ++k)
    if (features.families()[k].spec.heuristic.id == heuristic.id) group.families.push_back(k);
  if (!group.families.empty()) return group;
  for (const LeftOut& left_out : features.left_out())
    if (left_out.heuristic == heuristic.id) return input_error("{}", left_out.reason);
  return input_error("heuristic {}: has no features here", heuristic.id);
}

// Adds the heuristic where the experiment lists others only.
void add_tried(const HeuristicInfo& heuristic, Experiment& experiment) {
  experiment.asks_for_heuristics = true;
  const auto is_tried = [&](const NamedSettings& named) { return named.name == heuristic.id; };
  if (!experiment.all_heuristics &&
      std::none_of(experiment.heuristics.begin(), experiment.heuristics.end(), is_tried))
    experiment.heuristics.push_back({heuristic.id, {}, "the heuristic to try"});
}

// Its plugin is looked at here, and nowhere else: before it is checked.
Result<OpenedTrial> open_tried(const WorkspaceSettings& settings, Experiment experiment,
                               const NamedHeuristic& named, const WorkContext& work) {
  MASH_ASSIGN(Catalogue catalogue, open_catalogue({.named = named.places_before(settings.heuristics),
                                                   .isolation = experiment.isolation,
                                                   .patience = experiment.patience,
                                                   .is_wary = true},
                                                  work));
  MASH_ASSIGN(const HeuristicInfo* found, find_in(catalogue, named));
  HeuristicInfo heuristic = *found;
  add_tried(heuristic, experiment);
  return OpenedTrial{std::move(experiment), std::move(catalogue), std::move(heuristic)};
}

// The columns of a file as what is tried, in the place of those that the experiment has under this name.
// Errors (kInput): what only heuristics have is asked for; those of columns_item.
Result<OpenedTrial> open_columns(const TrySettings& settings, Experiment experiment,
                                 const WorkContext& work) {
  if (!settings.own.entries().empty())
    return input_error("{}: found settings beside columns of a file, which have none",
                       settings.own.entries().front().where);
  MASH_ASSIGN(NamedSettings item,
              columns_item(settings.columns.string(), "", "the columns to try", Origin::kOverride));
  MASH_ASSIGN(
      Catalogue catalogue,
      open_catalogue({settings.workspace.heuristics, experiment.isolation, experiment.patience}, work));
  std::erase_if(experiment.heuristics, [&](const NamedSettings& other) { return other.name == item.name; });
  experiment.asks_for_heuristics = true;
  HeuristicInfo heuristic = given_family(item.name, settings.columns).heuristic;
  experiment.heuristics.push_back(std::move(item));
  return OpenedTrial{std::move(experiment), std::move(catalogue), std::move(heuristic)};
}

// Lists these families in the experiment, as they are: so it is recorded.
void list_families(std::span<const FamilySpec> families, Experiment& experiment) {
  experiment.all_heuristics = false;
  experiment.heuristics.clear();
  for (const FamilySpec& spec : families)
    experiment.heuristics.push_back(item_of(spec, "the heuristic to try"));
}

// newcomer: families of the space. watch: since the data were loaded.
TrialSetup setup_of(const TrySettings& settings, OpenedTrial tried, Workspace space, FamilyGroup newcomer,
                    const Stopwatch& watch, const WorkContext& work) {
  std::vector<Neighbour> neighbours =
      nearest_of(all_sampled_columns(space.features, {}, work.workers), newcomer, work.workers);
  const std::uint64_t first_seed = settings.first_seed.value_or(tried.experiment.seed);
  std::vector<std::uint64_t> seeds(tried.experiment.runs);
  std::iota(seeds.begin(), seeds.end(), first_seed);
  return TrialSetup{.watch = watch,
                    .experiment = std::move(tried.experiment),
                    .heuristic = std::move(tried.heuristic),
                    .space = std::move(space),
                    .newcomer = std::move(newcomer),
                    .neighbours = std::move(neighbours),
                    .first_seed = first_seed,
                    .seeds = std::move(seeds)};
}

// Errors (kInput): its plugin does not open, or has no such heuristic; a setting that it does not take.
Status check_member(const GroupMember& member, const WorkspaceSettings& settings,
                    const Experiment& experiment, const WorkContext& work) {
  MASH_ASSIGN(const Catalogue catalogue,
              open_catalogue({.named = member.named.places_before(settings.heuristics),
                              .isolation = experiment.isolation,
                              .patience = experiment.patience,
                              .is_wary = true},
                             work));
  MASH_ASSIGN(const HeuristicInfo* heuristic, find_in(catalogue, member.named));
  MASH_TRY(parameter_values(*heuristic, member.own));
  return Done{};
}

// A group without the members of the pool that do not open here.
struct OpenGroup {
  std::vector<std::size_t> members;  // their places in the group
  std::vector<LeftOutMember> left_out;
};
// Errors: of the machine (kFailure); kStopped.
Result<OpenGroup> open_members(std::span<const GroupMember> members, const WorkspaceSettings& settings,
                               const Experiment& experiment, const WorkContext& work) {
  OpenGroup group;
  for (std::size_t i = 0; i < members.size(); ++i) {
    const Status opens = members[i].part == GroupPart::kPool
                             ? check_member(members[i], settings, experiment, work)
                             : Status(Done{});
    if (!opens.ok() && opens.error().kind != ErrorKind::kInput) return opens.error();
    if (opens.ok())
      group.members.push_back(i);
    else
      group.left_out.push_back({i, opens.error().message});
  }
  return group;
}

// The heuristics of these members of a group, in their order; the experiment lists them then. Errors
// (kInput): find_in's; two have the same id.
Result<std::vector<HeuristicInfo>> find_group(const Catalogue& catalogue,
                                              std::span<const GroupMember> members,
                                              std::span<const std::size_t> of_these, Experiment& experiment) {
  std::vector<HeuristicInfo> found;
  for (const std::size_t i : of_these) {
    MASH_ASSIGN(const HeuristicInfo* heuristic, find_in(catalogue, members[i].named));
    if (std::ranges::find(found, heuristic->id, &HeuristicInfo::id) != found.end())
      return input_error("heuristic {}: is twice among those that are offered together", heuristic->id);
    found.push_back(*heuristic);
    add_tried(*heuristic, experiment);
  }
  return found;
}

// All families of the experiment, with those of members that have settings of their own. heuristics: of these
// members.
Result<std::vector<FamilySpec>> families_of_group(const OpenedTrial& opened,
                                                  std::span<const GroupMember> members,
                                                  std::span<const std::size_t> of_these,
                                                  std::span<const HeuristicInfo> heuristics) {
  MASH_ASSIGN(std::vector<FamilySpec> specs, family_specs(opened.experiment, opened.catalogue));
  for (std::size_t i = 0; i < of_these.size(); ++i) {
    const GroupMember& member = members[of_these[i]];
    if (!member.own.entries().empty()) {
      MASH_ASSIGN(specs, with_variants(std::move(specs), heuristics[i], std::span(&member.own, 1),
                                       opened.experiment.seed));
    }
    if (member.part == GroupPart::kPool)  // one that refuses these pictures is left out, and ends nothing
      for (FamilySpec& spec : specs)
        if (spec.heuristic.id == heuristics[i].id) spec.named = false;
  }
  return specs;
}

// The families of the members that are offered. Members of the pool without features are added to those that
// are left out. Errors: families_of, of a member that is offered.
Result<FamilyGroup> offered_of(const FeatureSet& features, std::span<const GroupMember> members,
                               std::span<const HeuristicInfo> heuristics, OpenGroup& group) {
  FamilyGroup newcomer;
  std::size_t num_offered = 0;
  for (std::size_t i = 0; i < heuristics.size(); ++i) {
    const auto own = families_of(heuristics[i], features);
    if (members[group.members[i]].part == GroupPart::kPool) {
      if (!own.ok()) group.left_out.push_back({group.members[i], own.error().message});
      continue;
    }
    if (!own.ok()) return own.error();
    if (num_offered++ == 0) newcomer.name = own->name;
    newcomer.families.insert(newcomer.families.end(), own->families.begin(), own->families.end());
  }
  std::ranges::sort(newcomer.families);
  if (num_offered > 1) newcomer.name += fmt::format(" and {} more", num_offered - 1);
  return newcomer;
}

// Opens it, looks at the settings of its own and of its variants, and checks it. The output of the compiler
// is told already.
Result<OpenedTrial> open_and_check(const TrySettings& settings, Experiment experiment,
                                   const NamedHeuristic& named, std::span<const Settings> variants,
                                   const WorkContext& work, const OnFailedChecks& on_failed) {
  MASH_ASSIGN(OpenedTrial tried, open_tried(settings.workspace, std::move(experiment), named, work));
  for (const Settings& variant : variants) MASH_TRY(parameter_values(tried.heuristic, variant));
  BeforeTrial how{tried.experiment.isolation, settings.anyway, {}};
  if (!settings.own.entries().empty()) {
    MASH_ASSIGN(how.values, parameter_values(tried.heuristic, settings.own));
  }
  MASH_TRY(check_before_trial(named, tried.heuristic, how, work, on_failed));
  return tried;
}

}  // namespace

Diagnosed<OpenedTrial> open_trial(const TrySettings& settings, std::span<const Settings> variants,
                                  const WorkContext& work, const OnFailedChecks& on_failed) {
  auto experiment = experiment_of(settings);
  if (!experiment.ok()) return {experiment.error(), ""};
  if (!settings.columns.empty()) return {open_columns(settings, *std::move(experiment), work), ""};
  auto named = find_named_heuristic(settings.heuristic, experiment->isolation, work);
  if (!named.result.ok()) return {named.result.error(), std::move(named.diagnostics)};
  return {open_and_check(settings, *std::move(experiment), *named.result, variants, work, on_failed),
          std::move(named.diagnostics)};
}

Status check_has_images(const Dataset& dataset, const Experiment& experiment) {
  if (!dataset.is_table()) return Done{};
  return input_error("data set {}: is a table, expected images for a heuristic to look at",
                     experiment.dataset.name)
      .at(experiment.dataset.where);
}

Result<std::vector<FamilySpec>> families_of_trial(const TrySettings& settings, const OpenedTrial& trial) {
  MASH_ASSIGN(std::vector<FamilySpec> specs, family_specs(trial.experiment, trial.catalogue));
  if (settings.own.entries().empty()) return specs;
  return with_variants(std::move(specs), trial.heuristic, std::span(&settings.own, 1), trial.experiment.seed);
}

Result<Workspace> open_trial_workspace(const TrySettings& settings, OpenedTrial& trial,
                                       std::optional<std::vector<FamilySpec>> families,
                                       const WorkContext& work) {
  Experiment& experiment = trial.experiment;
  if (families) list_families(*families, experiment);
  if (settings.against.empty() && settings.dataset.empty())
    work.remarks.tell(
        fmt::format("no data set is named, so it is tried on {}", describe_part(experiment.dataset)));
  MASH_TRY(check_subsets(experiment));
  MASH_ASSIGN(Workspace space,
              open_workspace(experiment, settings.workspace, work,
                             {std::move(trial.catalogue), settings.pictures, std::move(families)}));
  MASH_TRY(check_has_images(*space.dataset, experiment));
  return space;
}

Diagnosed<TrialSetup> prepare_trial(const TrySettings& settings, const WorkContext& work,
                                    const OnFailedChecks& on_failed) {
  auto [opened, diagnostics] = open_trial(settings, {}, work, on_failed);
  if (!opened.ok()) return {opened.error(), std::move(diagnostics)};
  return {prepare_opened_trial(settings, *std::move(opened), work), std::move(diagnostics)};
}

Result<TrialSetup> prepare_opened_trial(const TrySettings& settings, OpenedTrial trial,
                                        const WorkContext& work,
                                        std::optional<std::vector<FamilySpec>> families) {
  const Stopwatch watch;
  // With settings of its own the heuristic is one family, which stands in the place of the experiment's.
  if (!families && !settings.own.entries().empty()) {
    MASH_ASSIGN(families, families_of_trial(settings, trial));
  }
  MASH_ASSIGN(Workspace space, open_trial_workspace(settings, trial, std::move(families), work));
  MASH_ASSIGN(FamilyGroup newcomer, families_of(trial.heuristic, space.features));
  if (!settings.own.entries().empty())
    newcomer.name = space.features.families()[newcomer.families[0]].spec.name;
  return setup_of(settings, std::move(trial), std::move(space), std::move(newcomer), watch, work);
}

Result<TrialSetup> prepare_checked_trial(const TrySettings& settings, const NamedHeuristic& named,
                                         const WorkContext& work) {
  MASH_ASSIGN(Experiment experiment, experiment_of(settings));
  MASH_ASSIGN(OpenedTrial tried, open_tried(settings.workspace, std::move(experiment), named, work));
  return prepare_opened_trial(settings, std::move(tried), work);
}

Result<TrialSetup> prepare_checked_group(const TrySettings& settings, std::span<const GroupMember> members,
                                         const WorkContext& work) {
  const Stopwatch watch;
  MASH_ASSIGN(Experiment experiment, experiment_of(settings));
  MASH_ASSIGN(OpenGroup group, open_members(members, settings.workspace, experiment, work));
  std::vector<std::string> places = settings.workspace.heuristics;
  for (const std::size_t i : group.members) places = members[i].named.places_before(places);
  MASH_ASSIGN(Catalogue catalogue, open_catalogue({.named = std::move(places),
                                                   .isolation = experiment.isolation,
                                                   .patience = experiment.patience,
                                                   .is_wary = true},
                                                  work));
  MASH_ASSIGN(const std::vector<HeuristicInfo> heuristics,
              find_group(catalogue, members, group.members, experiment));
  const auto is_offered = [&](std::size_t i) { return members[i].part == GroupPart::kOffered; };
  const auto first = std::ranges::find_if(group.members, is_offered);
  OpenedTrial opened{std::move(experiment), std::move(catalogue),
                     heuristics[std::size_t(first - group.members.begin())]};
  MASH_ASSIGN(auto families, families_of_group(opened, members, group.members, heuristics));
  MASH_ASSIGN(Workspace space, open_trial_workspace(settings, opened, std::move(families), work));
  MASH_ASSIGN(FamilyGroup offered, offered_of(space.features, members, heuristics, group));
  TrialSetup setup = setup_of(settings, std::move(opened), std::move(space), std::move(offered), watch, work);
  setup.left_out = std::move(group.left_out);
  return setup;
}

}  // namespace mash
