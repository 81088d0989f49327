// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <opencv2/core.hpp>
#include <optional>
#include <string>
#include <vector>

#include "framework/analysis/best_features.hpp"
#include "framework/analysis/mistake_clusters.hpp"
#include "framework/analysis/slices.hpp"
#include "framework/records/trials.hpp"
#include "framework/reports/heuristic_offer.hpp"
#include "framework/reports/heuristic_trial.hpp"
#include "framework/reports/trial_course.hpp"

namespace mash {

// A family in the plane of cost and use.
struct CostPoint {
  std::string name;
  double microseconds_per_image = 0;
  double margin_share = 0;  // of the mean margin, over seeds
  bool is_own = false;
  bool is_on_front = false;  // none is both cheaper and of more use
};
// Sets is_on_front.
void mark_front(std::vector<CostPoint>& points);

// All that is known of a heuristic beside a pool, nothing rendered.
struct HeuristicReport {
  HeuristicTrial trial;
  // Its verdict stands above the trial's; none where there is no pool or too little to judge on.
  std::optional<HeuristicOffer> offer;
  std::vector<CurveBand> with, without;
  std::vector<ConfusedPair> confused_without, confused_with;  // sides of the confusion difference
  std::vector<Mistake> mistakes;                              // of the first seed's model with it
  std::vector<MistakeCluster> clusters;
  std::vector<std::string> family_names;  // of Mistake::shares and cka: all families
  std::vector<SliceGain> slices;
  cv::Mat cka;                            // of all families
  std::vector<std::size_t> own_families;  // the heuristic's, places in family_names
  UseOverRounds use;                      // of the heuristic's families, with it
  std::vector<BestFeature> best_features;
  FeatureUse feature_use;
  std::vector<RobustnessCurve> robustness;
  std::vector<CostPoint> costs;
  std::vector<PastTrial> history;  // oldest first
  std::string plugin, plugin_sha256, dataset_fingerprint, program_version, machine;
  std::vector<std::string> commands;  // that make this again, a line each
};

std::string render_text(const HeuristicReport& report);
nlohmann::ordered_json to_json(const HeuristicReport& report);

}  // namespace mash
