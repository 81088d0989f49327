// SPDX-License-Identifier: Apache-2.0
#include "framework/reproductions/budget/time_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>

#include "framework/base/statistics.hpp"
#include "framework/render/chart_sheet.hpp"
#include "framework/reproductions/common/verdict.hpp"

namespace mash {
namespace {

struct MethodLook {
  TimedMethod method;
  std::string_view name, colour, dash;
};
constexpr std::array kMethods{
    MethodLook{TimedMethod::kTrained, "trained for the budget", "#0072b2", "none"},
    MethodLook{TimedMethod::kStoppedEarly, "unlimited model, stopped early", "#009e73", "6 3"},
    MethodLook{TimedMethod::kCutShort, "unlimited model, cut short", "#d55e00", "2 3"}};

// The claim on a model within a time: to be at most kRatioAsked times as wrong.
constexpr double kMicrosecondsAsked = 100, kRatioAsked = 1.3;

constexpr const char* kWithin =
    "All three end when the class is certain. Stopped early: hypotheses that change the scores most for "
    "their cost come first, and what costs more than is left is passed over. Cut short: in the order of "
    "training, up to the first that costs more than is left; where that is the first of all, every picture "
    "is given the first class";

struct Point {
  double budget = 0;
  Estimate error, microseconds, spent;
  Estimate ratio;  // the error divided by the unlimited model's of the same seed
};

// In the order of the budgets.
std::vector<Point> points_of(const BudgetTimes& times, TimedMethod method) {
  std::map<double, std::vector<const TimedModel*>> by_budget;
  for (const TimedModel& model : times.models)
    if (model.method == method) by_budget[model.budget].push_back(&model);
  std::vector<Point> points;
  for (const auto& [budget, models] : by_budget) {
    std::vector<double> errors, microseconds, spent, ratios;
    for (const TimedModel* model : models) {
      ratios.push_back(model->test_error / times.unlimited_errors[ratios.size()]);
      errors.push_back(model->test_error);
      microseconds.push_back(model->microseconds);
      spent.push_back(model->spent);
    }
    points.push_back({budget, estimate(errors), estimate(microseconds), estimate(spent), estimate(ratios)});
  }
  return points;
}

double upper_end(const Estimate& estimate) { return estimate.mean + estimate.half_width.value_or(0); }
double lower_end(const Estimate& estimate) { return estimate.mean - estimate.half_width.value_or(0); }

// "1.52 % in 98 ± 1.2 us (budget 100): 1.21 ± 0.05 times the unlimited model's error"
std::string in_words(const Point& point) {
  const Estimate& ratio = point.ratio;
  const std::string interval = ratio.half_width ? fmt::format(" ± {:.2f}", *ratio.half_width) : "";
  return fmt::format("{:.2f} % in {} us (budget {:g}), {:.2f}{} times the unlimited model's error",
                     100 * point.error.mean, show(point.microseconds, Format::kDecimal), point.budget,
                     ratio.mean, interval);
}

// Judged by the ends of the intervals: of the time within the limit, and of the error's ratio.
std::string remark_on(std::string_view name, const std::vector<Point>& points, bool has_fewer_rounds) {
  const Point* best = nullptr;        // within the time
  const Point* first_good = nullptr;  // that is as right as asked, the quickest
  for (const Point& point : points) {
    if (upper_end(point.microseconds) <= kMicrosecondsAsked && (!best || point.error.mean < best->error.mean))
      best = &point;
    if (point.ratio.half_width && upper_end(point.ratio) <= kRatioAsked &&
        (!first_good || point.microseconds.mean < first_good->microseconds.mean))
      first_good = &point;
  }
  std::string text = fmt::format("{}: within {:g} us a picture ", name, kMicrosecondsAsked);
  text += best ? in_words(*best) : "there is no model";
  if (has_fewer_rounds) return text;
  text += fmt::format("; at most {:g} times was asked: ", kRatioAsked);
  if (best && best->ratio.half_width && upper_end(best->ratio) <= kRatioAsked) return text + "held";
  if (best && (!best->ratio.half_width || lower_end(best->ratio) <= kRatioAsked))
    text += "undecided, which more runs would change; ";
  else
    text += "not held; ";
  return text + (first_good ? "the quickest model that surely is: " + in_words(*first_good)
                            : "no model that was tried surely is");
}

std::string figure_of(const BudgetTimes& times, double unlimited) {
  LineChart chart;
  chart.title = fmt::format("{}: test error, {} families", times.dataset, times.num_families);
  chart.x_title = "measured microseconds a picture, one thread, extraction included";
  chart.x_scale = chart.y_scale = Scale::kLog;
  chart.y_format = Format::kPercent;
  double low = 1e300, high = 0;
  for (const MethodLook& look : kMethods) {
    ChartSeries series{std::string(look.name), {}, {look.colour, look.dash}};
    for (const Point& point : points_of(times, look.method)) {
      series.points.push_back(
          {point.microseconds.mean, point.error.mean, "", point.error.half_width.value_or(0)});
      low = std::min(low, point.microseconds.mean);
      high = std::max(high, point.microseconds.mean);
    }
    std::sort(series.points.begin(), series.points.end(),
              [](const ChartPoint& a, const ChartPoint& b) { return a.x < b.x; });
    chart.series.push_back(std::move(series));
  }
  if (low <= high)
    chart.series.push_back(
        {"unlimited model", {{low, unlimited, ""}, {high, unlimited, ""}}, {"#666666", "1 3"}});
  return chart_sheet_svg({"What a microsecond buys", 1, {chart}});
}

}  // namespace

const TimedModel& fastest(std::span<const TimedModel> passes) {
  return *std::ranges::min_element(passes, {}, &TimedModel::microseconds);
}

ReproductionReport budget_time_report(const BudgetTimes& times) {
  ReproductionReport report;
  report.name = "budget-mnist";
  Table& table = report.table;
  table.title = "Test error against measured microseconds a picture";
  table.columns = {{"method", "method", Format::kText},
                   {"budget", "budget, us", Format::kCount},
                   {"microseconds", "measured, us", Format::kDecimal, true},
                   {"spent", "by the costs, us", Format::kDecimal, true},
                   {"test_error", "test error", Format::kPercent, true}};
  if (times.unlimited_errors.empty()) return report;
  const double unlimited = estimate(times.unlimited_errors).mean;
  table.rows.push_back({std::string("unlimited model"), Cell(), estimate(times.unlimited_microseconds),
                        estimate(times.unlimited_prices), estimate(times.unlimited_errors)});
  for (const MethodLook& look : kMethods) {
    const std::vector<Point> points = points_of(times, look.method);
    for (const Point& point : points)
      table.rows.push_back(
          {std::string(look.name), std::int64_t(point.budget), point.microseconds, point.spent, point.error});
    if (!points.empty()) report.remarks.push_back(remark_on(look.name, points, times.has_fewer_rounds));
  }
  if (times.has_fewer_rounds) report.remarks.emplace_back(kFewerRounds);
  report.remarks.push_back(fmt::format(
      "measured: one thread, the test side in its order; the mean over its pictures in the fastest of {} "
      "passes over all models, and over the seeds with its 95 % interval. Models within a budget take one "
      "picture after the other, the unlimited one takes 16 at a time, as mash predict does. By the costs: "
      "what the same features cost when they were timed one by one before training; votes cost nothing there",
      kTimingPasses));
  report.remarks.emplace_back(kWithin);
  report.svg = figure_of(times, unlimited);
  return report;
}

}  // namespace mash
