// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/offers/measure_board.hpp"

#include "framework/operations/offers/pool.hpp"
#include "framework/operations/offers/summary.hpp"

namespace mash {

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
  work.remarks.tell(fmt::format(
      "each of the {} heuristics of {} is offered beside the others and judged by the {} test pictures of {}",
      members.size(), experiment.name, space.dataset->test.num_examples, space.dataset->name));
  MASH_ASSIGN(const auto offers, keep_pool_offers(space, experiment.name, members, how, work));
  std::size_t num_undecided = 0, num_open = 0;
  for (const HeuristicOffer& offer : offers) {
    if (verdict_of(offer.figures) != OfferVerdict::kUndecided) continue;
    const Look* next = next_look(offer.looks.back().look.num_seeds);
    ++num_undecided;
    num_open += next != nullptr && next->num_seeds <= settings.most_seeds;
  }
  if (num_undecided > 0)
    work.remarks.tell(
        fmt::format("{} of {} heuristics are undecided; the same command goes on with {} of them",
                    num_undecided, offers.size(), num_open));
  return Done{};
}

}  // namespace mash
