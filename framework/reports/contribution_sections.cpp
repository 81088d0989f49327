// SPDX-License-Identifier: Apache-2.0
#include "framework/reports/contribution_sections.hpp"

#include <algorithm>
#include <cmath>

#include "framework/analysis/linkage.hpp"
#include "framework/render/dendrogram.hpp"
#include "framework/render/forest_plot.hpp"
#include "framework/render/gallery.hpp"
#include "framework/render/scatter_chart.hpp"
#include "framework/render/wording.hpp"

namespace mash::sections {
namespace {

constexpr std::size_t kWorstMistakes = 12;
constexpr std::size_t kFamiliesAgainst = 2, kMembers = 6;
constexpr std::size_t kUncoveredClusters = 3, kUncoveredPairs = 5;
constexpr double kSignificant = 0.05;  // of corrected p-values

// "hog (−0.12) and lbp (−0.05)": those with the most negative shares.
std::string most_against(std::span<const double> shares, std::span<const std::string> family_names) {
  std::vector<std::size_t> families;
  for (std::size_t i = 0; i < std::min(shares.size(), family_names.size()); ++i)
    if (shares[i] < 0) families.push_back(i);
  std::stable_sort(families.begin(), families.end(),
                   [&](std::size_t a, std::size_t b) { return shares[a] < shares[b]; });
  std::string text;
  for (const std::size_t i : std::span(families).first(std::min(families.size(), kFamiliesAgainst)))
    text += fmt::format("{}{} ({})", text.empty() ? "" : " and ", family_names[i], with_minus(shares[i], 3));
  return text.empty() ? "none of the families" : text;
}

GalleryPicture picture_of_mistake(const Mistake& mistake, const Dataset& dataset, Html caption) {
  return {mistake.example_idx,
          fmt::format("Test image {}: true {}, predicted {}", mistake.example_idx,
                      dataset.class_names[mistake.label], dataset.class_names[mistake.predicted]),
          std::move(caption)};
}

Html caption_of(const Mistake& mistake, const Dataset& dataset) {
  return markup("true <b>{}</b>, predicted <b>{}</b>", dataset.class_names[mistake.label],
                dataset.class_names[mistake.predicted]);
}

page::Piece mistake_rows(std::span<const Mistake> mistakes, std::span<const std::string> family_names,
                         const Dataset& dataset, std::string_view caption) {
  Table table;
  table.columns = {{"example", "test row", Format::kCount},
                   {"label", "true", Format::kText},
                   {"said", "predicted", Format::kText},
                   {"margin", "margin", Format::kDecimal},
                   {"against", "most against", Format::kText}};
  for (const Mistake& mistake : mistakes)
    table.rows.push_back({std::int64_t(mistake.example_idx), dataset.class_names[mistake.label],
                          dataset.class_names[mistake.predicted], mistake.margin,
                          most_against(mistake.shares, family_names)});
  return page::table(table, caption);
}

// The medoid first, then the members nearest to it.
std::vector<Mistake> shown_members(const MistakeCluster& cluster, std::span<const Mistake> mistakes) {
  std::vector<Mistake> members{mistakes[cluster.medoid]};
  for (const std::size_t place : cluster.mistakes) {
    if (members.size() == kMembers + 1) break;
    if (place != cluster.medoid) members.push_back(mistakes[place]);
  }
  return members;
}

Result<page::Piece> member_pictures(const std::vector<Mistake>& members, const Dataset& dataset) {
  std::vector<GalleryPicture> pictures;
  for (std::size_t i = 0; i < members.size(); ++i) {
    const Html caption = caption_of(members[i], dataset);
    pictures.push_back(
        picture_of_mistake(members[i], dataset, i == 0 ? markup("The most typical: {}", caption) : caption));
  }
  return gallery(pictures, dataset);
}

std::string slice_range(const SliceGain& slice) {
  return slice.low == 0 && slice.high == 0 ? "" : fmt::format("{:.3g} to {:.3g}", slice.low, slice.high);
}

}  // namespace

page::Piece gain_forest(std::string_view id, std::string_view title, std::span<const Gain> gains) {
  if (gains.empty()) return page::note("No gain was measured.");
  ForestPlot plot;
  plot.id = id;
  plot.title = title;
  plot.x_title = "gain in test error, percentage points (right of 0: better)";
  for (const Gain& gain : gains) {
    ForestRow row{gain.label, in_points(gain.mean), {100 * gain.mean.mean, {}}, {}};
    if (gain.mean.half_width) row.mean.half_width = 100 * *gain.mean.half_width;
    for (const double seed : gain.seeds) row.values.push_back(100 * seed);
    plot.description += fmt::format("{}: {} percentage points. ", row.label, row.text);
    plot.rows.push_back(std::move(row));
  }
  return page::plot(plot_of(plot));
}

page::Piece family_tree(std::string_view id, std::span<const std::string> names, const cv::Mat& cka,
                        std::size_t highlighted) {
  if (names.size() < 2 || cka.empty()) return page::note("There are not two families to compare.");
  return page::plot(dendrogram(id, names, average_linkage(1 - cka), highlighted));
}

page::Piece cost_front(std::string_view id, std::span<const CostPoint> points) {
  if (points.empty()) return page::note("No cost was measured.");
  ScatterChart chart;
  chart.id = id;
  chart.title = "Cost and use of the families";
  chart.x_title = "µs per image";
  chart.y_title = "share of the margin";
  chart.y_format = Format::kPercent;
  std::size_t num_front = 0, num_free = 0;
  for (const CostPoint& point : points) {
    const std::string text =
        fmt::format("{}: {:.1f} µs per image, {} of the margin", point.name, point.microseconds_per_image,
                    show(point.margin_share, Format::kPercent));
    chart.points.push_back({point.microseconds_per_image, point.margin_share, point.name, text, point.is_own,
                            point.is_on_front});
    num_front += point.is_on_front;
    num_free += !(point.microseconds_per_image > 0);
    if (point.is_own || point.is_on_front) chart.description += fmt::format(" {}.", text);
  }
  chart.description = fmt::format("{}, {} of them on the front.{}", counted(points.size(), "point"),
                                  num_front, chart.description);
  page::Piece out = page::plot(plot_of(chart));
  if (num_free > 0)
    out += page::note(fmt::format("{} without a measured cost cannot be drawn on a logarithmic axis.",
                                  counted(num_free, "point")));
  return out;
}

Result<page::Piece> mistake_gallery(std::span<const Mistake> mistakes, std::size_t max_pictures,
                                    std::span<const std::string> family_names, const Dataset& dataset) {
  if (mistakes.empty()) return page::note("No mistake is left.");
  const auto worst = mistakes.first(std::min(mistakes.size(), max_pictures));
  if (dataset.is_table())
    return mistake_rows(worst, family_names, dataset,
                        "The worst mistakes. Rows are counted from 0 in the order of the test side.");
  std::vector<GalleryPicture> pictures;
  for (const Mistake& mistake : worst)
    pictures.push_back(picture_of_mistake(
        mistake, dataset,
        markup("{}, margin {}; most against: {}", caption_of(mistake, dataset), with_minus(mistake.margin, 2),
               most_against(mistake.shares, family_names))));
  return gallery(pictures, dataset);
}

Result<page::Piece> cluster_gallery(std::span<const MistakeCluster> clusters,
                                    std::span<const Mistake> mistakes,
                                    std::span<const std::string> family_names, const Dataset& dataset) {
  if (clusters.empty()) return page::note("There are no clusters of mistakes.");
  page::Piece out;
  for (std::size_t i = 0; i < clusters.size(); ++i) {
    const MistakeCluster& cluster = clusters[i];
    const std::vector<Mistake> members = shown_members(cluster, mistakes);
    out += page::heading(fmt::format("Cluster {}: {}", i + 1, counted(cluster.mistakes.size(), "mistake")));
    out += page::paragraph(
        markup("Most often <b>{}</b> taken for <b>{}</b> ({} of {}); most against the truth: {}.",
               dataset.class_names[cluster.label], dataset.class_names[cluster.predicted], cluster.num_pair,
               cluster.mistakes.size(), most_against(cluster.shares, family_names)));
    if (dataset.is_table()) {
      out +=
          mistake_rows(members, family_names, dataset, fmt::format("Cluster {}, typical rows first", i + 1));
    } else {
      MASH_ASSIGN(const page::Piece pictures, member_pictures(members, dataset));
      out += pictures;
    }
  }
  return out;
}

page::Piece uncovered(std::span<const MistakeCluster> clusters, std::span<const ConfusedPair> pairs,
                      std::span<const std::string> family_names, std::span<const std::string> class_names) {
  if (clusters.empty() && pairs.empty()) return page::note("No mistake is left: nothing is uncovered.");
  std::vector<Html> items;
  for (const MistakeCluster& cluster : clusters.first(std::min(clusters.size(), kUncoveredClusters)))
    items.push_back(markup("{}, mostly <b>{}</b> taken for <b>{}</b>, through {}",
                           counted(cluster.mistakes.size(), "mistake"), class_names[cluster.label],
                           class_names[cluster.predicted], most_against(cluster.shares, family_names)));
  for (const ConfusedPair& pair : pairs.first(std::min(pairs.size(), kUncoveredPairs)))
    items.push_back(markup("<b>{}</b> and <b>{}</b>: {:.1f} mistakes between them, the mean over seeds",
                           class_names[pair.first], class_names[pair.second], pair.num_mistakes));
  return page::list(items);
}

Result<page::Piece> mistakes_and_clusters(std::span<const Mistake> mistakes,
                                          std::span<const MistakeCluster> clusters,
                                          std::span<const std::string> family_names, const Dataset& dataset) {
  MASH_ASSIGN(page::Piece out, mistake_gallery(mistakes, kWorstMistakes, family_names, dataset));
  MASH_ASSIGN(const page::Piece grouped, cluster_gallery(clusters, mistakes, family_names, dataset));
  out += grouped;
  return out;
}

page::Piece slice_table(std::span<const SliceGain> slices) {
  if (slices.empty()) return page::note("No slices were looked at.");
  Table table;
  table.columns = {{"trait", "trait", Format::kText},
                   {"slice", "slice", Format::kText},
                   {"range", "from, to", Format::kText},
                   {"examples", "examples", Format::kCount},
                   {"before", "error without", Format::kPercent},
                   {"after", "error with", Format::kPercent},
                   {"fixed", "fixed", Format::kCount},
                   {"broken", "broken", Format::kCount},
                   {"p_corrected", "corrected p", Format::kDecimal},
                   {"change", "change", Format::kText}};
  for (const SliceGain& slice : slices)
    if (slice.p_corrected < kSignificant)
      table.rows.push_back({slice.trait, slice.slice, slice_range(slice), std::int64_t(slice.num_examples),
                            slice.error_before, slice.error_after, std::int64_t(slice.num_fixed),
                            std::int64_t(slice.num_broken), slice.p_corrected,
                            std::string(slice.num_fixed >= slice.num_broken ? "better" : "worse")});
  const std::size_t num_others = slices.size() - table.rows.size();
  if (table.rows.empty())
    return page::note(fmt::format("{} looked at: none changes beyond chance (corrected p < {}).",
                                  counted(slices.size(), "slice was", "slices were"), kSignificant));
  page::Piece out = page::table(
      table,
      fmt::format("Slices with a corrected p below {}: McNemar's, corrected for all {} slices after Holm "
                  "(1979).",
                  kSignificant, slices.size()));
  if (num_others > 0)
    out += page::note(
        fmt::format("{} no more than by chance.", counted(num_others, "other changes", "others change")));
  return out;
}

}  // namespace mash::sections
