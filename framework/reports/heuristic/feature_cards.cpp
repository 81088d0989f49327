// SPDX-License-Identifier: Apache-2.0
#include "framework/reports/heuristic/feature_cards.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "framework/base/statistics.hpp"
#include "framework/render/correlation_map.hpp"
#include "framework/render/histogram_rows.hpp"
#include "framework/render/wording.hpp"

namespace mash::sections {
namespace {

constexpr std::size_t kMaxCards = 4, kMaxHistograms = 10;

std::vector<double> shares_of(std::span<const std::uint32_t> counts) {
  const double sum = std::max(1.0, std::accumulate(counts.begin(), counts.end(), 0.0));
  std::vector<double> shares;
  for (const std::uint32_t count : counts) shares.push_back(double(count) / sum);
  return shares;
}

// The classes whose values differ most from those of all examples, in the order of classes.
std::vector<std::size_t> telling_classes(const std::vector<std::vector<std::uint32_t>>& histograms) {
  std::vector<std::uint32_t> all(histograms.empty() ? 0 : histograms[0].size());
  for (const auto& histogram : histograms)
    for (std::size_t i = 0; i < all.size(); ++i) all[i] += histogram[i];
  std::vector<double> distances;
  for (const auto& histogram : histograms)
    distances.push_back(total_variation(shares_of(histogram), shares_of(all)));
  std::vector<std::size_t> classes(histograms.size());
  std::iota(classes.begin(), classes.end(), 0);
  std::stable_sort(classes.begin(), classes.end(),
                   [&](std::size_t a, std::size_t b) { return distances[a] > distances[b]; });
  classes.resize(std::min(classes.size(), kMaxHistograms));
  std::sort(classes.begin(), classes.end());
  return classes;
}

page::Piece class_histograms(const BestFeature& feature, const std::string& name, std::size_t place,
                             const std::vector<std::string>& class_names) {
  const std::vector<std::size_t> classes = telling_classes(feature.histograms);
  HistogramRows histograms;
  histograms.id = fmt::format("histograms-{}", place);
  histograms.title = fmt::format("Values of {} by class", name);
  histograms.x_title = "low values to high values";
  for (const std::size_t i : classes) {
    histograms.rows.push_back({class_names[i], feature.histograms[i]});
    const auto& counts = feature.histograms[i];
    const auto fullest = std::max_element(counts.begin(), counts.end()) - counts.begin();
    histograms.description +=
        fmt::format("{}: fullest in bin {} of {}. ", class_names[i], fullest + 1, counts.size());
  }
  return page::plot(plot_of(histograms));
}

double largest_correlation(std::span<const BestFeature> features) {
  double largest = 0;
  for (const BestFeature& feature : features)
    for (int y = 0; y < feature.pixels.rows; ++y)
      for (int x = 0; x < feature.pixels.cols; ++x)
        if (const double value = std::abs(double(feature.pixels.at<float>(y, x))); std::isfinite(value))
          largest = std::max(largest, value);
  return largest > 0 ? largest : 1;
}

// "from −0.31 to 0.52, strongest in row 5, column 8".
std::string map_description(const cv::Mat& pixels) {
  double low = 0, high = 0;
  int strongest_x = 0, strongest_y = 0;
  for (int y = 0; y < pixels.rows; ++y)
    for (int x = 0; x < pixels.cols; ++x) {
      const double value = double(pixels.at<float>(y, x));
      if (!std::isfinite(value)) continue;
      if (std::abs(value) > std::max(-low, high)) strongest_x = x, strongest_y = y;
      low = std::min(low, value);
      high = std::max(high, value);
    }
  return fmt::format("from {} to {}, strongest in row {}, column {}", with_minus(low, 2), with_minus(high, 2),
                     strongest_y + 1, strongest_x + 1);
}

Result<page::Piece> feature_card(const BestFeature& feature, const std::string& family, std::size_t place,
                                 const std::vector<std::string>& class_names, double largest) {
  const std::string name = fmt::format("{}, feature {}", family, feature.feature);
  page::Piece out = page::heading(fmt::format("{}. {}", place, name));
  const std::string threshold = std::isinf(feature.threshold)
                                    ? "no threshold helps"
                                    : "threshold " + with_minus(double(feature.threshold), 4);
  out += page::note(
      fmt::format("{}, edge {:.3f}, {}", counted(feature.num_wins, "win"), feature.edge, threshold));
  out += class_histograms(feature, name, place, class_names);
  if (!feature.pixels.empty()) {
    MASH_ASSIGN(const std::string address, correlation_map_uri(feature.pixels, largest));
    const std::string description = map_description(feature.pixels);
    out.html += markup(
        "<figure class=\"map\"><img src=\"{}\" width=\"{}\" height=\"{}\" alt=\"Correlation of {} with each "
        "pixel: {}\">\n<figcaption>Correlation with each pixel: {}</figcaption></figure>\n",
        address, feature.pixels.cols, feature.pixels.rows, name, description, description);
    out.markdown += fmt::format("Correlation with each pixel: {}\n\n", description);
  }
  out.html = markup("<article>\n{}</article>\n", out.html);
  return out;
}

}  // namespace

Result<page::Piece> feature_cards(const HeuristicReport& report) {
  if (report.best_features.empty()) return page::note("No feature has an edge.");
  // Where features hardly ever win, there is little to learn from them.
  const std::size_t num_cards = std::clamp<std::size_t>(num_used_features(report), 1, kMaxCards);
  const std::span<const BestFeature> all = report.best_features;
  const auto shown = all.first(std::min(all.size(), num_cards));
  const double largest = largest_correlation(shown);
  page::Piece out;
  if (report.offer.pictures.class_names.size() > kMaxHistograms)
    out += page::note(fmt::format("Of the {} classes, the {} whose values differ most from all are shown.",
                                  report.offer.pictures.class_names.size(), kMaxHistograms));
  if (!shown.front().pixels.empty())
    out.html += markup("<figure class=\"legend\">{}<figcaption>Colours of all maps.</figcaption></figure>\n",
                       correlation_legend_svg("correlation-legend", largest));
  out.html += markup("<div class=\"cards\">\n");
  for (std::size_t i = 0; i < shown.size(); ++i) {
    MASH_ASSIGN(const page::Piece card, feature_card(shown[i], report.family_names[shown[i].family_idx],
                                                     i + 1, report.offer.pictures.class_names, largest));
    out += card;
  }
  out.html += markup("</div>\n");
  return out;
}

}  // namespace mash::sections
