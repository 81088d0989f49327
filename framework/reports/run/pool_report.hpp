// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <opencv2/core.hpp>
#include <string>
#include <vector>

#include "framework/analysis/family_contribution.hpp"
#include "framework/analysis/mistake_clusters.hpp"
#include "framework/render/page.hpp"
#include "framework/reports/cost_point.hpp"
#include "framework/reports/heuristic/offer.hpp"

namespace mash {

// The contributions of the families of a run, nothing rendered.
struct PoolReport {
  PoolContribution pool;
  std::string sampler;  // of the trainings: "laminating, budget 5"
  std::vector<std::string> class_names;
  std::size_t num_test = 0;
  std::string judging_side = "test";         // or "validation": of the test examples
  std::vector<std::string> test_names = {};  // of the test examples (example_names); or none
  // The offer of each family beside the others, in their order; none where that could not be tested.
  std::vector<HeuristicOffer> offers;
  cv::Mat cka;
  std::vector<Mistake> mistakes;  // of the first seed's model of all families
  std::vector<MistakeCluster> clusters;
  std::vector<CostPoint> costs;
  std::vector<std::size_t> uncovered;  // test examples that every family alone gets wrong
  std::vector<std::string> remarks;    // in what these families are not those that it was run with
  std::size_t num_trained = 0, num_found = 0;
  double seconds = 0;
  std::string command;  // that makes this again

  std::vector<std::string> family_names() const;
};

std::string render_text(const PoolReport& report);
nlohmann::ordered_json to_json(const PoolReport& report);
// In the order of their page.
std::vector<page::Section> pool_sections(const PoolReport& report);

}  // namespace mash
