// SPDX-License-Identifier: Apache-2.0
#include "framework/reproductions/sampling/reproduction.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "framework/base/paired_tests.hpp"
#include "framework/base/statistics.hpp"
#include "framework/reproductions/common/report.hpp"

namespace mash {
namespace {

// Points of test error by which ours may be above the paper's; the paper has no such bound.
constexpr double kTolerance = 0.35;
// Fewer methods agree in their order by chance too often: five do in one of 120 cases.
constexpr std::size_t kFewestRanked = 5;
constexpr double kPublishedCost = 10;    // of a round, in evaluations for each training example
constexpr double kCostTolerance = 1.01;  // a hundredth more is the same cost

// A method at one of the published numbers of rounds.
struct Comparison {
  PublishedMethod method;
  std::uint32_t rounds = 0;
  double paper_loss = 0, paper_error = 0;  // error in per cent; 0 without figures
  Statistics loss, error, seconds;
  std::vector<double> losses;  // per seed
  double cost = 0;             // mean over the seeds, of all rounds so far
};

// Nothing where not every seed came so far.
std::optional<Comparison> compare(const ReproducedMethod& ours, std::size_t column) {
  Comparison result{ours.method,
                    kPublishedRounds[column],
                    ours.method.loss_log10[column],
                    ours.method.error[column],
                    {},
                    {},
                    {},
                    {},
                    0};
  std::vector<double> errors, seconds;
  for (const auto& curve : ours.curves)
    for (const CurvePoint& point : curve)
      if (point.round == result.rounds) {
        result.losses.push_back(point.train_loss_log10);
        errors.push_back(100 * point.test_error);
        seconds.push_back(point.seconds);
        result.cost += double(point.cost) / double(ours.curves.size());
      }
  if (errors.empty() || errors.size() != ours.curves.size()) return std::nullopt;
  result.loss = statistics_of(result.losses);
  result.error = statistics_of(errors);
  result.seconds = statistics_of(seconds);
  return result;
}

std::vector<Comparison> comparisons(const Reproduction& reproduction, std::size_t column) {
  std::vector<Comparison> result;
  for (const ReproducedMethod& method : reproduction.methods)
    if (const auto comparison = compare(method, column)) result.push_back(*comparison);
  return result;
}

// Evaluations a round for each training example; nothing where the number of these is not known.
std::optional<double> cost_per_round(const Reproduction& reproduction, const Comparison& comparison) {
  if (reproduction.num_train == 0) return std::nullopt;
  return comparison.cost / double(comparison.rounds) / double(reproduction.num_train);
}

// The methods that cost more than the paper's, at the last number of rounds that they reached.
void name_dear_methods(const Reproduction& reproduction, std::vector<std::string>& lines) {
  for (const ReproducedMethod& method : reproduction.methods) {
    std::optional<Comparison> last;
    for (std::size_t column = 0; column < kPublishedRounds.size(); ++column)
      if (auto comparison = compare(method, column)) last = std::move(comparison);
    const auto cost = last ? cost_per_round(reproduction, *last) : std::nullopt;
    if (!cost || *cost <= kCostTolerance * kPublishedCost) continue;
    lines.push_back(fmt::format(
        "{}: costs {:.1f} N a round (N: {} training examples), more than the {} N that each of the published "
        "methods may spend: it does not compare with those that keep to it",
        method.method.name, *cost, reproduction.num_train, kPublishedCost));
  }
}

// Each method that the paper does not have against the best of those that it has, by training loss.
void compare_with_the_best(const Reproduction& reproduction, std::vector<std::string>& lines) {
  for (std::size_t column = 0; column < kPublishedRounds.size(); ++column) {
    const auto rows = comparisons(reproduction, column);
    const Comparison* best = nullptr;
    for (const Comparison& row : rows)
      if (row.method.has_figures() && (best == nullptr || row.loss.mean < best->loss.mean)) best = &row;
    for (const Comparison& row : rows) {
      if (row.method.has_figures() || best == nullptr) continue;
      if (row.losses.size() < 2 || row.losses.size() != best->losses.size()) continue;
      const PairedTest test = paired_test(row.losses, best->losses);
      const std::string significance = test.p_value
                                           ? fmt::format("p = {:.2g} of the paired t-test", *test.p_value)
                                           : "the same on every seed";
      lines.push_back(
          fmt::format("{} rounds: {} has {:+.4f} log10 loss against {}, the best of the paper's methods; {}, "
                      "less on {} of {} seeds",
                      row.rounds, row.method.name, test.mean_difference, best->method.name, significance,
                      test.num_less, row.losses.size()));
    }
  }
}

// Evaluations in each round to choose families, which the samplers' cost leaves out, as the paper's does.
struct Stock {
  std::string_view sampler, examples;
};
constexpr std::array kStocks{Stock{"tasting.1q", "all examples"}, Stock{"tasting.q1", "all examples"},
                             Stock{"tasting.laminating", "1000 drawn examples"},
                             Stock{"tasting.nested", "4000 drawn examples"}};

void name_stocks(const Reproduction& reproduction, std::vector<std::string>& lines) {
  for (const ReproducedMethod& method : reproduction.methods)
    for (const Stock& stock : kStocks)
      if (method.method.sampler == stock.sampler)
        lines.push_back(
            fmt::format("{}: the cost leaves out its stock, 100 features of each family on {} in each round",
                        method.method.name, stock.examples));
}

// "0.52 ± 0.03"; the standard deviation of one run is not known.
std::string with_sd(const Comparison& comparison, const Statistics& figure) {
  if (comparison.losses.size() < 2) return fmt::format("{:.2f}", figure.mean);
  return fmt::format("{:.2f} ± {:.2f}", figure.mean, figure.sd);
}

}  // namespace

Table reproduction_table(const Reproduction& reproduction) {
  Table table;
  table.title = reproduction.table->title;
  table.columns = {{"method", "method", Format::kText},
                   {"rounds", "rounds", Format::kCount},
                   {"loss_log10_paper", "loss, paper", Format::kDecimal},
                   {"loss_log10", "ours", Format::kDecimal},
                   {"loss_log10_difference", "difference", Format::kDecimal},
                   {"loss_log10_sd", "sd", Format::kDecimal},
                   {"test_error_paper", "error %, paper", Format::kPercent},
                   {"test_error", "ours", Format::kPercent},
                   {"test_error_difference", "difference, points", Format::kPoints},
                   {"test_error_sd", "sd", Format::kPercent},
                   {"seconds", "seconds", Format::kDecimal},
                   {"features_per_round", "N a round", Format::kDecimal}};
  for (std::size_t column = 0; column < kPublishedRounds.size(); ++column)
    for (const Comparison& c : comparisons(reproduction, column)) {
      const auto from_paper = [&](double value) { return c.method.has_figures() ? Cell(value) : Cell(); };
      const auto cost = cost_per_round(reproduction, c);
      const auto sd = [&](double value) { return c.losses.size() > 1 ? Cell(value) : Cell(); };
      table.rows.push_back({std::string(c.method.name), std::int64_t(c.rounds), from_paper(c.paper_loss),
                            c.loss.mean, from_paper(c.loss.mean - c.paper_loss), sd(c.loss.sd),
                            from_paper(c.paper_error / 100), c.error.mean / 100,
                            from_paper((c.error.mean - c.paper_error) / 100), sd(c.error.sd / 100),
                            c.seconds.mean, cost ? Cell(*cost) : Cell()});
    }
  table.hint = "no method was trained for 10 rounds or more";
  return table;
}

std::vector<std::string> reproduction_summary(const Reproduction& reproduction) {
  std::vector<std::string> lines;
  for (std::size_t column = 0; column < kPublishedRounds.size(); ++column) {
    auto rows = comparisons(reproduction, column);
    std::erase_if(rows, [](const Comparison& row) { return !row.method.has_figures(); });
    if (rows.size() < 2) continue;
    std::vector<double> paper, ours;
    for (const Comparison& row : rows) {
      paper.push_back(row.paper_error);
      ours.push_back(row.error.mean);
    }
    std::string line = rows.size() < kFewestRanked
                           ? fmt::format("{} rounds: {} methods are too few for a rank correlation",
                                         rows[0].rounds, rows.size())
                           : fmt::format("{} rounds: rank correlation with the paper's errors {:.2f}",
                                         rows[0].rounds, rank_correlation(paper, ours));
    const auto is_near = [](const Comparison& row) { return row.error.mean <= row.paper_error + kTolerance; };
    if (reproduction.table->caveat.empty() && !reproduction.is_changed)
      line += fmt::format("; {} of {} methods at most {} points worse",
                          std::count_if(rows.begin(), rows.end(), is_near), rows.size(), kTolerance);
    lines.push_back(std::move(line));
  }
  compare_with_the_best(reproduction, lines);
  name_dear_methods(reproduction, lines);
  name_stocks(reproduction, lines);
  for (const ReproducedMethod& method : reproduction.methods) {
    if (method.tunings.empty() || method.tunings[0].setting.empty()) continue;
    std::string values;
    double seconds = 0;
    for (const TuningRecord& tuning : method.tunings) {
      values += (values.empty() ? "" : ", ") + tuning.value;
      seconds += tuning.seconds / double(method.tunings.size());
    }
    lines.push_back(fmt::format("{}: {} tuned to {} by {} trainings, {:.1f} s a seed", method.method.name,
                                method.tunings[0].setting, values, method.tunings[0].num_trainings, seconds));
  }
  return lines;
}

std::string reproduction_markdown(const Reproduction& reproduction, const std::string& command) {
  std::string text = markdown_head(reproduction.table->title, reproduction.table->caveat, command);
  text += fmt::format("![loss and error against cost and seconds]({}.svg)\n", reproduction.table->name);
  for (std::size_t column = 0; column < kPublishedRounds.size(); ++column) {
    const auto rows = comparisons(reproduction, column);
    if (rows.empty()) continue;
    text += fmt::format(
        "\n## T = {}\n\n| method | log10 loss, paper | ours | difference | error %, paper | ours | "
        "difference, points | seconds | N a round |\n|---|---|---|---|---|---|---|---|---|\n",
        kPublishedRounds[column]);
    for (const Comparison& c : rows) {
      const auto from_paper = [&](const char* format, double value) {
        return c.method.has_figures() ? fmt::format(fmt::runtime(format), value) : std::string("–");
      };
      const auto cost = cost_per_round(reproduction, c);
      text +=
          fmt::format("| {} | {} | {} | {} | {} | {} | {} | {:.1f} | {} |\n", c.method.name,
                      from_paper("{:.2f}", c.paper_loss), with_sd(c, c.loss),
                      from_paper("{:+.2f}", c.loss.mean - c.paper_loss), from_paper("{:.2f}", c.paper_error),
                      with_sd(c, c.error), from_paper("{:+.2f}", c.error.mean - c.paper_error),
                      c.seconds.mean, cost ? fmt::format("{:.1f}", *cost) : "–");
    }
  }
  text += "\n";
  const auto has_sd = [](const ReproducedMethod& method) { return method.curves.size() > 1; };
  if (std::ranges::any_of(reproduction.methods, has_sd)) text += "±: standard deviation over the seeds.\n\n";
  for (const std::string& line : reproduction_summary(reproduction)) text += fmt::format("- {}\n", line);
  return text;
}

}  // namespace mash
