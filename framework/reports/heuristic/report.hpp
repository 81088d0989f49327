// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <opencv2/core.hpp>
#include <string>
#include <vector>

#include "framework/analysis/best_features.hpp"
#include "framework/analysis/example_changes.hpp"
#include "framework/analysis/rival_gains.hpp"
#include "framework/analysis/slices.hpp"
#include "framework/records/offers.hpp"
#include "framework/reports/cost_point.hpp"
#include "framework/reports/heuristic/offer.hpp"

namespace mash {

// One picture's change, of those that judged the offer test.
struct PictureChange {
  std::uint32_t example = 0;  // of the training side
  std::uint16_t label = 0;
  ExampleChange change;
  std::string name = {};  // of its file (example_name), where it may be told
};

// All that is known of a heuristic beside a pool, nothing rendered. Everything follows from its offer test:
// gains are in per cent of the log-loss on the held-out pictures, and the parts of each kind add up.
struct HeuristicReport {
  HeuristicOffer offer;
  std::vector<RivalGain> rivals;
  std::vector<SliceGain> slices;
  std::vector<PictureChange> pictures;  // all of them
  std::vector<std::uint32_t> wins;      // rounds that took each of its features
  std::vector<BestFeature> best_features;
  std::vector<std::string>
      family_names;  // of cka and BestFeature::family_idx: the heuristic's and the pool's
  std::vector<std::size_t> own_families;  // the heuristic's, places in family_names
  cv::Mat cka;                            // of all families
  std::vector<PastOffer> others;          // the same test of other heuristics of the pool
  std::vector<CostPoint> costs;           // use: the gain; of the heuristics that have one
  std::string plugin, dataset_fingerprint, program_version, machine;
  std::vector<std::string> commands;  // that make this again, a line each
};

// The pictures that change most: what it removes of their log-loss, largest first, and what it adds.
struct MostChanged {
  std::vector<PictureChange> better, worse;
};
MostChanged most_changed(const HeuristicReport& report, std::size_t most_each);
// "was taken for 9, is now right (probability of 4: 31 %, now 62 %)".
std::string words_of(const PictureChange& picture, const std::vector<std::string>& class_names);
inline constexpr std::size_t kBuildDigits = 12;  // of a plugin's SHA-256, in tables
// Offer tests by the time of their last look, which the tables show.
std::vector<PastOffer> by_time(std::vector<PastOffer> offers);
// How many of its features were taken at least once.
std::size_t num_used_features(const HeuristicReport& report);

std::string render_text(const HeuristicReport& report);
nlohmann::ordered_json to_json(const HeuristicReport& report);

}  // namespace mash
