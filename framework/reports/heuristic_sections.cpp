// SPDX-License-Identifier: Apache-2.0
#include "framework/reports/heuristic_sections.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "framework/render/bar_chart.hpp"
#include "framework/render/class_matrix.hpp"
#include "framework/render/gallery.hpp"
#include "framework/render/line_chart.hpp"
#include "framework/render/wording.hpp"
#include "framework/reports/contribution_sections.hpp"

namespace mash::sections {
namespace {

constexpr std::size_t kMaxPictures = 24;
constexpr std::size_t kMaxMatrixClasses = 20, kMaxPairs = 30;
constexpr std::size_t kMaxNeighbours = 10;
constexpr std::size_t kFavourites = 10;  // the most cut features

std::string percent(const Estimate& value) { return show(value, Format::kPercent); }

const NewcomerContribution& contribution_of(const HeuristicReport& report) {
  return report.trial.contribution;
}

// At most kMaxPictures, in equal steps: the first ones may all be of one class.
std::vector<std::size_t> spread(const std::vector<std::size_t>& examples) {
  const std::size_t num_shown = std::min(examples.size(), kMaxPictures);
  std::vector<std::size_t> shown;
  for (std::size_t i = 0; i < num_shown; ++i) shown.push_back(examples[i * examples.size() / num_shown]);
  return shown;
}

Result<Html> changed(const std::vector<std::size_t>& examples, std::string_view word,
                     const Dataset& dataset) {
  const auto class_of = [&](std::size_t i) { return dataset.class_names[dataset.test.labels[i]]; };
  Html out = markup("<h3>{}: {}</h3>\n", word, examples.size());
  if (examples.empty()) {
    out += html_note("No test example.");
    return out;
  }
  const std::vector<std::size_t> shown = spread(examples);
  if (shown.size() < examples.size())
    out += html_note(fmt::format("{} of {} are shown, in equal steps.", shown.size(), examples.size()));
  if (dataset.is_table()) {
    Table table;
    table.columns = {{"example", "test row", Format::kCount}, {"label", "true", Format::kText}};
    for (const std::size_t i : shown) table.rows.push_back({std::int64_t(i), class_of(i)});
    out += html_table(table, fmt::format("{}. Rows are counted from 0 in the order of the test side.", word));
    return out;
  }
  std::vector<GalleryPicture> pictures;
  for (const std::size_t i : shown)
    pictures.push_back({i, fmt::format("{}: test image {}, true {}", word, i, class_of(i)),
                        markup("true <b>{}</b>", class_of(i))});
  MASH_ASSIGN(const Html all, gallery(pictures, dataset));
  out += all;
  return out;
}

ChartSeries band_series(std::string name, const std::vector<CurveBand>& curve, std::uint32_t from) {
  ChartSeries series{std::move(name), {}};
  for (const CurveBand& point : curve) {
    if (point.round < from) continue;
    series.points.push_back(
        {double(point.round), point.test_error.mean,
         fmt::format("round {}: {} {}", point.round, series.name, percent(point.test_error)),
         point.test_error.half_width.value_or(0)});
  }
  return series;
}

LineChart curve_chart(const HeuristicReport& report, std::string id, std::string title, std::uint32_t from) {
  LineChart chart;
  chart.id = std::move(id);
  chart.title = std::move(title);
  chart.x_title = "round";
  chart.y_format = Format::kPercent;
  chart.series = {band_series("with it", report.with, from), band_series("without it", report.without, from)};
  for (const ChartSeries& series : chart.series)
    if (!series.points.empty())
      chart.description +=
          fmt::format("The test error {} ends at {} after round {}. ", series.name,
                      show(series.points.back().y, Format::kPercent), series.points.back().x);
  return chart;
}

struct PairChange {
  double before = 0, after = 0;  // mistakes, means over seeds
  double change() const { return after - before; }
};
using PairChanges = std::map<std::pair<std::size_t, std::size_t>, PairChange>;

PairChanges pair_changes(const HeuristicReport& report) {
  PairChanges changes;
  for (const ConfusedPair& pair : report.confused_without)
    changes[{pair.first, pair.second}].before = pair.num_mistakes;
  for (const ConfusedPair& pair : report.confused_with)
    changes[{pair.first, pair.second}].after = pair.num_mistakes;
  return changes;
}

Html change_cell(double change, double largest) {
  if (change == 0) return markup("<td class=\"none\">·</td>");
  return markup("<td class=\"{}\" style=\"--share:{:.2f}\">{}</td>", change < 0 ? "less" : "more",
                std::abs(change) / largest, with_sign(change, 1));
}

// Each pair once, below the diagonal.
Html change_matrix(const PairChanges& changes, const std::vector<std::string>& class_names) {
  double largest = 0;
  for (const auto& [pair, change] : changes) largest = std::max(largest, std::abs(change.change()));
  const auto row_cells = [&](std::size_t row) {
    Html cells;
    for (std::size_t column = 0; column < class_names.size(); ++column) {
      if (column >= row) {
        cells += markup("<td class=\"unused\"></td>");
        continue;
      }
      const auto found = changes.find({column, row});
      cells += change_cell(found == changes.end() ? 0 : found->second.change(), largest);
    }
    return cells;
  };
  return class_matrix(
      "Mistakes between two classes, both ways, with it less without it. Means over seeds; each pair stands "
      "once.",
      class_names, "", row_cells);
}

Html change_pairs(const PairChanges& changes, const std::vector<std::string>& class_names) {
  std::vector<std::pair<std::pair<std::size_t, std::size_t>, PairChange>> pairs(changes.begin(),
                                                                                changes.end());
  std::stable_sort(pairs.begin(), pairs.end(), [](const auto& a, const auto& b) {
    return std::abs(a.second.change()) > std::abs(b.second.change());
  });
  pairs.resize(std::min(pairs.size(), kMaxPairs));
  Table table;
  table.columns = {{"first", "class", Format::kText},
                   {"second", "and class", Format::kText},
                   {"before", "without", Format::kDecimal},
                   {"after", "with", Format::kDecimal},
                   {"change", "difference", Format::kText}};
  for (const auto& [pair, change] : pairs)
    table.rows.push_back({class_names[pair.first], class_names[pair.second], change.before, change.after,
                          with_sign(change.change(), 1)});
  return html_table(
      table, fmt::format("The pairs that change most, of {} classes. Mistakes both ways, means over seeds.",
                         class_names.size()));
}

Html neighbour_table(const NewcomerContribution& contribution) {
  const auto& neighbours = contribution.family.neighbours;
  Table table;
  table.columns = {{"family", "family", Format::kText},
                   {"cka", "CKA", Format::kDecimal},
                   {"explained_by", "it explains of this one", Format::kPercent},
                   {"explains", "this one explains of it", Format::kPercent}};
  for (std::size_t i = 0; i < std::min(neighbours.size(), kMaxNeighbours); ++i)
    table.rows.push_back({contribution.names[neighbours[i].family_idx], neighbours[i].cka,
                          neighbours[i].explained_by, neighbours[i].explains});
  return html_table(table,
                    fmt::format("The nearest families, of {}. CKA: 1 for equal spaces, 0 for unrelated ones; "
                                "explained: R² of a ridge regression on examples that it has not seen.",
                                neighbours.size()));
}

LineChart use_chart(const std::vector<RoundUse>& rounds) {
  ChartSeries chosen{"share of cuts", {}}, alpha{"share of votes", {}};
  for (const RoundUse& use : rounds) {
    const auto add = [&](ChartSeries& series, double value) {
      const std::string hover = fmt::format("rounds {} to {}: {} {}", use.first, use.last, series.name,
                                            show(value, Format::kPercent));
      series.points.push_back({(double(use.first) + double(use.last)) / 2, value, hover});
    };
    add(chosen, use.chosen);
    add(alpha, use.alpha);
  }
  LineChart chart;
  chart.id = "use-chart";
  chart.title = "Use over the rounds";
  chart.x_title = "round";
  chart.y_format = Format::kPercent;
  chart.y_from_zero = true;
  chart.description =
      fmt::format("Its share of the cuts goes from {} in rounds {} to {} to {} in rounds {} to {}.",
                  show(rounds.front().chosen, Format::kPercent), rounds.front().first, rounds.front().last,
                  show(rounds.back().chosen, Format::kPercent), rounds.back().first, rounds.back().last);
  chart.series = {std::move(chosen), std::move(alpha)};
  return chart;
}

LineChart robustness_chart(const RobustnessCurve& curve, std::size_t place) {
  ChartSeries with{"with it", {}}, without{"without it", {}};
  const auto hover = [&](const RobustnessPoint& point, double error) {
    return fmt::format("{:g} {}: {}", point.amount, curve.unit, show(error, Format::kPercent));
  };
  for (const RobustnessPoint& point : curve.points) {
    with.points.push_back({point.amount, point.error_with, hover(point, point.error_with)});
    without.points.push_back({point.amount, point.error_without, hover(point, point.error_without)});
  }
  LineChart chart;
  chart.id = fmt::format("robustness-{}", place);
  chart.title = curve.kind;
  chart.x_title = curve.unit;
  chart.y_format = Format::kPercent;
  chart.y_from_zero = true;
  for (const RobustnessPoint& point : curve.points)
    chart.description +=
        fmt::format("At {:g} {} the test error is {} with it, {} without it. ", point.amount, curve.unit,
                    show(point.error_with, Format::kPercent), show(point.error_without, Format::kPercent));
  chart.series = {std::move(with), std::move(without)};
  return chart;
}

// "−0.10 ± 0.02 (standard error)".
std::string with_standard_error(double mean, double standard_error) {
  return fmt::format("{} ± {:.2f} points (standard error)", with_sign(100 * mean, 2), 100 * standard_error);
}

}  // namespace

Html key_figures(const HeuristicReport& report) {
  const NewcomerContribution& contribution = contribution_of(report);
  const FamilyContribution& family = contribution.family;
  Html out = markup("<dl class=\"figures\">\n");
  out += html_figure("Gain when added", in_points(family.added.gain), "percentage points of test error");
  out += html_figure("Test error with it", percent(contribution.with_error),
                     fmt::format("without it {}", percent(contribution.pool_error)));
  out +=
      html_figure("Pictures", fmt::format("+{} −{}", family.added.fixed.size(), family.added.broken.size()),
                  fmt::format("fixed and broken, {}", p_wording(family.added.examples.p_mid)));
  out += html_figure("Test error alone", percent(family.alone_error),
                     fmt::format("always answering the most frequent class: {}",
                                 show(contribution.constant_error, Format::kPercent)));
  out += html_figure(
      "Share of margin", percent(family.margin_share),
      fmt::format("an equal share: {}", show(1.0 / double(contribution.names.size() + 1), Format::kPercent)));
  const bool has_neighbour = !family.neighbours.empty();
  out +=
      html_figure("Nearest family", has_neighbour ? fmt::format("CKA {:.2f}", family.neighbours[0].cka) : "–",
                  has_neighbour ? contribution.names[family.neighbours[0].family_idx] : "the pool is empty");
  out += html_figure("Cost", fmt::format("{:.1f} µs", family.cost.microseconds_per_image),
                     "per image, one thread");
  out += html_figure("Features used",
                     fmt::format("{} of {}", report.feature_use.num_used, report.feature_use.num_features),
                     "cut by at least one model");
  out += markup("</dl>\n");
  return out;
}

Html verdict_lines(const HeuristicReport& report) {
  Html items;
  for (const std::string& line : verdict(report.trial)) items += markup("<li>{}</li>\n", line);
  return markup("<ul class=\"verdict\">\n{}</ul>\n<p><b>Next:</b> {}</p>\n", items, advice(report.trial));
}

Html gains(const HeuristicReport& report) {
  const NewcomerContribution& contribution = contribution_of(report);
  const FamilyContribution& family = contribution.family;
  std::vector<Gain> rows{{"added to the pool", family.added.gain, family.added.gains}};
  if (contribution.replaced)
    rows.push_back({fmt::format("in the place of {}", contribution.names[family.neighbours[0].family_idx]),
                    contribution.replaced->gain, contribution.replaced->gains});
  Html out = gain_forest("gain-beside", "Gain beside the pool", rows);
  if (!contribution.replaced) out += html_note("There is no other family that it could take the place of.");
  out += html_note("Alone it gains over always saying the most frequent class; this axis has another scale:");
  const Estimate alone{contribution.constant_error - family.alone_error.mean, family.alone_error.half_width};
  out += gain_forest("gain-alone", "Gain alone", std::vector<Gain>{{"alone", alone, {}}});
  return out;
}

Result<Html> changed_pictures(const HeuristicReport& report, const Dataset& dataset) {
  const Comparison& added = contribution_of(report).family.added;
  Html out = markup("<p>Fixed {}, broken {}: {} (McNemar's test, mid-p; exact {}).</p>\n", added.fixed.size(),
                    added.broken.size(), p_wording(added.examples.p_mid), p_wording(added.examples.p_exact));
  for (const auto& [examples, word] :
       {std::pair(&added.fixed, "Fixed"), std::pair(&added.broken, "Broken")}) {
    MASH_ASSIGN(const Html pictures, changed(*examples, word, dataset));
    out += pictures;
  }
  return out;
}

Html learning_curves(const HeuristicReport& report) {
  if (report.with.empty() && report.without.empty()) return html_note("No learning curve is recorded.");
  LineChart whole = curve_chart(report, "curve-whole", "Test error", 0);
  whole.x_scale = Scale::kLog;
  whole.y_from_zero = true;
  Html out = markup("<div class=\"charts\">\n<figure>{}</figure>\n", line_chart_svg(whole));
  // The beginning is so much higher that it hides what the end is like.
  const std::uint32_t last = (report.with.empty() ? report.without : report.with).back().round;
  const LineChart end = curve_chart(report, "curve-end", "Test error, the last three quarters", last / 4);
  if (end.series[0].points.size() > 1 || end.series[1].points.size() > 1)
    out += markup("<figure>{}</figure>\n", line_chart_svg(end));
  out += markup("</div>\n");
  return out;
}

Html confusion_difference(const HeuristicReport& report) {
  const PairChanges changes = pair_changes(report);
  if (changes.empty()) return html_note("No two classes are confused, neither with it nor without it.");
  const auto& class_names = report.trial.class_names;
  return class_names.size() > kMaxMatrixClasses ? change_pairs(changes, class_names)
                                                : change_matrix(changes, class_names);
}

Html neighbours(const HeuristicReport& report) {
  const NewcomerContribution& contribution = contribution_of(report);
  Html out = contribution.family.neighbours.empty() ? html_note("There is no other family.")
                                                    : neighbour_table(contribution);
  out += markup("<h3>All families</h3>\n");
  const std::size_t own =
      report.own_families.empty() ? report.family_names.size() : report.own_families.front();
  out += family_tree("family-tree", report.family_names, report.cka, own);
  out += markup("<h3>What nobody covers yet</h3>\n");
  out += uncovered(report.clusters, contribution.left, report.family_names, report.trial.class_names);
  return out;
}

Html booster_use(const HeuristicReport& report) {
  const UseOverRounds& use = report.use;
  Html out = markup("<dl class=\"figures\">\n");
  out += html_figure("Offered", show(use.offered, Format::kCount), "features, over all rounds and seeds");
  out += html_figure("Evaluated", show(use.evaluated, Format::kCount), "values looked at");
  out += html_figure("Chosen", show(use.chosen, Format::kCount), "cuts of the models");
  out += html_figure("Share of margin", percent(contribution_of(report).family.margin_share),
                     "of the test side's mean margin");
  out += markup("</dl>\n");
  if (use.rounds.empty()) {
    out += html_note("No use over rounds is recorded.");
  } else {
    out += markup("<div class=\"charts\"><figure>{}</figure></div>\n", line_chart_svg(use_chart(use.rounds)));
  }
  return out;
}

Html dimension_health(const HeuristicReport& report) {
  const FamilyCost& cost = contribution_of(report).family.cost;
  const FeatureUse& use = report.feature_use;
  if (cost.dim == 0) return html_note("It has no features.");
  BarChart chart;
  chart.id = "health-chart";
  chart.title = "Health of the features";
  const auto add = [&](std::string label, std::size_t count) {
    const std::string shown =
        fmt::format("{} · {}", count, show(double(count) / double(cost.dim), Format::kPercent));
    chart.bars.push_back({label, shown, fmt::format("{}: {}", label, shown), double(count)});
    chart.description += fmt::format("{}: {}. ", label, shown);
  };
  add("features", cost.dim);
  add("cut by a model", use.num_used);
  add("never cut", use.num_features - std::min(use.num_features, use.num_used));
  add("constant", cost.num_constant);
  add("copies of its own", cost.num_own_copies);
  add("copies of the pool's", cost.num_pool_copies);
  Html out = html_panel(chart.title, bar_chart_svg(chart));
  out += html_note(cost.num_faults == 0
                       ? "All values are finite."
                       : fmt::format("{} not finite.", counted(std::size_t(cost.num_faults), "value") +
                                                           (cost.num_faults == 1 ? " is" : " are")));
  const double all = std::accumulate(use.cuts.begin(), use.cuts.end(), 0.0);
  if (all > 0) {
    const std::size_t num_first = std::min(use.cuts.size(), kFavourites);
    const double first = std::accumulate(use.cuts.begin(), use.cuts.begin() + std::ptrdiff_t(num_first), 0.0);
    out += html_note(fmt::format("The most used {} {} of its {:.0f} cuts.",
                                 num_first == 1 ? "feature has" : fmt::format("{} features have", num_first),
                                 show(first / all, Format::kPercent), all));
  }
  return out;
}

Html robustness_charts(const HeuristicReport& report) {
  if (report.robustness.empty()) return html_note("Robustness was not measured.");
  Html out = markup("<div class=\"charts\">\n");
  for (std::size_t i = 0; i < report.robustness.size(); ++i)
    out += markup("<figure>{}</figure>\n", line_chart_svg(robustness_chart(report.robustness[i], i)));
  out += markup("</div>\n");
  return out;
}

Html credit(const HeuristicReport& report) {
  const FamilyContribution& family = contribution_of(report).family;
  Table table;
  table.columns = {{"measure", "measure", Format::kText},
                   {"value", "value", Format::kText},
                   {"meaning", "what it asks", Format::kText}};
  const auto add = [&](std::string measure, std::string value, std::string meaning) {
    table.rows.push_back({std::move(measure), std::move(value), std::move(meaning)});
  };
  add("gain when added", in_points(family.added.gain) + " points",
      "what is lost when it alone is left out; 95 % interval over seeds");
  if (family.shapley)
    add("Shapley value", with_standard_error(family.shapley->mean, family.shapley->standard_error),
        "its mean gain over sampled orders in which families may come, accuracy of the first seed; the error "
        "is that of sampling orders");
  add("permutation importance", with_standard_error(family.importance.mean, family.importance.standard_error),
      "how far the error rises when its values go to other examples");
  add("share of margin", percent(family.margin_share), "its part in how sure the votes are, over seeds");
  Html out = html_table(table, "Four ways to give credit. They ask different questions and need not agree.");
  if (!family.shapley) out += html_note("No Shapley value was computed.");
  return out;
}

Html past_trials_table(const HeuristicReport& report) {
  if (report.history.empty()) return html_note("No measurement is recorded.");
  Table table;
  table.columns = {{"measured_at", "measured", Format::kText},
                   {"version", "version", Format::kText},
                   {"settings", "settings", Format::kText},
                   {"plugin", "plugin", Format::kText},
                   {"rounds", "rounds", Format::kCount},
                   {"seeds", "seeds", Format::kCount},
                   {"pool", "families beside it", Format::kCount},
                   {"gain", "gain, points", Format::kText},
                   {"alone", "error alone", Format::kPercent, true}};
  for (const PastTrial& past : report.history)
    table.rows.push_back({past.measured_at, past.version, past.settings, past.plugin_sha256.substr(0, 12),
                          std::int64_t(past.rounds), std::int64_t(past.num_seeds),
                          std::int64_t(past.pool_size), in_points(past.gain), past.alone_error});
  return html_table(
      table, "Measurements on this data set, oldest first. Of the plugin's SHA-256, the first 12 digits.");
}

Html provenance(const HeuristicReport& report) {
  Table table;
  table.columns = {{"what", "what", Format::kText}, {"value", "value", Format::kText}};
  table.rows = {{"plugin", report.plugin},
                {"SHA-256 of the plugin", report.plugin_sha256},
                {"data set", report.trial.dataset},
                {"fingerprint of the data", report.dataset_fingerprint},
                {"experiment", report.trial.experiment},
                {"sampler", report.trial.sampler},
                {"program", "mash " + report.program_version},
                {"machine", report.machine}};
  Html out = html_table(table, "What was measured with what");
  if (report.commands.empty()) {
    out += html_note("No command is recorded that makes it again.");
  } else {
    out += markup("<p>These commands make it again:</p>\n");
    out += html_code("Commands", fmt::format("{}", fmt::join(report.commands, "\n")));
  }
  return out;
}

}  // namespace mash::sections
