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

Html mistake_rows(std::span<const Mistake> mistakes, std::span<const std::string> family_names,
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
  return html_table(table, caption);
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

Result<Html> member_pictures(const std::vector<Mistake>& members, const Dataset& dataset) {
  std::vector<GalleryPicture> pictures;
  for (std::size_t i = 0; i < members.size(); ++i) {
    const Html caption = caption_of(members[i], dataset);
    pictures.push_back(
        picture_of_mistake(members[i], dataset, i == 0 ? markup("The most typical: {}", caption) : caption));
  }
  return gallery(pictures, dataset);
}

Html front_table(std::span<const CostPoint> points) {
  std::vector<CostPoint> shown;
  for (const CostPoint& point : points)
    if (point.is_on_front || point.is_own) shown.push_back(point);
  std::stable_sort(shown.begin(), shown.end(), [](const CostPoint& a, const CostPoint& b) {
    return a.microseconds_per_image < b.microseconds_per_image;
  });
  Table table;
  table.columns = {{"family", "family", Format::kText},
                   {"seconds", "µs per image", Format::kMicroseconds},
                   {"share", "share of margin", Format::kPercent},
                   {"front", "on the front", Format::kText}};
  for (const CostPoint& point : shown)
    table.rows.push_back({point.name, 1e-6 * point.microseconds_per_image, point.margin_share,
                          std::string(point.is_on_front ? "yes" : "no")});
  return html_table(table, fmt::format("The front, of {}", counted(points.size(), "point")));
}

std::string slice_range(const SliceGain& slice) {
  return slice.low == 0 && slice.high == 0 ? "" : fmt::format("{:.3g} to {:.3g}", slice.low, slice.high);
}

std::string slice_change(const SliceGain& slice) {
  if (slice.p_corrected >= kSignificant) return "";
  return slice.num_fixed >= slice.num_broken ? "better" : "worse";
}

}  // namespace

Html gain_forest(std::string_view id, std::string_view title, std::span<const Gain> gains) {
  if (gains.empty()) return html_note("No gain was measured.");
  ForestPlot plot;
  plot.id = id;
  plot.title = title;
  plot.x_title = "gain in test error, percentage points (right of the zero line: better)";
  for (const Gain& gain : gains) {
    ForestRow row{gain.label, in_points(gain.mean), {100 * gain.mean.mean, {}}, {}};
    if (gain.mean.half_width) row.mean.half_width = 100 * *gain.mean.half_width;
    for (const double seed : gain.seeds) row.values.push_back(100 * seed);
    plot.description += fmt::format("{}: {} percentage points. ", row.label, row.text);
    plot.rows.push_back(std::move(row));
  }
  return html_panel(title, forest_plot_svg(plot));
}

Html family_tree(std::string_view id, std::span<const std::string> names, const cv::Mat& cka,
                 std::size_t highlighted) {
  if (names.size() < 2 || cka.empty()) return html_note("There are not two families to compare.");
  const std::vector<Merge> merges = average_linkage(1 - cka);
  return html_panel("Families by likeness", dendrogram_svg(id, names, merges, highlighted));
}

Html cost_front(std::string_view id, std::span<const CostPoint> points) {
  if (points.empty()) return html_note("No cost was measured.");
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
    if (point.is_own) chart.description += fmt::format(" {}.", text);
  }
  chart.description = fmt::format("{}, {} of them on the front; the table below has them.{}",
                                  counted(points.size(), "point"), num_front, chart.description);
  Html out = html_panel(chart.title, scatter_chart_svg(chart));
  if (num_free > 0)
    out += html_note(fmt::format("{} without a measured cost cannot be drawn on a logarithmic axis.",
                                 counted(num_free, "point")));
  out += front_table(points);
  return out;
}

Result<Html> mistake_gallery(std::span<const Mistake> mistakes, std::size_t max_pictures,
                             std::span<const std::string> family_names, const Dataset& dataset) {
  if (mistakes.empty()) return html_note("No mistake is left.");
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

Result<Html> cluster_gallery(std::span<const MistakeCluster> clusters, std::span<const Mistake> mistakes,
                             std::span<const std::string> family_names, const Dataset& dataset) {
  if (clusters.empty()) return html_note("There are no clusters of mistakes.");
  Html out;
  for (std::size_t i = 0; i < clusters.size(); ++i) {
    const MistakeCluster& cluster = clusters[i];
    const std::vector<Mistake> members = shown_members(cluster, mistakes);
    out += markup("<h3>Cluster {}: {}</h3>\n", i + 1, counted(cluster.mistakes.size(), "mistake"));
    out += markup("<p>Most often <b>{}</b> taken for <b>{}</b> ({} of {}); most against the truth: {}.</p>\n",
                  dataset.class_names[cluster.label], dataset.class_names[cluster.predicted],
                  cluster.num_pair, cluster.mistakes.size(), most_against(cluster.shares, family_names));
    if (dataset.is_table()) {
      out +=
          mistake_rows(members, family_names, dataset, fmt::format("Cluster {}, typical rows first", i + 1));
    } else {
      MASH_ASSIGN(const Html pictures, member_pictures(members, dataset));
      out += pictures;
    }
  }
  return out;
}

Html uncovered(std::span<const MistakeCluster> clusters, std::span<const ConfusedPair> pairs,
               std::span<const std::string> family_names, std::span<const std::string> class_names) {
  if (clusters.empty() && pairs.empty()) return html_note("No mistake is left: nothing is uncovered.");
  Html items;
  for (const MistakeCluster& cluster : clusters.first(std::min(clusters.size(), kUncoveredClusters)))
    items += markup("<li>{}, mostly <b>{}</b> taken for <b>{}</b>, through {}</li>\n",
                    counted(cluster.mistakes.size(), "mistake"), class_names[cluster.label],
                    class_names[cluster.predicted], most_against(cluster.shares, family_names));
  for (const ConfusedPair& pair : pairs.first(std::min(pairs.size(), kUncoveredPairs)))
    items += markup("<li><b>{}</b> and <b>{}</b>: {:.1f} mistakes between them, the mean over seeds</li>\n",
                    class_names[pair.first], class_names[pair.second], pair.num_mistakes);
  return markup("<ul>\n{}</ul>\n", items);
}

Result<Html> mistakes_and_clusters(std::span<const Mistake> mistakes,
                                   std::span<const MistakeCluster> clusters,
                                   std::span<const std::string> family_names, const Dataset& dataset) {
  MASH_ASSIGN(Html out, mistake_gallery(mistakes, kWorstMistakes, family_names, dataset));
  MASH_ASSIGN(const Html grouped, cluster_gallery(clusters, mistakes, family_names, dataset));
  out += grouped;
  return out;
}

Html slice_table(std::span<const SliceGain> slices) {
  if (slices.empty()) return html_note("No slices were looked at.");
  Table table;
  table.columns = {{"trait", "trait", Format::kText},
                   {"slice", "slice", Format::kText},
                   {"range", "from, to", Format::kText},
                   {"examples", "examples", Format::kCount},
                   {"before", "error without", Format::kPercent},
                   {"after", "error with", Format::kPercent},
                   {"fixed", "fixed", Format::kCount},
                   {"broken", "broken", Format::kCount},
                   {"p", "p", Format::kDecimal},
                   {"p_corrected", "corrected p", Format::kDecimal},
                   {"change", "change", Format::kText}};
  std::vector<std::size_t> marked;
  for (const SliceGain& slice : slices) {
    if (slice.p_corrected < kSignificant) marked.push_back(table.rows.size());
    table.rows.push_back({slice.trait, slice.slice, slice_range(slice), std::int64_t(slice.num_examples),
                          slice.error_before, slice.error_after, std::int64_t(slice.num_fixed),
                          std::int64_t(slice.num_broken), slice.p_mid, slice.p_corrected,
                          slice_change(slice)});
  }
  Html out = html_table(
      table,
      fmt::format(
          "{}, {} of them with a corrected p below {}: these are marked, and the last column says "
          "whether they get better or worse. p: McNemar's; corrected for all slices after Holm (1979).",
          counted(slices.size(), "slice"), marked.size(), kSignificant),
      marked);
  return out;
}

}  // namespace mash::sections
