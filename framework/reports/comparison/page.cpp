// SPDX-License-Identifier: Apache-2.0
#include "framework/reports/comparison/page.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "framework/render/forest_plot.hpp"
#include "framework/render/line_chart.hpp"
#include "framework/render/wording.hpp"
#include "framework/reports/comparison/tables.hpp"
#include "framework/reports/comparison/words.hpp"

namespace mash {
namespace {

// Told apart by those who see no difference of red and green (Okabe & Ito 2008), and on either ground.
constexpr std::array<SeriesLook, kMaxCompared> kLooks{{{"#0072b2", "none"},
                                                       {"#d55e00", "6 4"},
                                                       {"#009e73", "2 4"},
                                                       {"#cc79a7", "10 4"},
                                                       {"#8a6d00", "8 3 2 3"},
                                                       {"#7a7a7a", "1 3"}}};
constexpr std::size_t kMaxBands = 3;  // that can be told apart where they overlap
constexpr double kNameWidth = 84;     // of a series where two stand side by side on a narrow page

std::string series_name(const ComparisonReport& comparison, std::size_t i) {
  if (comparison.size() > 2) return letter_of(i);
  return svg::shortened(fmt::format("{}: {}", letter_of(i), comparison.argument(i)), kNameWidth);
}

// x, y: of a point of a curve.
template <class X, class Y>
LineChart chart_of(const ComparisonReport& comparison, const X& x, const Y& y, Format format) {
  LineChart chart;
  chart.x_scale = Scale::kLog;
  chart.y_format = format;
  for (std::size_t i = 0; i < comparison.sides.size(); ++i) {
    const ComparedSide& side = comparison.sides[i];
    ChartSeries series{series_name(comparison, i), {}};
    const bool is_crowded = comparison.size() > kMaxBands;
    if (is_crowded) series.look = kLooks[i];
    for (const CurvePoint& at : side.curves.empty() ? std::vector<CurvePoint>() : side.curves[0]) {
      const auto values = values_at(side, at.round, y), places = values_at(side, at.round, x);
      if (values.empty()) continue;
      const Estimate mean = estimate(values);
      series.points.push_back({statistics_of(places).mean, mean.mean,
                               fmt::format("{}, round {}: {}", letter_of(i), at.round, show(mean, format)),
                               is_crowded ? 0 : mean.half_width.value_or(0)});
    }
    chart.series.push_back(std::move(series));
  }
  return chart;
}

std::string ends_in_words(const LineChart& chart) {
  std::vector<std::string> ends;
  for (const ChartSeries& series : chart.series)
    if (!series.points.empty())
      ends.push_back(fmt::format("{} ends at {}", series.name, show(series.points.back().y, chart.y_format)));
  return fmt::format("{}.", fmt::join(ends, "; "));
}

page::Piece curves(const ComparisonReport& comparison) {
  const auto round = [](const CurvePoint& point) { return point.round; };
  const auto cost = [](const CurvePoint& point) { return 1e-6 * double(point.cost); };
  const auto error = [](const CurvePoint& point) { return point.test_error; };
  const auto loss = [](const CurvePoint& point) { return point.train_loss_log10; };
  LineChart by_round = chart_of(comparison, round, error, Format::kPercent),
            by_cost = chart_of(comparison, cost, error, Format::kPercent),
            of_loss = chart_of(comparison, round, loss, Format::kDecimal);
  const std::string error_name = capitalized(comparison.error_name());
  by_round.y_from_zero = by_cost.y_from_zero = true;
  by_round.id = "error-by-round", by_round.title = error_name + " by round", by_round.x_title = "round";
  by_cost.id = "error-by-cost", by_cost.title = error_name + " by cost", by_cost.x_title = "cost, millions";
  of_loss.id = "loss-by-round", of_loss.title = "Training loss, log10", of_loss.x_title = "round";
  std::vector<Plot> plots;
  for (LineChart* chart : {&by_round, &by_cost, &of_loss}) {
    chart->description = ends_in_words(*chart);
    plots.push_back(plot_of(*chart));
  }
  page::Piece out = page::note(
      "Means over the runs; a band is their 95 % interval, of up to three sides. Cost: features × examples "
      "that were looked at.");
  out += page::plots(plots);
  return out;
}

bool has_curves(const ComparisonReport& comparison) {
  return std::any_of(comparison.sides.begin(), comparison.sides.end(), [](const ComparedSide& side) {
    return !side.curves.empty() && !side.curves[0].empty();
  });
}

Estimate middle(double low, double high) { return {(low + high) / 2, (high - low) / 2}; }

// Gains and their differences below each other.
page::Piece gains(const ComparisonReport& comparison) {
  ForestPlot plot;
  plot.id = "gains";
  plot.title = "Gains and their differences";
  plot.description = "The gain of each version, then how those of two differ, each with its interval.";
  plot.x_title = "gain, % of the log-loss";
  plot.kinds = ForestKinds{"what", "gain", "difference of gains"};
  for (std::size_t i = 0; i < comparison.offers.size(); ++i) {
    const OfferRow& row = comparison.offers[i].offer.past.offer;
    ForestRow& shown = plot.rows.emplace_back();
    shown.label = fmt::format("{}: {}", letter_of(i), comparison.argument(i));
    shown.text =
        fmt::format("{} ({} to {})", with_sign(row.gain, 2), with_sign(row.low, 2), with_sign(row.high, 2));
    shown.mean = middle(row.low, row.high);
    for (const OfferSeed& seed : comparison.offers[i].details.seeds) shown.values.push_back(seed.gain);
  }
  for (const ComparedPair& pair : comparison.pairs) {
    const auto& difference = pair.shown;
    if (!difference) continue;
    ForestRow& shown = plot.rows.emplace_back();
    shown.label = name_of(pair);
    shown.text =
        fmt::format("{} ({})", with_sign(difference->mean, 2), interval_in_words(comparison, *difference));
    shown.mean = {difference->mean, std::nullopt};
    if (difference->interval) shown.mean = middle(difference->interval->low, difference->interval->high);
    shown.is_own = shown.is_hollow = true;
  }
  page::Piece out = page::note(
      "A square is a gain, its line the interval in which the true one lies, its dots the seeds; right of "
      "0 is better. Hollow: the difference of two, on the same seeds and examples.");
  out += page::plot(plot_of(plot));
  return out;
}

page::Piece findings(const ComparisonReport& comparison) {
  page::Piece out;
  for (const ComparedPair& pair : comparison.pairs) {
    const std::string sentences = sentences_of(comparison, pair);
    if (comparison.size() > 2) {
      out += page::paragraph(markup("{}", sentences));
      continue;
    }
    const std::size_t end = std::min(sentences.find(". "), sentences.size() - 1) + 1;
    out += page::headline(sentences.substr(0, end), pair.is_told_apart() ? "good" : "open");
    if (end < sentences.size()) out += page::paragraph(markup("{}", sentences.substr(end + 1)));
  }
  for (const std::string& remark : comparison.remarks) out += page::note(remark);
  if (!comparison.command.empty()) {
    out += page::paragraph(markup("What is missing is made by:"));
    out += page::code("Command", comparison.command);
  }
  std::vector<Html> items;
  for (std::size_t i = 0; i < comparison.size(); ++i)
    items.push_back(markup("<b>{}</b> is {}", letter_of(i), side_line(comparison, i)));
  out += page::list(items);
  return out;
}

page::Piece differences(const ComparisonReport& comparison) {
  std::vector<std::size_t> marked;
  std::size_t row = 0;
  for (const ComparedPair& pair : comparison.pairs) {
    if (!pair.shown) continue;
    if (pair.is_told_apart()) marked.push_back(row);
    ++row;
  }
  const Table table = pairs_table(comparison);
  if (table.rows.empty()) return page::note("No two of them could be looked at on the same examples.");
  return page::table(
      table,
      fmt::format(
          "Differences in {}. The interval and p are those of what the test speaks of. Both are corrected "
          "for all pairs (Holm): the interval leaves out 0 where p is below 0.05, and is one of 95 % where "
          "there is one pair. Would be seen from: a true difference of this size is told from none "
          "in four of five comparisons like this one.",
          comparison.is_of_offers() ? "per cent of the log-loss" : "points of " + comparison.error_name()),
      marked);
}

page::Piece classes(const ComparisonReport& comparison) {
  std::vector<std::size_t> marked;
  for (std::size_t c = 0; c < comparison.classes.size(); ++c)
    for (const ClassDifference& other : comparison.classes[c].differences)
      if (other.p_corrected && *other.p_corrected < kCertain && (marked.empty() || marked.back() != c))
        marked.push_back(c);
  return page::table(
      classes_table(comparison),
      fmt::format("{} Marked: p is below 0.05 after a correction for all classes (Holm), and the interval, "
                  "which is corrected alike, leaves out 0.",
                  comparison.is_of_offers()
                      ? "What the examples of each class have of the difference of gains: they add up to it."
                      : fmt::format("{}s by class; differences from A in points, with their intervals.",
                                    capitalized(comparison.error_name()))),
      marked);
}

page::Piece settings(const ComparisonReport& comparison) {
  const Table differing = settings_table(comparison, false);
  if (differing.rows.empty()) return page::note(differing.hint);
  return page::table(differing, "Settings that differ. A dash: nothing was said, so that the default holds.");
}

std::string heading_of(const ComparisonReport& comparison) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < comparison.size(); ++i) names.push_back(comparison.argument(i));
  return fmt::format("Comparison of {}", fmt::join(names, ", "));
}

}  // namespace

page::Piece comparison_page(const ComparisonReport& comparison, std::string_view program_version) {
  std::vector<page::Section> sections{{"findings", "What is known", findings(comparison)}};
  if (comparison.is_of_offers()) sections.push_back({"gains", "Gains", gains(comparison)});
  sections.push_back({"settings", "Settings that differ", settings(comparison)});
  sections.push_back(
      {"results", "Results",
       page::table(results_table(comparison), comparison.is_of_offers() ? "What each offer test found."
                                                                        : "Means over runs. sd: the standard "
                                                                          "deviation over them.")});
  sections.push_back({"differences", "Differences", differences(comparison)});
  if (has_curves(comparison)) sections.push_back({"curves", "Curves", curves(comparison)});
  if (!comparison.classes.empty()) sections.push_back({"classes", "Classes", classes(comparison)});
  if (const Table families = families_table(comparison); !families.rows.empty())
    sections.push_back({"families", "Families used",
                        page::table(families,
                                    "Share of α: of the sum of all votes' weights. Cuts: features "
                                    "that were compared with a threshold."),
                        true});
  sections.push_back({"all-settings", "All settings",
                      page::table(settings_table(comparison, true), "What was set or is known beforehand."),
                      true});
  return page::page(heading_of(comparison),
                    markup("What differs in settings and results, and whether that is chance"), sections,
                    program_version);
}

}  // namespace mash
