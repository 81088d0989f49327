// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/offers/pool.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>

#include "framework/analysis/similarity.hpp"
#include "framework/base/file.hpp"
#include "framework/base/loss_sums.hpp"
#include "framework/operations/offers/course.hpp"
#include "framework/operations/offers/summary.hpp"
#include "framework/operations/training/seed_run.hpp"

namespace mash {
namespace {

// A pool's model without the hypotheses of some of its families, which are lacking then. families:
// increasing.
OfferBase without_families(StrongClassifier model, std::span<const std::size_t> families) {
  const auto num_removed = std::erase_if(model.hypotheses, [&](const Hypothesis& hypothesis) {
    return std::ranges::binary_search(families, hypothesis.cuts[0].family_idx);
  });
  for (Hypothesis& hypothesis : model.hypotheses)
    for (Cut& cut : hypothesis.cuts)
      cut.family_idx -= std::uint32_t(std::ranges::lower_bound(families, cut.family_idx) - families.begin());
  for (std::size_t i = families.size(); i > 0; --i)
    model.families.erase(model.families.begin() + std::ptrdiff_t(families[i - 1]));
  return {std::move(model), std::uint32_t(num_removed)};
}

// Each of the six looks spends as much of it.
constexpr double kMissOfLook = kMiss / double(kLooks.size());

// The pool of all families, of which those of the tests are made.
class WholePool {
 public:
  WholePool(const Workspace& space, const OfferTestSettings& settings, const WorkContext& work)
      : judges_(judging_examples(*space.dataset, settings.judges)),
        ground_{*space.dataset, space.features,   space.features,
                space.features, judges_.held_out, settings.rounds},
        work_(work),
        seeds_(ground_, judges_.labels, space.store, {}) {}

  // Has those of these seeds at hand that are begun in time. Errors: of training and the disk; kStopped.
  Status prepare(std::span<const std::uint64_t> seeds, const std::function<bool()>& is_in_time) {
    return play_side_by_side("training the pool", seeds.size(), work_,
                             [&](std::size_t i, const WorkContext& inner) -> Status {
                               if (!is_in_time()) return Done{};
                               const auto kept = of(seeds[i], inner);
                               return kept.ok() ? Status(Done{}) : kept.error();
                             });
  }

  // This: outlives it.
  OfferBeginning without(const FamilyGroup& member) {
    OfferBeginning beginning;
    beginning.key = "from the pool of:\n" + identities(ground_.pool);
    beginning.base = [this, families = member.families](const OfferGround&, std::uint64_t seed,
                                                        const WorkContext& work) -> Result<OfferBase> {
      MASH_ASSIGN(const Seed* whole, of(seed, work));
      OfferBase base = without_families(whole->model, families);
      base.placebo_gain = whole->placebo_gain;
      return base;
    };
    return beginning;
  }

 private:
  struct Seed {
    std::mutex mutex = {};
    bool is_known = false;
    StrongClassifier model = {};
    double placebo_gain = 0;
  };

  Result<const Seed*> of(std::uint64_t seed, const WorkContext& work) {
    Seed& whole = place_of(seed);
    const std::lock_guard lock(whole.mutex);  // several tests may lack it at once
    if (whole.is_known) return &whole;
    MASH_TRY(seeds_.play_pool(seed, work));
    const auto pool = seeds_.find_pool(seed);
    if (!pool) return failure("offer test: what was kept of seed {} was removed at once", seed);
    MASH_ASSIGN(whole.model, base_of(*pool));
    whole.placebo_gain = pool->placebo_gains.at(seeds_.num_offered());  // find_pool sees that it is there
    whole.is_known = true;
    return &whole;
  }

  Seed& place_of(std::uint64_t seed) {
    const std::lock_guard lock(mutex_);
    return models_[seed];
  }

  JudgingExamples judges_;
  OfferGround ground_;
  const WorkContext& work_;
  OfferSeeds seeds_;
  std::mutex mutex_;
  std::map<std::uint64_t, Seed> models_;  // those that some test lacks
};

// The offer tests of all members.
class PoolTests {
 public:
  // All outlives it.
  PoolTests(const Workspace& space, std::span<const PoolMember> members, const OfferTestSettings& settings,
            const WorkContext& work)
      : space_(space),
        settings_(settings),
        work_(work),
        quiet_{work.workers, no_progress(), work.remarks, work.stop},
        whole_(space, settings, work) {
    for (const PoolMember& member : members) {
      names_.push_back(member.families.name);
      tests_.push_back(std::make_unique<OfferCourse>(
          space, all_but(member.families.families, space.features.num_families()), member.families.families,
          settings, quiet_, whole_.without(member.families)));
    }
  }

  // Looks at those that want more seeds, until none does or the time is out. Errors: as run_offer_test.
  Status take_looks(OfferCourse::Aim aim) {
    for (const Look& look : kLooks) {
      const std::vector<OfferCourse*> open = open_at(look, aim);
      if (open.empty()) continue;
      if (look != kLooks[0] && seconds_left() <= 0) break;
      MASH_TRY(prepare(open, look));
      MASH_ASSIGN(const std::size_t num_taken, take_look(open, look, seconds_left(), work_));
      MASH_TRY(space_.check_faults());
      const auto num_over =
          std::ranges::count_if(tests_, [&](const auto& test) { return test->is_over(aim); });
      work_.remarks.tell(fmt::format("after {} seeds, {:.1f} s: {} of {} offer tests {}", look.num_seeds,
                                     watch_.seconds(), num_over, tests_.size(),
                                     aim == OfferCourse::Aim::kDecide ? "decided" : "known well enough"));
      if (num_taken < open.size()) break;  // the time is out
    }
    return Done{};
  }

  // Looks at all with the same seeds, no matter what they say, and then at those whose ranks are least
  // certain and their neighbours with more (next_to_measure), until all are certain, the time is out, or no
  // seeds would do. The same choice each time: it goes on where it stopped. Errors: as run_offer_test.
  Status measure_to_rank() {
    MASH_TRY(take_ranking_looks());
    tell_of_ranks("");
    return Done{};
  }

  // Once.
  std::vector<OfferTest> finish() {
    std::vector<OfferTest> finished;
    for (const auto& test : tests_) finished.push_back(test->finish());
    return finished;
  }

 private:
  double seconds_left() const { return settings_.seconds - watch_.seconds(); }

  // Those whose next look it is, and that want it.
  std::vector<OfferCourse*> open_at(const Look& look, OfferCourse::Aim aim) const {
    std::vector<OfferCourse*> open;
    for (const auto& test : tests_)
      if (!test->is_over(aim) && *test->next() == look) open.push_back(test.get());
    return open;
  }

  Status take_ranking_looks() {
    std::vector<OfferCourse*> all;
    for (const auto& test : tests_) all.push_back(test.get());
    for (const Look& look : kLooks) {
      if (look.num_seeds > std::min(kRankedSeeds, settings_.most_seeds)) break;
      if (look != kLooks[0] && seconds_left() <= 0) return Done{};
      MASH_ASSIGN(const bool is_taken, take_ranking_look(all, look));
      if (!is_taken) return Done{};
    }
    while (const auto chosen = least_certain()) {
      if (seconds_left() <= 0) return Done{};
      const Look look = *tests_[*chosen]->next();
      MASH_ASSIGN(const bool is_taken, take_ranking_look(std::array{tests_[*chosen].get()}, look));
      if (!is_taken) return Done{};
      tell_of_ranks(fmt::format("{}: {} seeds, ", names_[*chosen], look.num_seeds));
    }
    return Done{};
  }

  // Returns whether the time sufficed for all of these.
  Result<bool> take_ranking_look(std::span<OfferCourse* const> open, const Look& look) {
    MASH_TRY(prepare(open, look));
    MASH_ASSIGN(const std::size_t num_taken, take_look(open, look, seconds_left(), work_));
    MASH_TRY(space_.check_faults());
    for (std::size_t i = 0; i < tests_.size(); ++i)
      if (const OfferTest& test = tests_[i]->so_far(); !test.sums.empty() && test.pool_wrong >= kLeastWrong)
        for (const GainSums& sums : test.sums)
          if (!levels_.has(std::int64_t(i), sums.z.of_seeds.size())) levels_.put(std::int64_t(i), sums);
    return num_taken == open.size();
  }

  // The tests that have a gain, with the ranks of all of them.
  struct RankedTest {
    std::size_t test_idx = 0;
    RankSet set = {};
  };
  std::vector<RankedTest> ranks() const {
    std::vector<RankedTest> ranked;
    for (std::size_t i = 0; i < tests_.size(); ++i)
      if (levels_.has(std::int64_t(i))) ranked.push_back({i});
    std::vector<std::int64_t> entries;
    for (const RankedTest& one : ranked) entries.push_back(std::int64_t(one.test_idx));
    const auto sets = rank_sets(ranked.size(), levels_.among(entries), kMissOfLook);
    for (std::size_t i = 0; i < ranked.size(); ++i) ranked[i].set = sets[i];
    return ranked;
  }

  // The test whose next look says most of the ranks; after kRankedSeeds each look has twice the seeds of the
  // one before.
  std::optional<std::size_t> least_certain() const {
    std::vector<std::size_t> test_idx, num_seeds;
    std::vector<RankSet> sets;
    for (RankedTest& one : ranks()) {
      test_idx.push_back(one.test_idx);
      num_seeds.push_back(tests_[one.test_idx]->so_far().losses.num_seeds());
      sets.push_back(std::move(one.set));
    }
    const auto chosen =
        next_to_measure(sets, num_seeds, std::min(settings_.most_seeds, kLooks.back().num_seeds));
    return chosen ? std::optional(test_idx[*chosen]) : std::nullopt;
  }

  // what: the look that was taken; empty: the last one.
  void tell_of_ranks(std::string_view what) const {
    std::size_t num_certain = 0, num_limited = 0;
    for (const RankedTest& one : ranks()) {
      num_certain += one.set.own.high == one.set.own.low;
      num_limited += one.set.is_limited_by_examples();
    }
    work_.remarks.tell(fmt::format(
        "{}{:.1f} s: {} of {} ranks certain{}{}", what, watch_.seconds(), num_certain, tests_.size(),
        num_limited > 0 ? fmt::format(", {} limited by the number of pictures", num_limited) : "",
        what.empty() && least_certain() ? "; the same command goes on" : ""));
  }

  // Has the pool's part of their seeds at hand, of the first look in any case, of others as far as the time
  // goes. Errors: as WholePool::prepare.
  Status prepare(std::span<OfferCourse* const> open, const Look& look) {
    work_.workers.for_each_in_order(open.size(), [&](std::size_t i) { open[i]->lacking(look); });
    std::set<std::uint64_t> lacking;
    for (OfferCourse* test : open) {
      const auto& seeds = test->lacking(look);
      lacking.insert(seeds.begin(), seeds.end());
    }
    return whole_.prepare(std::vector(lacking.begin(), lacking.end()),
                          [&] { return look == kLooks[0] || seconds_left() > 0; });
  }

  const Workspace& space_;
  const OfferTestSettings& settings_;
  const WorkContext& work_;
  WorkContext quiet_;
  Stopwatch watch_;
  WholePool whole_;
  std::vector<std::unique_ptr<OfferCourse>> tests_;
  std::vector<std::string> names_;  // of the members
  SeedLevels levels_;               // of those that have a gain, by their numbers
};

// Whether these are all families of their heuristic: one of several is not the heuristic.
bool is_whole_heuristic(const FeatureSet& features, const FamilyGroup& member) {
  const std::string& id = features.families()[member.families[0]].spec.heuristic.id;
  return std::ranges::count_if(features.families(), [&](const FamilyInfo& family) {
           return family.spec.heuristic.id == id;
         }) == std::ptrdiff_t(member.families.size());
}

}  // namespace

std::vector<PoolMember> heuristics_of(const FeatureSet& features, const Workers& workers) {
  std::vector<PoolMember> members;
  for (std::size_t k = 0; k < features.num_families(); ++k) {
    const std::string& id = features.families()[k].spec.heuristic.id;
    const auto known = std::ranges::find(members, id, [](const PoolMember& m) { return m.families.name; });
    if (known == members.end())
      members.push_back({{id, {k}}, {}});
    else
      known->families.families.push_back(k);
  }
  const std::vector<cv::Mat> columns = all_sampled_columns(features, {}, workers);
  const Likeness likeness = likeness_of(columns, workers);  // much faster than one by one
  for (PoolMember& member : members) {
    const FamilySubset& own = member.families.families;
    member.neighbours = own.size() == 1
                            ? neighbours_of(likeness, own[0], all_but(own, features.num_families()))
                            : nearest_of(columns, member.families, workers);
  }
  return members;
}

Result<OfferTestSettings> pool_offer_settings(const Experiment& experiment, double seconds,
                                              const WorkContext& work) {
  OfferTestSettings settings;
  MASH_ASSIGN(settings.rounds, offer_rounds_of(experiment, work.remarks));
  settings.first_seed = experiment.seed;
  settings.most_seeds = kLooks.back().num_seeds;
  settings.seconds = seconds;
  settings.half_width = 1;  // a test of one heuristic goes on until it is known better
  return settings;
}

Result<std::vector<OfferTest>> run_pool_offers(const Workspace& space, std::span<const PoolMember> members,
                                               const OfferTestSettings& settings, const WorkContext& work) {
  MASH_TRY(enough_judges(*space.dataset, settings.judges));
  remove_old_files(space.store / "offers", kOfferCacheAge);
  PoolTests tests(space, members, settings, work);
  if (settings.is_for_ranks) {
    MASH_TRY(tests.measure_to_rank());
    return tests.finish();
  }
  MASH_TRY(tests.take_looks(OfferCourse::Aim::kDecide));
  MASH_TRY(tests.take_looks(OfferCourse::Aim::kNarrow));
  return tests.finish();
}

Result<std::vector<HeuristicOffer>> keep_pool_offers(Workspace& space, const std::string& experiment,
                                                     std::span<const PoolMember> members,
                                                     const OfferTestSettings& settings,
                                                     const WorkContext& work) {
  MASH_ASSIGN(const std::vector<OfferTest> tests, run_pool_offers(space, members, settings, work));
  std::vector<HeuristicOffer> offers;
  for (std::size_t i = 0; i < tests.size(); ++i) {
    const PoolMember& member = members[i];
    HeuristicOffer offer = offer_of(space, member.families, tests[i], settings.relevant);
    offer.heuristic = member.families.name;
    offer.work.is_one_of_many = true;
    offer.experiment = experiment;
    offer.alpha_share = member.alpha_share;
    set_neighbours(offer, member.neighbours);
    if (is_whole_heuristic(space.features, member.families))
      if (const auto kept = keep_offer_of(space, member.families, offer, settings, kSharedBase, work.remarks))
        keep_sums_of(space.records, *kept, tests[i], work.remarks);
    offers.push_back(std::move(offer));
  }
  return offers;
}

}  // namespace mash
