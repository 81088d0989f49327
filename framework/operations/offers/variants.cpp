// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/offers/variants.hpp"

#include <fmt/format.h>

#include <atomic>
#include <map>
#include <optional>

#include "framework/analysis/log_loss.hpp"

namespace mash {
namespace {

FeatureSet beside(const FeatureSet& features, FamilySubset pool, const FamilySubset& variant) {
  pool.insert(pool.end(), variant.begin(), variant.end());
  return features.subset(pool);
}

}  // namespace

VariantOffers::Offers::Offers(const Workspace& space, const FamilySubset& pool, const FamilySubset& variant,
                              const VariantOffers& all)
    : newcomer(space.features.subset(variant)),
      together(beside(space.features, pool, variant)),
      ground{all.dataset_, all.pool_, newcomer, together, all.judges_.held_out, all.rounds_},
      seeds(ground, all.judges_.labels, space.store, {}) {}

VariantOffers::VariantOffers(const Workspace& space, const FamilySubset& pool,
                             std::span<const FamilyGroup> variants, const OfferSettings& rounds,
                             const JudgingExamples& judges)
    : dataset_(*space.dataset), judges_(judges), rounds_(rounds), pool_(space.features.subset(pool)) {
  for (const FamilyGroup& variant : variants)
    variants_.push_back(std::make_unique<Offers>(space, pool, variant.families, *this));
}

Status VariantOffers::play_pools(std::span<const std::uint64_t> seeds, std::span<const std::size_t> variants,
                                 double seconds, const WorkContext& work) {
  const Stopwatch watch;
  std::map<std::uint32_t, OfferSeeds*> by_candidates;
  for (const std::size_t v : variants)
    by_candidates.emplace(variants_[v]->seeds.num_offered(), &variants_[v]->seeds);
  for (const auto& of_candidates : by_candidates) {
    OfferSeeds* const offers = of_candidates.second;
    std::vector<std::uint64_t> lacking;
    for (const std::uint64_t seed : seeds)
      if (!offers->find_pool(seed)) lacking.push_back(seed);
    if (lacking.empty()) continue;
    MASH_TRY(play_side_by_side("training the pool", lacking.size(), work,
                               [&](std::size_t i, const WorkContext& inner) -> Status {
                                 if (watch.seconds() >= seconds) return Done{};
                                 return offers->play_pool(lacking[i], inner);
                               }));
  }
  return Done{};
}

Result<bool> VariantOffers::play(std::span<const std::uint64_t> seeds, std::span<const std::size_t> variants,
                                 double seconds, const WorkContext& work) {
  const Stopwatch watch;
  num_asked_ += seeds.size() * variants.size();
  // First the pool's part, which all variants share: side by side each would train it.
  MASH_TRY(play_pools(seeds, variants, seconds, work));
  std::atomic<bool> is_late = false;
  MASH_TRY(play_side_by_side(fmt::format("offering {} variants", variants.size()),
                             seeds.size() * variants.size(), work,
                             [&](std::size_t i, const WorkContext& inner) -> Status {
                               OfferSeeds& offers = variants_[variants[i % variants.size()]]->seeds;
                               const std::uint64_t seed = seeds[i / variants.size()];
                               if (watch.seconds() < seconds) return offers.play(seed, inner);
                               if (!offers.find(seed)) is_late = true;
                               return Done{};
                             }));
  return !is_late;
}

Result<VariantLosses> VariantOffers::losses(std::uint64_t seed, std::span<const std::size_t> variants,
                                            std::span<const std::size_t> places, const WorkContext& work) {
  VariantLosses losses;
  losses.after.resize(variants.size());
  std::vector<std::optional<OfferSeeds::Played>> kept(variants.size());
  const auto find = [&](std::size_t i) { kept[i] = variants_[variants[i]]->seeds.find(seed); };
  work.workers.for_each_in_order(variants.size(), find);
  for (std::size_t i = 0; i < variants.size(); ++i) {
    if (kept[i]) continue;
    MASH_TRY(variants_[variants[i]]->seeds.play(seed, work));
    find(i);
  }
  MASH_TRY(work.workers.try_each(variants.size(), work.stop, [&](std::size_t i) -> Status {
    if (!kept[i])
      return failure(
          "offer test: what was kept of seed {} was removed at once, or the disk is full; the same command "
          "makes it again",
          seed);
    losses.after[i] = losses_of(kept[i]->newcomer.treated, places);
    if (i > 0) return Done{};
    losses.before = losses_of(kept[i]->pool.control, places);
    losses.num_wrong = num_mistaken(kept[i]->pool.control, judges_.labels);
    losses.placebo_gain = kept[i]->placebo_gain;
    return Done{};
  }));
  if (work.stop.raised()) return stopped_error();
  return losses;
}

std::vector<double> VariantOffers::losses_of(const JudgedScores& scores,
                                             std::span<const std::size_t> places) const {
  const std::size_t num_classes = dataset_.num_classes();
  std::vector<double> of_places;
  std::vector<std::uint16_t> labels;
  for (const std::size_t place : places) {
    const auto row = scores.begin() + std::ptrdiff_t(place * num_classes);
    of_places.insert(of_places.end(), row, row + std::ptrdiff_t(num_classes));
    labels.push_back(judges_.labels[place]);
  }
  return scaled_log_loss(of_places, labels).losses;
}

std::size_t VariantOffers::num_played() const {
  std::size_t num_played = 0;
  for (const auto& variant : variants_) num_played += variant->seeds.num_played();
  return num_played;
}

}  // namespace mash
