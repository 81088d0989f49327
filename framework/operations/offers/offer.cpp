// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/offers/offer.hpp"

#include <fmt/format.h>

#include <limits>
#include <numeric>

#include "framework/operations/offers/commands.hpp"
#include "framework/operations/offers/first_answer.hpp"
#include "framework/operations/offers/run_replacement.hpp"
#include "framework/operations/offers/seeds.hpp"
#include "framework/operations/offers/single_pictures.hpp"
#include "framework/operations/offers/summary.hpp"
#include "framework/records/offer_details.hpp"

namespace mash {
namespace {

// A copy is not known any better by a narrow interval; where all of its features stand in the pool, more
// seeds tell nothing at all.
void look_at_a_copy(const FamilyCost& cost, const std::string& name, Remarks& remarks,
                    OfferTestSettings& how) {
  how.half_width = std::numeric_limits<double>::infinity();
  if (!cost.has_nothing_new()) return;
  how.most_seeds = kLooks[0].num_seeds;
  remarks.tell(
      fmt::format("{} has no feature that says something new beside the pool: {} seeds are enough to tell it",
                  name, how.most_seeds));
}

bool adds_something(const OfferFigures& figures) {
  const OfferVerdict verdict = verdict_of(figures);
  return verdict == OfferVerdict::kAdds || verdict == OfferVerdict::kAddsMuch;
}

double microseconds_of(const FeatureSet& features, const FamilyGroup& group) {
  return std::accumulate(group.families.begin(), group.families.end(), 0.0, [&](double sum, std::size_t k) {
    return sum + features.families()[k].microseconds_per_image;
  });
}

// Gathers the losses of an offer test, and keeps those of the seeds since it kept the last ones.
class DetailsKeeper {
 public:
  DetailsKeeper(const Dataset& dataset, std::uint64_t first_seed)
      : next_seed_(first_seed), details_{dataset.class_names, {}, {}} {}

  void hear(std::span<const double> losses) {
    details_.seeds.push_back({next_seed_++, 0, {losses.begin(), losses.end()}});
  }

  void keep(Records& records, const OfferRow& offer, const OfferTest& test, Remarks& remarks) {
    keep_sums_of(records, offer, test, remarks);
    const std::vector<double> gains = test.losses.seed_gains();
    for (OfferSeed& seed : details_.seeds) seed.gain = gains[seed.seed - offer.first_seed];
    details_.labels = test.labels;
    const Status kept = keep_offer_details(records, offer, details_);
    if (!kept.ok()) remarks.warn("the records do not keep the losses of this test: " + kept.error().message);
    details_.seeds.clear();
  }

 private:
  std::uint64_t next_seed_;
  OfferDetails details_;
};

// Features of each heuristic of a group whose families follow each other; nothing of one heuristic alone.
std::vector<std::uint32_t> members_of(const FamilyGroup& group, const FeatureSet& features) {
  std::vector<std::uint32_t> members;
  const std::string* last = nullptr;
  for (const std::size_t k : group.families) {
    const std::string& id = features.families()[k].spec.heuristic.id;
    if (last == nullptr || *last != id) members.push_back(0);
    members.back() += features.family_size(k);
    last = &id;
  }
  if (members.size() < 2) members.clear();
  return members;
}

// Errors: those of offer_rounds_of.
Result<OfferTestSettings> test_settings_of(const TrialSetup& setup, const OfferTrySettings& settings,
                                           Remarks& remarks) {
  OfferTestSettings how;
  MASH_ASSIGN(how.rounds, offer_rounds_of(setup.experiment, remarks));
  how.rounds.members = members_of(setup.newcomer, setup.space.features);
  how.first_seed = setup.first_seed;
  how.most_seeds = settings.seeds;
  how.seconds = settings.seconds;
  how.judges = settings.judges;
  how.precision = settings.precision;
  if (settings.for_a_board) how.looks = {board_look(settings.seeds)};
  return how;
}

// The end of a test that was to go on until this precision.
HeuristicOffer::Precision end_of(const OfferTest& test, const OfferTestSettings& how) {
  using End = HeuristicOffer::Precision::End;
  const Interval& interval = test.looks.back().interval;
  const Look* next = next_look(how.looks, test.losses.num_seeds());
  const bool is_reached = interval.high - interval.low <= 2 * *how.precision;
  const bool are_seeds_out = next == nullptr || next->num_seeds > how.most_seeds;
  return {*how.precision, is_reached ? End::kReached : are_seeds_out ? End::kMostSeeds : End::kTimeOut};
}

Result<ReplacementOffer> offer_instead(const TrialSetup& setup, const FamilyGroup& replaced,
                                       std::size_t num_held_out, const OfferTestSettings& how,
                                       const WorkContext& work) {
  MASH_ASSIGN(ReplacementTest test, run_replacement_test(setup.space, setup.newcomer, replaced, how, work));
  const FeatureSet& features = setup.space.features;
  return ReplacementOffer{
      .heuristic = setup.newcomer.name,
      .replaced = replaced.name,
      .num_others = features.num_families() - setup.newcomer.families.size() - replaced.families.size(),
      .num_held_out = num_held_out,
      .relevant = how.relevant,
      .looks = std::move(test.looks),
      .microseconds = microseconds_of(features, setup.newcomer),
      .replaced_microseconds = microseconds_of(features, replaced),
      .num_played = test.num_played,
      .num_found = test.num_found,
      .seconds = test.seconds};
}

}  // namespace

Result<TestedOffer> test_offer(TrialSetup& setup, const OfferTrySettings& settings, bool in_detail,
                               const WorkContext& work, const OfferObserver& observer) {
  MASH_TRY(check_most_seeds(settings.seeds));
  MASH_ASSIGN(OfferTestSettings how, test_settings_of(setup, settings, work.remarks));
  how.in_detail = in_detail;
  const std::vector<Neighbour>& neighbours = setup.neighbours;
  if (!settings.for_a_board && !settings.precision && !neighbours.empty() && neighbours[0].cka >= kSameSpace)
    look_at_a_copy(cost_of(setup.space.features, setup.newcomer.families), setup.newcomer.name, work.remarks,
                   how);
  std::optional<FamilyGroup> replaced;
  if (settings.replace) {
    MASH_ASSIGN(replaced, find_replaced(setup.space, setup.newcomer, *settings.replace, neighbours));
  }
  HeuristicOffer offer;
  DetailsKeeper details(*setup.space.dataset, how.first_seed);
  how.on_play = observer.on_play;
  how.on_seed = [&](std::span<const double> losses) { details.hear(losses); };
  Result<bool> knows_pictures = false;  // looked at once, where it adds something
  bool is_known = false;
  how.on_look = [&](const OfferTest& test) {
    offer = offer_of(setup.space, setup.newcomer, test, how.relevant);
    if (!is_known && adds_something(offer.figures)) {
      is_known = true;
      knows_pictures = knows_single_pictures(setup.space, setup.newcomer, test, work);
    }
    if (!knows_pictures.ok()) return;
    offer.figures.knows_single_pictures = *knows_pictures;
    offer.experiment = setup.experiment.name;
    offer.warnings = setup.space.warnings;
    set_neighbours(offer, neighbours);
    if (settings.shows_commands && !settings.replace && offer.pool.size() > 1 &&
        !offer.cost.has_nothing_new())
      offer.replace_command =
          command_of_replacing(settings, setup.experiment.dataset, offer.pool[neighbours[0].family_idx]);
    const auto kept = keep_offer_of(setup.space, setup.newcomer, offer, how, kOwnBase, work.remarks);
    if (kept) details.keep(setup.space.records, *kept, test, work.remarks);
    offer.work.seconds = setup.watch.seconds();
    if (observer.on_look) observer.on_look(offer);
  };
  MASH_ASSIGN(OfferTest test, run_offer_test(setup.space, setup.newcomer, how, work));
  MASH_TRY(knows_pictures);
  if (how.precision) offer.precision = end_of(test, how);
  // Seeds that were played after the last look count too.
  offer.work.test_seconds = test.seconds;
  offer.work.num_played = test.num_played;
  offer.work.num_found = test.num_found;
  if (replaced) {
    how.most_seeds = settings.seeds;  // also of a copy
    MASH_ASSIGN(offer.replacement, offer_instead(setup, *replaced, offer.pictures.num_held_out, how, work));
  }
  offer.work.seconds = setup.watch.seconds();
  return TestedOffer{std::move(test), std::move(offer)};
}

Result<TestedOffer> test_group(TrialSetup& setup, const OfferTrySettings& settings, const WorkContext& work) {
  MASH_TRY(check_most_seeds(settings.seeds));
  MASH_ASSIGN(OfferTestSettings how, test_settings_of(setup, settings, work.remarks));
  how.looks = {board_look(settings.seeds)};
  MASH_ASSIGN(OfferTest test, run_offer_test(setup.space, setup.newcomer, how, work));
  HeuristicOffer offer = offer_of(setup.space, setup.newcomer, test, how.relevant);
  offer.experiment = setup.experiment.name;
  set_neighbours(offer, setup.neighbours);
  if (adds_something(offer.figures)) {
    MASH_ASSIGN(offer.figures.knows_single_pictures,
                knows_single_pictures(setup.space, setup.newcomer, test, work));
  }
  return TestedOffer{std::move(test), std::move(offer)};
}

Status forget_offer(const TrialSetup& setup, const OfferTrySettings& settings, KeptPart part,
                    const WorkContext& work) {
  MASH_ASSIGN(OfferTestSettings how, test_settings_of(setup, settings, no_remarks()));
  for (const Judges judges : {Judges::kTest, Judges::kHeldOut}) {
    how.judges = judges;
    MASH_TRY(forget_offer_test(setup.space, setup.newcomer, how, part, work));
  }
  return Done{};
}

Status train_pool_of_offers(const Experiment& experiment, const Workspace& space, Judges judges,
                            std::size_t num_seeds, const WorkContext& work) {
  MASH_ASSIGN(const JudgingExamples examples, enough_judges(*space.dataset, judges));
  MASH_ASSIGN(const OfferSettings rounds, offer_rounds_of(experiment, work.remarks));
  // The pool's part is the same for any offer: here the pool itself.
  const FeatureSet& pool = space.features;
  const OfferGround ground{*space.dataset, pool, pool, pool, examples.held_out, rounds};
  OfferSeeds seeds(ground, examples.labels, space.store, {});
  return play_side_by_side(
      "training what offers begin with", num_seeds, work,
      [&](std::size_t i, const WorkContext& inner) { return seeds.play_pool(experiment.seed + i, inner); });
}

namespace {

Result<HeuristicOffer> offer_opened(OfferTrySettings settings, OpenedTrial opened, const WorkContext& work,
                                    const OfferObserver& observer) {
  if (observer.on_first_answer) {
    MASH_ASSIGN(settings.pictures, pictures_of_trial(settings, opened.experiment, work));
    MASH_ASSIGN(const auto answer, answer_early(settings, opened, work));
    if (answer) observer.on_first_answer(*answer);
  }
  MASH_ASSIGN(TrialSetup setup, prepare_opened_trial(settings, std::move(opened), work));
  MASH_ASSIGN(TestedOffer tested, test_offer(setup, settings, false, work, observer));
  return std::move(tested.offer);
}

}  // namespace

Diagnosed<HeuristicOffer> offer_heuristic(const OfferTrySettings& settings, const WorkContext& work,
                                          const OnFailedChecks& on_failed, const OfferObserver& observer) {
  // Before anything is built and computed.
  if (const Status enough = check_most_seeds(settings.seeds); !enough.ok()) return {enough.error(), ""};
  auto [opened, diagnostics] = open_trial(settings, {}, work, on_failed);
  if (!opened.ok()) return {opened.error(), std::move(diagnostics)};
  return {offer_opened(settings, *std::move(opened), work, observer), std::move(diagnostics)};
}

}  // namespace mash
