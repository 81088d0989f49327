// SPDX-License-Identifier: Apache-2.0
#include "framework/reports/heuristic_sections.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "framework/render/bar_chart.hpp"
#include "framework/render/class_matrix.hpp"
#include "framework/render/forest_plot.hpp"
#include "framework/render/gallery.hpp"
#include "framework/render/line_chart.hpp"
#include "framework/render/wording.hpp"
#include "framework/reports/contribution_sections.hpp"
#include "framework/reports/credit.hpp"

namespace mash::sections {
namespace {

constexpr std::size_t kMaxPictures = 12;
constexpr std::size_t kMaxMatrixClasses = 20, kMaxPairs = 12;
constexpr std::size_t kMaxNeighbours = 10;
constexpr std::size_t kFavourites = 10;   // the most cut features
constexpr std::int64_t kFewestCuts = 20;  // for which their course over the rounds is worth a chart
constexpr double kEquallyRobust = 0.005;  // a difference of test errors that is worth no chart

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

Result<page::Piece> changed(const std::vector<std::size_t>& examples, std::string_view word,
                            const Dataset& dataset) {
  const auto class_of = [&](std::size_t i) { return dataset.class_names[dataset.test.labels[i]]; };
  page::Piece out = page::heading(fmt::format("{}: {}", word, examples.size()));
  if (examples.empty()) {
    out += page::note("No test example.");
    return out;
  }
  const std::vector<std::size_t> shown = spread(examples);
  if (shown.size() < examples.size())
    out += page::note(fmt::format("{} of {} are shown, in equal steps.", shown.size(), examples.size()));
  if (dataset.is_table()) {
    Table table;
    table.columns = {{"example", "test row", Format::kCount}, {"label", "true", Format::kText}};
    for (const std::size_t i : shown) table.rows.push_back({std::int64_t(i), class_of(i)});
    out +=
        page::table(table, fmt::format("{}. Rows are counted from 0 in the order of the test side.", word));
    return out;
  }
  std::vector<GalleryPicture> pictures;
  for (const std::size_t i : shown)
    pictures.push_back({i, fmt::format("{}: test image {}, true {}", word, i, class_of(i)),
                        markup("true <b>{}</b>", class_of(i))});
  MASH_ASSIGN(const page::Piece all, gallery(pictures, dataset));
  out += all;
  return out;
}

ChartSeries band_series(std::string name, const std::vector<CurveBand>& curve) {
  ChartSeries series{std::move(name), {}};
  for (const CurveBand& point : curve)
    series.points.push_back(
        {double(point.round), point.test_error.mean,
         fmt::format("round {}: {} {}", point.round, series.name, percent(point.test_error)),
         point.test_error.half_width.value_or(0)});
  return series;
}

// Both axes are logarithmic, as the rounds are spaced so and the beginning is much higher than the end.
LineChart curve_chart(const HeuristicReport& report) {
  LineChart chart;
  chart.id = "curve-chart";
  chart.title = "Test error";
  chart.x_title = "round";
  chart.x_scale = Scale::kLog;
  chart.y_format = Format::kPercent;
  chart.series = {band_series("with it", report.with), band_series("without it", report.without)};
  bool is_ever_zero = false;
  for (const ChartSeries& series : chart.series) {
    for (const ChartPoint& point : series.points) is_ever_zero |= point.y <= 0;
    if (!series.points.empty())
      chart.description +=
          fmt::format("The test error {} ends at {} after round {}. ", series.name,
                      show(series.points.back().y, Format::kPercent), series.points.back().x);
  }
  chart.y_scale = is_ever_zero ? Scale::kLinear : Scale::kLog;
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
page::Piece change_matrix(const PairChanges& changes, const std::vector<std::string>& class_names) {
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
  Table numbers;
  numbers.columns = {{"first", "class", Format::kText},
                     {"second", "and class", Format::kText},
                     {"change", "difference", Format::kText}};
  for (const auto& [pair, change] : changes)
    numbers.rows.push_back(
        {class_names[pair.first], class_names[pair.second], with_sign(change.change(), 1)});
  return class_matrix(
      "Mistakes between two classes, both ways, with it less without it. Means over seeds; each pair stands "
      "once.",
      class_names, "", row_cells, numbers);
}

page::Piece change_pairs(const PairChanges& changes, const std::vector<std::string>& class_names) {
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
  return page::table(
      table, fmt::format("The pairs that change most, of {} classes. Mistakes both ways, means over seeds.",
                         class_names.size()));
}

page::Piece neighbour_table(const NewcomerContribution& contribution) {
  const auto& neighbours = contribution.family.neighbours;
  Table table;
  table.columns = {{"family", "family", Format::kText},
                   {"cka", "CKA", Format::kDecimal},
                   {"explained_by", "it explains of this one", Format::kPercent},
                   {"explains", "this one explains of it", Format::kPercent}};
  for (std::size_t i = 0; i < std::min(neighbours.size(), kMaxNeighbours); ++i)
    table.rows.push_back({contribution.names[neighbours[i].family_idx], neighbours[i].cka,
                          neighbours[i].explained_by, neighbours[i].explains});
  return page::table(
      table, fmt::format("The nearest families, of {}. CKA: 1 for equal spaces, 0 for unrelated ones; "
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

// The gain at each look of the offer test.
page::Piece looks_of(const HeuristicOffer& offer) {
  ForestPlot plot{"looks",
                  "Gain of the offer test",
                  "What it removes of the held-out log-loss, with its interval, after more and more seeds",
                  "gain in % of the log-loss",
                  Format::kDecimal,
                  {}};
  for (const GainAtLook& look : offer.looks)
    plot.rows.push_back({fmt::format("{} seeds", look.look.num_seeds),
                         fmt::format("{} %", with_sign(look.gain, 2)),
                         {look.gain, (look.interval.high - look.interval.low) / 2},
                         {}});
  return page::plot(plot_of(plot));
}

}  // namespace

page::Piece key_figures(const HeuristicReport& report) {
  const NewcomerContribution& contribution = contribution_of(report);
  const FamilyContribution& family = contribution.family;
  const bool has_neighbour = !family.neighbours.empty();
  const page::KeyFigure figures[] = {
      {"Gain when added", in_points(family.added.gain), "percentage points of test error"},
      {"Test error with it", percent(contribution.with_error),
       fmt::format("without it {}", percent(contribution.pool_error))},
      {"Pictures", fmt::format("+{} −{}", family.added.fixed.size(), family.added.broken.size()),
       fmt::format("fixed and broken, {}", p_wording(family.added.examples.p_mid))},
      {"Test error alone", percent(family.alone_error),
       fmt::format("always answering the most frequent class: {}",
                   show(contribution.constant_error, Format::kPercent))},
      {"Share of margin", percent(family.margin_share),
       fmt::format("of how sure the votes are; an equal share: {}",
                   show(1.0 / double(contribution.names.size() + 1), Format::kPercent))},
      {"Nearest family", has_neighbour ? fmt::format("CKA {:.2f}", family.neighbours[0].cka) : "–",
       has_neighbour ? fmt::format("{}; 1: tells the same, 0: nothing in common",
                                   contribution.names[family.neighbours[0].family_idx])
                     : "the pool is empty"},
      {"Cost", fmt::format("{:.1f} µs", family.cost.microseconds_per_image), "per image, one thread"},
      {"Features used", fmt::format("{} of {}", report.feature_use.num_used, report.feature_use.num_features),
       "cut: compared with a threshold by a model"}};
  return page::key_figures(figures);
}

page::Piece verdict_lines(const HeuristicReport& report) {
  if (report.offer) {
    const Html sentence[] = {markup("{}", headline(*report.offer))};
    page::Piece out = page::list(sentence, "verdict");
    out += page::paragraph(markup("<b>Next:</b> {}", next_step(*report.offer)));
    out += looks_of(*report.offer);
    return out;
  }
  std::vector<Html> items;
  for (const std::string& line : verdict(report.trial)) items.push_back(markup("{}", line));
  page::Piece out = page::list(items, "verdict");
  out += page::paragraph(markup("<b>Next:</b> {}", advice(report.trial)));
  return out;
}

page::Piece gains(const HeuristicReport& report) {
  const NewcomerContribution& contribution = contribution_of(report);
  const FamilyContribution& family = contribution.family;
  std::vector<Gain> rows{{"added to the pool", family.added.gain, family.added.gains}};
  if (contribution.replaced)
    rows.push_back({fmt::format("in the place of {}", contribution.names[family.neighbours[0].family_idx]),
                    contribution.replaced->gain, contribution.replaced->gains});
  page::Piece out = gain_forest("gain-beside", "Gain beside the pool", rows);
  if (!contribution.replaced) out += page::note("There is no other family that it could take the place of.");
  const Estimate alone{contribution.constant_error - family.alone_error.mean, family.alone_error.half_width};
  out += page::note(
      fmt::format("Alone it gains {} points over always saying the most frequent class.", in_points(alone)));
  return out;
}

Result<page::Piece> changed_pictures(const HeuristicReport& report, const Dataset& dataset) {
  const Comparison& added = contribution_of(report).family.added;
  page::Piece out = page::paragraph(
      markup("Fixed {}, broken {}: {} (McNemar's test, mid-p; exact {}).", added.fixed.size(),
             added.broken.size(), p_wording(added.examples.p_mid), p_wording(added.examples.p_exact)));
  for (const auto& [examples, word] :
       {std::pair(&added.fixed, "Fixed"), std::pair(&added.broken, "Broken")}) {
    MASH_ASSIGN(const page::Piece pictures, changed(*examples, word, dataset));
    out += pictures;
  }
  return out;
}

page::Piece learning_curves(const HeuristicReport& report) {
  if (report.with.empty() && report.without.empty()) return page::note("No learning curve is recorded.");
  const Plot plots[] = {plot_of(curve_chart(report))};
  return page::plots(plots);
}

page::Piece confusion_difference(const HeuristicReport& report) {
  const PairChanges changes = pair_changes(report);
  if (changes.empty()) return page::note("No two classes are confused, neither with it nor without it.");
  const auto& class_names = report.trial.class_names;
  return class_names.size() > kMaxMatrixClasses ? change_pairs(changes, class_names)
                                                : change_matrix(changes, class_names);
}

page::Piece neighbours(const HeuristicReport& report) {
  const NewcomerContribution& contribution = contribution_of(report);
  page::Piece out = contribution.family.neighbours.empty() ? page::note("There is no other family.")
                                                           : neighbour_table(contribution);
  out += page::heading("All families");
  const std::size_t own =
      report.own_families.empty() ? report.family_names.size() : report.own_families.front();
  out += family_tree("family-tree", report.family_names, report.cka, own);
  out += page::heading("What nobody covers yet");
  out += uncovered(report.clusters, contribution.left, report.family_names, report.trial.class_names);
  return out;
}

page::Piece booster_use(const HeuristicReport& report) {
  const UseOverRounds& use = report.use;
  const page::KeyFigure figures[] = {
      {"Offered", show(use.offered, Format::kCount), "features, over all rounds and seeds"},
      {"Evaluated", show(use.evaluated, Format::kCount), "values looked at"},
      {"Chosen", show(use.chosen, Format::kCount), "cuts of the models"},
      {"Share of margin", percent(contribution_of(report).family.margin_share),
       "of the test side's mean margin"}};
  page::Piece out = page::key_figures(figures);
  if (use.rounds.empty()) {
    out += page::note("No use over rounds is recorded.");
  } else if (use.chosen < kFewestCuts) {
    out += page::note("It is cut too seldom to show how that changes over the rounds.");
  } else {
    const Plot plots[] = {plot_of(use_chart(use.rounds))};
    out += page::plots(plots);
  }
  return out;
}

page::Piece dimension_health(const HeuristicReport& report) {
  const FamilyCost& cost = contribution_of(report).family.cost;
  const FeatureUse& use = report.feature_use;
  if (cost.dim == 0) return page::note("It has no features.");
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
  page::Piece out = page::plot(plot_of(chart));
  out += page::note(cost.num_faults == 0
                        ? "All values are finite."
                        : fmt::format("{} not finite.", counted(std::size_t(cost.num_faults), "value") +
                                                            (cost.num_faults == 1 ? " is" : " are")));
  const double all = std::accumulate(use.cuts.begin(), use.cuts.end(), 0.0);
  if (all > 0) {
    const std::size_t num_first = std::min(use.cuts.size(), kFavourites);
    const double first = std::accumulate(use.cuts.begin(), use.cuts.begin() + std::ptrdiff_t(num_first), 0.0);
    out += page::note(fmt::format("The most used {} {} of its {:.0f} cuts.",
                                  num_first == 1 ? "feature has" : fmt::format("{} features have", num_first),
                                  show(first / all, Format::kPercent), all));
  }
  return out;
}

page::Piece robustness_charts(const HeuristicReport& report) {
  if (report.robustness.empty()) return page::note("Robustness was not measured.");
  if (report.feature_use.num_used == 0)
    return page::note("No model cuts its features: it changes nothing, however the pictures are changed.");
  double largest = 0;
  std::vector<Plot> plots;
  for (const RobustnessCurve& curve : report.robustness) {
    for (const RobustnessPoint& point : curve.points)
      largest = std::max(largest, std::abs(point.error_with - point.error_without));
    plots.push_back(plot_of(robustness_chart(curve, plots.size())));
  }
  if (largest <= kEquallyRobust)
    return page::note(fmt::format(
        "However the pictures are changed, the test errors with it and without it are at most {:.2f} points "
        "apart.",
        100 * largest));
  return page::plots(plots);
}

page::Piece credit(const HeuristicReport& report) {
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
    add("Shapley value", credit_text(*family.shapley),
        "what it removes of the log-loss of a test picture, the mean over all orders in which families may "
        "come, with the first seed; the error is that of sampling orders");
  add("permutation importance", with_standard_error(family.importance.mean, family.importance.standard_error),
      "how far the error rises when its values go to other examples");
  add("share of margin", percent(family.margin_share), "its part in how sure the votes are, over seeds");
  page::Piece out =
      page::table(table, "Four ways to give credit. They ask different questions and need not agree.");
  if (!family.shapley) out += page::note("No Shapley value was computed.");
  return out;
}

page::Piece past_trials_table(const HeuristicReport& report) {
  if (report.history.empty()) return page::note("No measurement is recorded.");
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
  return page::table(
      table, "Measurements on this data set, oldest first. Of the plugin's SHA-256, the first 12 digits.");
}

page::Piece provenance(const HeuristicReport& report) {
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
  page::Piece out = page::table(table, "What was measured with what");
  if (report.commands.empty()) {
    out += page::note("No command is recorded that makes it again.");
  } else {
    out += page::paragraph(markup("These commands make it again:"));
    out += page::code("Commands", fmt::format("{}", fmt::join(report.commands, "\n")));
  }
  return out;
}

}  // namespace mash::sections
