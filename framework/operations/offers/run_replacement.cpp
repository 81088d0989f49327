// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/offers/run_replacement.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "framework/base/file.hpp"
#include "framework/operations/offers/course.hpp"

namespace mash {
namespace {

FamilySubset both(const FamilyGroup& newcomer, const FamilyGroup& replaced) {
  FamilySubset families = newcomer.families;
  families.insert(families.end(), replaced.families.begin(), replaced.families.end());
  return families;
}

// The offer test of one of them, with the losses that it left in the seeds since `losses` was last cleared.
class HeardCourse {
 public:
  HeardCourse(const Workspace& space, const FamilySubset& pool, const FamilyGroup& offered,
              const OfferTestSettings& settings, const WorkContext& work)
      : course(space, pool, offered.families, heard(settings), work) {}

  std::vector<std::vector<double>> losses;  // of the examples that it is judged on; before the course
  OfferCourse course;

 private:
  OfferTestSettings heard(OfferTestSettings settings) {
    settings.in_detail = false;
    settings.on_seed = [this](std::span<const double> of_seed) {
      losses.emplace_back(of_seed.begin(), of_seed.end());
    };
    return settings;
  }
};

// Adds the losses of both, and forgets them.
void add_losses(HeardCourse& one, HeardCourse& other, PairedLosses& between) {
  for (std::size_t s = 0; s < one.losses.size(); ++s) between.add(other.losses[s], one.losses[s]);
  one.losses.clear();
  other.losses.clear();
}

bool is_over(const ReplacementTest& test, const Look& next, const OfferTestSettings& settings) {
  return next.num_seeds > settings.most_seeds ||
         (!test.looks.empty() &&
          finding_of(test.looks.back(), settings.relevant) != ReplacementFinding::kUndecided);
}

}  // namespace

Result<FamilyGroup> find_replaced(const Workspace& space, const FamilyGroup& newcomer, std::string_view name,
                                  std::span<const Neighbour> neighbours) {
  const std::vector<FamilyInfo>& families = space.features.families();
  const FamilySubset pool = all_but(newcomer.families, families.size());
  if (pool.empty()) return no_pool_error(newcomer);
  const auto is_meant = [&](std::size_t k) {
    if (name == kNearest) return k == pool[neighbours[0].family_idx];
    return families[k].spec.name == name || families[k].spec.heuristic.id == name;
  };
  FamilyGroup replaced;
  std::vector<std::string> known;
  for (const std::size_t k : pool) {
    known.push_back(families[k].spec.name);
    if (is_meant(k)) replaced.families.push_back(k);
  }
  if (replaced.families.empty())
    return input_error(
        "replace: found '{}'{}; expected '{}' or a heuristic of the pool: {}", name,
        std::ranges::any_of(newcomer.families, is_meant) ? ", which is the one that is tried" : "", kNearest,
        fmt::join(known, ", "));
  replaced.name =
      replaced.families.size() == 1 ? families[replaced.families[0]].spec.name : std::string(name);
  if (replaced.families.size() == pool.size())
    return input_error(
        "replace: beside {} no other heuristic is in the pool; expected others that it and {} are offered "
        "beside",
        replaced.name, newcomer.name);
  return replaced;
}

Result<ReplacementTest> run_replacement_test(const Workspace& space, const FamilyGroup& newcomer,
                                             const FamilyGroup& replaced, const OfferTestSettings& settings,
                                             const WorkContext& work) {
  const FamilySubset pool = all_but(both(newcomer, replaced), space.features.num_families());
  MASH_ASSIGN(const JudgingExamples judges, enough_judges(*space.dataset, settings.judges));
  remove_old_files(space.store / "offers", kOfferCacheAge);
  const Stopwatch watch;
  HeardCourse one(space, pool, newcomer, settings, work), other(space, pool, replaced, settings, work);
  PairedLosses between(judges.labels.size());
  ReplacementTest test;
  for (const Look& look : kLooks) {
    if (is_over(test, look, settings)) break;
    // One after the other: they share the pool's part of each seed.
    std::size_t num_taken = 0;
    for (HeardCourse* heard : {&one, &other}) {
      MASH_ASSIGN(const std::size_t taken,
                  take_look(std::array{&heard->course}, look, settings.seconds - watch.seconds(), work));
      num_taken += taken;
    }
    MASH_TRY(space.check_faults());
    if (num_taken < 2) break;  // the time is out
    add_losses(one, other, between);
    const OfferTest &own = one.course.so_far(), &its = other.course.so_far();
    test.looks.push_back(
        {own.looks.back(), its.looks.back(), mean_products(own.losses, its.losses, between)});
    work.remarks.tell(
        fmt::format("in the place of {}, after {} seeds, {:.1f} s: {:+.2f} % of the log-loss, "
                    "{} itself {:+.2f}",
                    replaced.name, look.num_seeds, watch.seconds(), own.looks.back().gain, replaced.name,
                    its.looks.back().gain));
  }
  const OfferTest &own = one.course.so_far(), &its = other.course.so_far();
  test.num_played = std::max(own.num_played, its.num_played);
  test.num_found = std::min(own.num_found, its.num_found);
  test.seconds = watch.seconds();
  return test;
}

}  // namespace mash
