// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/offers/measure_board.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "framework/base/statistics.hpp"
#include "framework/operations/offers/pool.hpp"
#include "framework/operations/offers/summary.hpp"
#include "framework/operations/offers/variants.hpp"

namespace mash {
namespace {

constexpr std::size_t kMostOffered = 6, kSeeds = 8;
constexpr std::size_t kToldSeeds[] = {16, 64, kMostBoardSeeds};
constexpr std::size_t kAnySeeds = 1'000'000;  // what seeds add to an error is nothing by then
// In both directions, of the tests of one entry of kResolutionEntries.
constexpr double kMissOfPair = 2 * board_look(0).alpha / double(2 * (kResolutionEntries - 1));

// Families that are spread over a base, each for itself, and the pool that they are offered beside: the other
// families, as errors grow with gains, and beside itself a family gains nothing. Of a small base the pool has
// all families.
struct Spread {
  std::vector<FamilyGroup> offered;
  FamilySubset pool;
};
Spread spread_families(const FeatureSet& features) {
  constexpr std::size_t kLeastToPart = 4;  // half of them two, which have a difference
  const std::size_t num_families = features.num_families();
  const bool is_parted = num_families >= kLeastToPart;
  const std::size_t num_offered = std::min(is_parted ? num_families / 2 : num_families, kMostOffered);
  Spread spread;
  std::vector<bool> is_offered(num_families);
  for (std::size_t i = 0; i < num_offered; ++i) {
    const std::size_t k = i * num_families / num_offered;
    spread.offered.push_back({features.families()[k].spec.name, {k}});
    is_offered[k] = true;
  }
  for (std::size_t k = 0; k < num_families; ++k)
    if (!is_parted || !is_offered[k]) spread.pool.push_back(k);
  return spread;
}

// The reach of each error with another number of seeds, their median.
double median_reach(std::span<const MeanError> errors, std::size_t num_seeds, double miss) {
  std::vector<double> reaches;
  for (const MeanError& error : errors) reaches.push_back(error.with_seeds(num_seeds).reach(miss));
  return median(reaches);
}

// The losses of all seeds: of each family beside the pool, and of each beside the next one; and of how many
// pictures the pool gets wrong, the mean over seeds.
struct ResolutionLosses {
  std::vector<PairedLosses> gains, differences;
  double wrong = 0;
};

// Offers the families beside the pool. REQUIRES: two families. Errors: of training and the disk; kStopped.
Result<ResolutionLosses> offer_families(const Workspace& space, const FamilySubset& pool,
                                        std::span<const FamilyGroup> families, const Experiment& experiment,
                                        const JudgingExamples& judges, const WorkContext& work) {
  MASH_ASSIGN(const OfferSettings rounds, offer_rounds_of(experiment, work.remarks));
  VariantOffers offers(space, pool, families, rounds, judges);
  std::vector<std::uint64_t> seeds(kSeeds);
  std::iota(seeds.begin(), seeds.end(), experiment.seed);
  std::vector<std::size_t> all(families.size()), places(judges.labels.size());
  std::iota(all.begin(), all.end(), std::size_t(0));
  std::iota(places.begin(), places.end(), std::size_t(0));
  MASH_ASSIGN(const bool is_played, offers.play(seeds, all, std::numeric_limits<double>::infinity(), work));
  require(is_played, "without a limit of time all seeds are played");
  ResolutionLosses losses{std::vector(all.size(), PairedLosses(places.size())),
                          std::vector(all.size() - 1, PairedLosses(places.size()))};
  for (const std::uint64_t seed : seeds) {
    MASH_ASSIGN(const VariantLosses of_seed, offers.losses(seed, all, places, work));
    for (std::size_t i = 0; i < all.size(); ++i) losses.gains[i].add(of_seed.before, of_seed.after[i]);
    for (std::size_t i = 0; i + 1 < all.size(); ++i)
      losses.differences[i].add(of_seed.after[i], of_seed.after[i + 1]);
    losses.wrong += double(of_seed.num_wrong) / double(kSeeds);
  }
  return losses;
}

std::vector<MeanError> errors_of(std::span<const PairedLosses> all) {
  std::vector<MeanError> errors;
  for (const PairedLosses& losses : all) errors.push_back(losses.error());
  return errors;
}

}  // namespace

Status measure_board(const BoardSettings& settings, const WorkContext& work) {
  MASH_TRY(check_most_seeds(settings.most_seeds));
  MASH_ASSIGN(Experiment experiment, read_experiment(settings.experiment, settings.overrides));
  if (settings.seed) experiment.seed = *settings.seed;
  MASH_ASSIGN(Workspace space, open_workspace(experiment, settings.workspace, work));
  return measure_board(space, experiment, settings, work);
}

Status measure_board(Workspace& space, const Experiment& experiment, const BoardSettings& settings,
                     const WorkContext& work) {
  const std::vector<PoolMember> members = heuristics_of(space.features, work.workers);
  if (members.size() < 2)
    return input_error(
        "experiment {}: found one heuristic ({}), expected two at least: each is offered beside the others",
        experiment.name, members[0].families.name);
  MASH_ASSIGN(OfferTestSettings how, pool_offer_settings(experiment, settings.seconds, work));
  how.judges = Judges::kTest;
  how.most_seeds = settings.most_seeds;
  how.is_for_ranks = true;
  work.remarks.tell(fmt::format(
      "each of the {} heuristics of {} is offered beside the others and judged by the {} {} pictures of {}",
      members.size(), experiment.name, space.dataset->test.num_examples, space.dataset->judging_side,
      space.dataset->name));
  const auto offers = keep_pool_offers(space, experiment.name, members, how, work);
  return offers.ok() ? Status(Done{}) : offers.error();
}

Result<BoardResolution> measure_resolution(const Workspace& space, const Experiment& experiment,
                                           const WorkContext& work) {
  if (space.features.num_families() < 2)
    return input_error("experiment {}: found {} families, expected two at least", experiment.name,
                       space.features.num_families());
  MASH_ASSIGN(const JudgingExamples judges, enough_judges(*space.dataset, Judges::kTest));
  const Spread spread = spread_families(space.features);
  MASH_ASSIGN(const ResolutionLosses losses,
              offer_families(space, spread.pool, spread.offered, experiment, judges, work));
  BoardResolution resolution{judges.labels.size(), losses.wrong, spread.offered.size(), kSeeds, 0, {}, 0};
  if (const std::size_t num_families = space.features.num_families(); spread.pool.size() < num_families) {
    const std::span<const FamilyGroup> two = std::span(spread.offered).first(2);
    MASH_ASSIGN(const ResolutionLosses beside_all,
                offer_families(space, all_but({}, num_families), two, experiment, judges, work));
    resolution.wrong = beside_all.wrong;
  }
  MASH_TRY(space.check_faults());
  std::vector<double> all_gains;
  for (const PairedLosses& of_family : losses.gains) all_gains.push_back(of_family.gain());
  resolution.gain = median(all_gains);
  const std::vector<MeanError> gains = errors_of(losses.gains), differences = errors_of(losses.differences);
  for (const std::size_t num_seeds : kToldSeeds)
    resolution.at.push_back({num_seeds, median_reach(gains, num_seeds, board_look(num_seeds).alpha),
                             median_reach(differences, num_seeds, kMissOfPair)});
  resolution.of_pictures = median_reach(differences, kAnySeeds, kMissOfPair);
  return resolution;
}

Result<BoardResolution> measure_resolution(const Board& board, const WorkspaceSettings& workspace,
                                           const WorkContext& work) {
  MASH_ASSIGN(const Experiment experiment, parse_experiment(board.experiment, board.name + ".yaml",
                                                            {{"dataset.test_part=private"}, "board"}));
  MASH_ASSIGN(const Workspace space, open_workspace(experiment, workspace, work));
  return measure_resolution(space, experiment, work);
}

}  // namespace mash
