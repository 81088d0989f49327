// SPDX-License-Identifier: Apache-2.0
#include "framework/reproductions/reservoir/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "framework/render/chart_sheet.hpp"
#include "framework/reproductions/reservoir/orders.hpp"

namespace mash {
namespace {

constexpr const char* kCaveat =
    "MNIST is the paper's. CIFAR-10 and INRIA Person are subsets here, INRIA Person with a split of its own, "
    "and CIFAR-10 has histograms of gradients and colours where the paper has learnt features: compare their "
    "orders, not their values. USPS is not in the paper, and its STL-10 is not here. A method that would "
    "draw "
    "more examples than there are has all. The paper does not say how the length of a step is found: \"line "
    "search\" is the exact one; \"a tenth of it\" is not published, and shows what depends on the step.";

// Colours of Okabe & Ito 2008, in the order of a table's methods.
constexpr std::array<std::string_view, 6> kColours{"#cc79a7", "#56b4e9", "#e69f00",
                                                   "#0072b2", "#009e73", "#d55e00"};

std::string step_in_words(double shrink) {
  if (shrink == 1) return "line search";
  return shrink == .1 ? "a tenth of it (not published)" : fmt::format("{} of it (not published)", shrink);
}
constexpr const char* kOwnStep = "its own";  // of methods that search along no line

// A result with what it is compared by.
struct Trained {
  const ReservoirResult* result;
  const ReservoirMethod* method;
  std::vector<double> accuracies;  // per seed, per cent
  double seconds = 0;              // of training, the mean
  PublishedAccuracy paper;
  bool is_again = false;  // it is in another group too, whose report it is in

  Trained(const ReservoirTable& table, const ReservoirResult& of)
      : result(&of), method(&table.methods[of.method]), paper(method->figures[of.set][of.size]) {
    for (const auto& curve : of.curves) {
      accuracies.push_back(100 * (1 - curve.back().test_error));
      seconds += curve.back().seconds / double(of.curves.size());
    }
  }
  bool is_comparable() const {
    return paper.is_there() && reservoir_sets()[result->set].is_whole &&
           result->num_rounds == kReservoirRounds;
  }
  // Per cent; no interval where all seeds are equal, which may be chance.
  Estimate accuracy() const {
    return compare_accuracies(accuracies, std::vector<double>(accuracies.size())).difference;
  }
  // Our accuracy less the paper's, in points.
  Estimate distance() const {
    Estimate ours = accuracy();
    ours.mean -= paper.mean;
    return ours;
  }
};

// Methods that are compared with each other: on the same data, with as many examples and steps alike.
struct Group {
  std::size_t set = 0, size = 0;
  double shrink = 1;
  std::vector<Trained> members;

  bool takes(const ReservoirResult& result) const {
    return set == result.set && size == result.size && shrink == result.shrink;
  }
  bool has_fewer_rounds() const { return members[0].result->num_rounds < kReservoirRounds; }
  std::string set_title() const { return std::string(reservoir_sets()[set].title); }
  std::string title() const { return title(step_in_words(shrink)); }
  std::string title(std::string_view step) const {
    std::string title = fmt::format("{}, r = {}, {}", set_title(), kReservoirExamples[size], step);
    const std::uint32_t num_rounds = members[0].result->num_rounds;
    if (num_rounds != kReservoirRounds)
      title += fmt::format(", T = {} in place of {}", num_rounds, kReservoirRounds);
    return title;
  }
};

// Methods that have no line search are in the groups of all steps.
std::vector<Group> groups_of(const ReservoirTable& table, std::span<const ReservoirResult> results) {
  std::vector<Group> groups;
  for (const ReservoirResult& result : results) {
    auto group = std::find_if(groups.begin(), groups.end(), [&](const Group& g) { return g.takes(result); });
    if (group == groups.end())
      group = groups.insert(groups.end(), {result.set, result.size, result.shrink, {}});
    group->members.emplace_back(table, result);
  }
  for (Group& group : groups) {
    if (group.shrink == 1) continue;
    std::vector<Trained> members;
    for (const ReservoirResult& result : results)
      if (!table.methods[result.method].takes_shrink && result.set == group.set && result.size == group.size)
        members.emplace_back(table, result).is_again = true;
    group.members.insert(group.members.begin(), members.begin(), members.end());
  }
  return groups;
}

Table accuracies_of(const ReservoirTable& table, const std::vector<Group>& groups) {
  Table result;
  result.title = std::string(table.title);
  result.columns = {{"set", "set", Format::kText},
                    {"step", "step", Format::kText},
                    {"method", "method", Format::kText},
                    {"size", "examples", Format::kCount},
                    {"rounds", "T", Format::kCount},
                    {"runs", "runs", Format::kCount},
                    {"accuracy_paper", "accuracy %, paper", Format::kPercent},
                    {"accuracy_paper_sd", "its sd", Format::kPercent},
                    {"accuracy", "ours", Format::kPercent, true},
                    {"difference", "difference, points", Format::kPoints},
                    {"seconds", "seconds", Format::kDecimal}};
  for (const Group& group : groups)
    for (const Trained& one : group.members) {
      if (one.is_again) continue;
      Estimate accuracy = one.accuracy();
      accuracy.mean /= 100;
      if (accuracy.half_width) *accuracy.half_width /= 100;
      result.rows.push_back({std::string(reservoir_sets()[group.set].name),
                             one.method->takes_shrink ? step_in_words(group.shrink) : kOwnStep,
                             std::string(one.method->title), std::int64_t(one.method->sizes[group.size]),
                             std::int64_t(one.result->num_rounds), std::int64_t(one.accuracies.size()),
                             one.paper.is_there() ? Cell(one.paper.mean / 100) : Cell(),
                             one.paper.is_there() ? Cell(one.paper.sd / 100) : Cell(), accuracy,
                             one.is_comparable() ? Cell(one.distance().mean / 100) : Cell(), one.seconds});
    }
  return result;
}

Table pairs_of(const std::vector<Group>& groups) {
  Table table;
  table.columns = {{"set", "set", Format::kText},
                   {"step", "step", Format::kText},
                   {"r", "r", Format::kCount},
                   {"pair", "pair", Format::kText},
                   {"paper", "points, paper", Format::kDecimal},
                   {"difference", "ours", Format::kDecimal, true},
                   {"more", "seeds above 0", Format::kCount},
                   {"less", "below", Format::kCount},
                   {"p", "p of the sign test", Format::kDecimal}};
  for (const Group& group : groups)
    for (std::size_t a = 0; a < group.members.size(); ++a)
      for (std::size_t b = 0; b < a; ++b) {
        const Trained &one = group.members[a], &other = group.members[b];
        if (one.is_again && other.is_again) continue;
        const bool has_paper = one.paper.is_there() && other.paper.is_there();
        const PairedAccuracies pair = compare_accuracies(one.accuracies, other.accuracies);
        const bool have_step = one.method->takes_shrink || other.method->takes_shrink;
        table.rows.push_back({group.set_title(), have_step ? step_in_words(group.shrink) : kOwnStep,
                              std::int64_t(kReservoirExamples[group.size]),
                              fmt::format("{} − {}", one.method->title, other.method->title),
                              has_paper ? Cell(one.paper.mean - other.paper.mean) : Cell(), pair.difference,
                              std::int64_t(pair.num_more), std::int64_t(pair.num_less), pair.sign_p});
      }
  table.hint = "there is no pair";
  return table;
}

std::string show_points(const Estimate& points) {
  return points.half_width ? fmt::format("{:+.2f} ± {:.2f}", points.mean, *points.half_width)
                           : fmt::format("{:+.2f}", points.mean);
}

// How many claims of a kind came out in which way.
class Tally {
 public:
  void add(Verdict verdict) { ++counts_[std::size_t(verdict)]; }
  int num_all() const { return counts_[0] + counts_[1] + counts_[2]; }
  std::string text() const {
    return fmt::format("{} held, {} refuted, {} undecided", counts_[0], counts_[1], counts_[2]);
  }

 private:
  std::array<int, 3> counts_{};
};

// The claims for results with steps of one length: a line for each, and then how many held. The accuracies of
// methods that search along no line are the same for any length of a step, and are counted apart.
class Claims {
 public:
  explicit Claims(std::string step) : step_(std::move(step)) {}

  void judge(const Group& group) {
    judge_order(group);
    judge_accuracies(group, group.title(), true);
  }
  void judge_own_steps(const Group& group) { judge_accuracies(group, group.title(step_), false); }

  void add_to(std::vector<std::string>& lines) const {
    if (lines_.empty()) return;
    std::string line = step_ + ":";
    if (orders_.num_all() > 0) line += fmt::format(" orders of the paper: {};", orders_.text());
    lines.push_back(fmt::format("{} accuracies of the paper: {}", line, accuracies_.text()));
    lines.insert(lines.end(), lines_.begin(), lines_.end());
  }

 private:
  void judge_order(const Group& group) {
    std::vector<double> paper;
    for (const Trained& one : group.members) paper.push_back(one.paper.mean);
    const std::vector<OrderLink> links = published_order(paper);
    if (links.empty()) return;
    std::string order(group.members[links[0].better].method->title), details;
    std::vector<Verdict> verdicts;
    for (const OrderLink& link : links) {
      const Trained &better = group.members[link.better], &worse = group.members[link.worse];
      const Estimate difference = compare_accuracies(better.accuracies, worse.accuracies).difference;
      verdicts.push_back(group.has_fewer_rounds() ? Verdict::kUndecided : verdict_of(link, difference));
      order += fmt::format(" {} {}", link.is_alike ? "≈" : ">", worse.method->title);
      details += fmt::format("{}{} − {} {} ({})", details.empty() ? "" : ", ", better.method->title,
                             worse.method->title, show_points(difference), to_string(verdicts.back()));
    }
    const Verdict verdict = verdict_of_all(verdicts);
    orders_.add(verdict);
    lines_.push_back(fmt::format("{}: {}: {}: {}", group.title(), order, to_string(verdict), details));
  }

  void judge_accuracies(const Group& group, const std::string& title, bool takes_shrink) {
    std::string details;
    for (const Trained& one : group.members) {
      if (!one.is_comparable() || one.is_again || one.method->takes_shrink != takes_shrink) continue;
      const Estimate distance = one.distance();
      const Verdict verdict = verdict_within(distance, one.method->tolerance);
      accuracies_.add(verdict);
      details += fmt::format("{}{} {}, within {}: {}", details.empty() ? "" : "; ", one.method->title,
                             show_points(distance), one.method->tolerance, to_string(verdict));
    }
    if (!details.empty())
      lines_.push_back(fmt::format("{}: points from the paper's accuracy: {}", title, details));
  }

  std::string step_;
  Tally orders_, accuracies_;
  std::vector<std::string> lines_;
};

std::vector<std::string> remarks_of(const std::vector<Group>& groups) {
  std::vector<double> shrinks;
  for (const Group& group : groups)
    if (std::find(shrinks.begin(), shrinks.end(), group.shrink) == shrinks.end())
      shrinks.push_back(group.shrink);
  std::vector<std::string> lines;
  for (const double shrink : shrinks) {
    Claims claims(step_in_words(shrink));
    for (const Group& group : groups)
      if (group.shrink == shrink) claims.judge(group);
    claims.add_to(lines);
  }
  Claims of_own_steps("steps of their own");
  for (const Group& group : groups) of_own_steps.judge_own_steps(group);
  of_own_steps.add_to(lines);
  if (std::ranges::any_of(groups, &Group::has_fewer_rounds)) lines.emplace_back(kFewerRounds);
  if (!lines.empty())
    lines.push_back(fmt::format(
        "\"≈\": published accuracies less than {} point apart. Every interval is at 95 % for itself, over "
        "the "
        "seeds, each with the same seed of the other method; nothing is corrected for how many there are",
        kAlike));
  return lines;
}

// Accuracy at every point that all curves have, against rounds of each class.
ChartSeries series_of(const Trained& one) {
  ChartSeries series{std::string(one.method->title), {}, {kColours[one.result->method % kColours.size()]}};
  const auto& curves = one.result->curves;
  const double rounds_per_class = double(one.result->num_rounds) / curves[0].back().round;
  for (const CurvePoint& first : curves[0]) {
    std::vector<double> accuracies;
    for (const auto& curve : curves)
      for (const CurvePoint& point : curve)
        if (point.round == first.round) accuracies.push_back(100 * (1 - point.test_error));
    if (accuracies.size() != curves.size()) continue;
    const Estimate accuracy = estimate(accuracies);
    series.points.push_back(
        {first.round * rounds_per_class, accuracy.mean, "", accuracy.half_width.value_or(0)});
  }
  return series;
}

std::string svg_of(const ReservoirTable& table, const std::vector<Group>& groups) {
  ChartSheet sheet{fmt::format("{}: test accuracy %", table.title), 2, {}};
  for (const Group& group : groups) {
    LineChart chart;
    chart.title = group.title();
    chart.x_title = "rounds of each class";
    chart.x_scale = Scale::kLog;
    for (const Trained& one : group.members) chart.series.push_back(series_of(one));
    sheet.charts.push_back(std::move(chart));
  }
  return sheet.charts.empty() ? "" : chart_sheet_svg(sheet);
}

}  // namespace

ReproductionReport reservoir_report(const ReservoirTable& table, std::span<const ReservoirResult> results,
                                    const std::string& command) {
  const std::vector<Group> groups = groups_of(table, results);
  std::string caveat = kCaveat;
  if (!table.caveat.empty()) caveat += fmt::format(" {}", table.caveat);
  ReproductionReport report{
      std::string(table.name), accuracies_of(table, groups), caveat, remarks_of(groups), "",
      svg_of(table, groups)};
  report.markdown = usual_markdown(report, command);
  const Table pairs = pairs_of(groups);
  if (!pairs.rows.empty())
    report.markdown += fmt::format(
        "\n## Pairs of methods\n\nPoints of test accuracy, means over the seeds with 95 % intervals; the p "
        "is "
        "of a two-sided sign test.\n\n{}",
        render_markdown(pairs));
  return report;
}

}  // namespace mash
