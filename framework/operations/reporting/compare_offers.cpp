// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/reporting/compare_offers.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

namespace mash {
namespace {

constexpr std::size_t kSeedsToCompare = 2;

bool has_details(const KeptOffer& offer) { return offer.num_detailed >= kSeedsToCompare; }
bool is_comparable(const KeptOffer& a, const KeptOffer& b) { return differences_of_ground(a, b).empty(); }

// All offer tests of a version on the data set of this name.
Result<std::vector<KeptOffer>> offers_on(const RecordsReader& records, const std::string& what,
                                         const std::string& dataset) {
  const std::size_t at = what.rfind('@');
  MASH_ASSIGN(std::vector<KeptOffer> offers,
              offers_of_version(records, what.substr(0, at), what.substr(at + 1)));
  if (dataset.empty()) return offers;
  std::set<std::string> known;
  for (const KeptOffer& offer : offers) known.insert(offer.past.offer.dataset);
  std::erase_if(offers, [&](const KeptOffer& offer) { return offer.past.offer.dataset != dataset; });
  if (offers.empty())
    return input_error("{}: no offer test on the data set {} is recorded; those that are: {}", what, dataset,
                       fmt::join(known, ", "));
  return offers;
}

// The one that can be compared with `first`: with details before others, then the latest. Null: none can.
const KeptOffer* partner_of(const KeptOffer& first, const std::vector<KeptOffer>& offers) {
  const KeptOffer* found = nullptr;
  for (const KeptOffer& offer : offers)
    if (is_comparable(first, offer) && (found == nullptr || (!has_details(*found) && has_details(offer))))
      found = &offer;
  return found;
}

// One of each version; the latest of each where none are comparable.
std::vector<KeptOffer> choose(const std::vector<std::vector<KeptOffer>>& of_versions) {
  std::vector<KeptOffer> best;
  for (const KeptOffer& first : of_versions[0]) {
    std::vector<KeptOffer> chosen;
    for (const auto& offers : of_versions)
      if (const KeptOffer* partner = partner_of(first, offers)) chosen.push_back(*partner);
    if (chosen.size() < of_versions.size()) continue;
    chosen[0] = first;
    if (std::all_of(chosen.begin(), chosen.end(), has_details)) return chosen;
    if (best.empty()) best = std::move(chosen);
  }
  if (best.empty())
    for (const auto& offers : of_versions) best.push_back(offers[0]);
  return best;
}

KnownSettings settings_of_offer(const KeptOffer& offer, const OfferDetails& details) {
  const OfferRow& row = offer.past.offer;
  std::vector<std::uint64_t> seeds;
  for (const OfferSeed& seed : details.seeds) seeds.push_back(seed.seed);
  return {{"heuristic", row.heuristic},
          {"version", row.version},
          {"settings", row.settings.empty() ? "none" : row.settings},
          {"build", row.plugin_sha256.substr(0, 16)},
          {"data", row.dataset},
          {"data fingerprint", row.dataset_fingerprint.substr(0, 16)},
          {"judged by", row.side},
          {"experiment of the pool", row.experiment},
          {"pool", fmt::format("{}", fmt::join(row.pool, ", "))},
          {"base of the pool", row.base},
          {"trained by", row.trained_by},
          {"seeds", fmt::format("{} from {}", row.num_seeds, row.first_seed)},
          {"seeds with recorded losses", std::to_string(seeds.size())}};
}

// Builds and settings of a version between which was chosen.
void tell_others(const std::string& what, const std::vector<KeptOffer>& offers, const KeptOffer& chosen,
                 std::vector<std::string>& remarks) {
  std::set<std::pair<std::string, std::string>> builds;
  for (const KeptOffer& offer : offers)
    if (is_comparable(offer, chosen))
      builds.emplace(offer.past.offer.plugin_sha256, offer.past.offer.settings);
  if (builds.size() > 1)
    remarks.push_back(
        fmt::format("{} was tried as {} builds or settings; the one shown is build {}, settings: {}.", what,
                    builds.size(), chosen.past.offer.plugin_sha256.substr(0, 16),
                    chosen.past.offer.settings.empty() ? "none" : chosen.past.offer.settings));
}

}  // namespace

Result<std::vector<ComparedOffer>> offers_of_versions(const RecordsReader& records,
                                                      const std::vector<std::string>& what,
                                                      const std::string& dataset,
                                                      std::vector<std::string>& remarks) {
  std::vector<std::vector<KeptOffer>> of_versions;
  for (const std::string& each : what) {
    MASH_ASSIGN(std::vector<KeptOffer> offers, offers_on(records, each, dataset));
    of_versions.push_back(std::move(offers));
  }
  const std::vector<KeptOffer> chosen = choose(of_versions);
  std::vector<ComparedOffer> offers;
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    MASH_ASSIGN(OfferDetails details, read_offer_details(records, chosen[i].id));
    KnownSettings settings = settings_of_offer(chosen[i], details);
    tell_others(what[i], of_versions[i], chosen[i], remarks);
    offers.push_back({what[i], chosen[i], std::move(details), std::move(settings)});
  }
  return offers;
}

}  // namespace mash
