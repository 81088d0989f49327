// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "framework/base/result.hpp"
#include "framework/dataset/dataset.hpp"
#include "framework/render/page.hpp"
#include "framework/reports/heuristic_report.hpp"

// What the pages of a heuristic and of a whole pool show alike. id: of the picture within its page. Where
// there is nothing to show, each says so in a sentence.
namespace mash::sections {

// A difference of test errors, a fraction; positive: better.
struct Gain {
  std::string label;
  Estimate mean;
  std::vector<double> seeds;  // one each; may be empty
};
page::Piece gain_forest(std::string_view id, std::string_view title, std::span<const Gain> gains);

// The families joined by average_linkage of 1 - CKA. highlighted: one of them; names.size() for none.
page::Piece family_tree(std::string_view id, std::span<const std::string> names, const cv::Mat& cka,
                        std::size_t highlighted);

// Cost against use.
page::Piece cost_front(std::string_view id, std::span<const CostPoint> points);

// The first max_pictures mistakes, with whose votes they are; rows of a table where the data are one.
// family_names: of Mistake::shares. dataset: whose test side the examples are of.
Result<page::Piece> mistake_gallery(std::span<const Mistake> mistakes, std::size_t max_pictures,
                                    std::span<const std::string> family_names, const Dataset& dataset);

// Every cluster: its medoid, what it is, who votes against, and a few members. Headings are <h3>.
Result<page::Piece> cluster_gallery(std::span<const MistakeCluster> clusters,
                                    std::span<const Mistake> mistakes,
                                    std::span<const std::string> family_names, const Dataset& dataset);

// What all families together miss: the largest clusters and the pairs of classes with most mistakes.
page::Piece uncovered(std::span<const MistakeCluster> clusters, std::span<const ConfusedPair> pairs,
                      std::span<const std::string> family_names, std::span<const std::string> class_names);

// The twelve worst mistakes, then the clusters.
Result<page::Piece> mistakes_and_clusters(std::span<const Mistake> mistakes,
                                          std::span<const MistakeCluster> clusters,
                                          std::span<const std::string> family_names, const Dataset& dataset);

// Those that change beyond chance, and how many do not.
page::Piece slice_table(std::span<const SliceGain> slices);

}  // namespace mash::sections
