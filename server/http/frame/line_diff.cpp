// SPDX-License-Identifier: Apache-2.0
#include "server/http/frame/line_diff.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>

namespace mash::server {
namespace {

using Lines = std::vector<std::string_view>;

constexpr int kMostChanges = 1000;
constexpr std::int64_t kMostSteps = 20'000'000;
constexpr std::size_t kMostLines = 200'000;  // of both texts, that are compared

// How far two texts were compared: the number of lines of either.
struct Place {
  int before = 0, after = 0;
};

// Paths from the beginning of both texts, where a step leaves a line of one out or takes an equal one of
// both. After d left out lines, furthest_[d][j] is the furthest place in `before` on the diagonal
// k = before - after = 2 j - d.
class Paths {
 public:
  Paths(std::span<const int> before, std::span<const int> after) : before_(before), after_(after) {}

  // Goes on until the end of both, or to the bounds: where it came to.
  Place run() {
    furthest_.push_back({follow(0, 0)});
    while (!at_end() && int(furthest_.size()) <= kMostChanges)
      if (!add_row()) break;
    return furthest_place();
  }

  // The lines of the path to that place from its end to its beginning.
  std::vector<LineChange> back_from(Place place) const {
    std::vector<LineChange> steps;
    int x = place.before, k = place.before - place.after;
    for (int d = int(furthest_.size()) - 1; d >= 0; --d) {
      const int begin = d == 0 ? 0 : begin_of(d, k);
      steps.insert(steps.end(), std::size_t(x - begin), LineChange::kSame);
      if (d == 0) break;
      const bool is_added = comes_from_above(d, (k + d) / 2);
      steps.push_back(is_added ? LineChange::kAdded : LineChange::kRemoved);
      x = is_added ? begin : begin - 1;
      k += is_added ? 1 : -1;
    }
    return steps;
  }

 private:
  int num_before() const { return int(before_.size()); }
  int num_after() const { return int(after_.size()); }

  // Along equal lines.
  int follow(int x, int k) {
    const int begin = x;
    while (x < num_before() && x - k < num_after() && before_[std::size_t(x)] == after_[std::size_t(x - k)])
      ++x;
    num_steps_ += x - begin + 1;
    return x;
  }
  // Whether the path to this diagonal takes a line of `after`, rather than leaving one of `before` out.
  bool comes_from_above(int d, int j) const {
    const auto& former = furthest_[std::size_t(d) - 1];
    return j == 0 || (j < d && former[std::size_t(j) - 1] < former[std::size_t(j)]);
  }
  // Where equal lines begin on the diagonal.
  int begin_of(int d, int k) const {
    const int j = (k + d) / 2;
    const auto& former = furthest_[std::size_t(d) - 1];
    return comes_from_above(d, j) ? former[std::size_t(j)] : former[std::size_t(j) - 1] + 1;
  }
  // False: there was no time for it, and nothing was added.
  bool add_row() {
    const int d = int(furthest_.size());
    std::vector<int> row;
    for (int j = 0; j <= d; ++j) {
      if (num_steps_ > kMostSteps) return false;
      const int k = 2 * j - d;
      row.push_back(follow(begin_of(d, k), k));
    }
    furthest_.push_back(std::move(row));
    return true;
  }
  bool at_end() const {
    const int d = int(furthest_.size()) - 1, k = num_before() - num_after();
    return k >= -d && k <= d && (k + d) % 2 == 0 &&
           furthest_.back()[std::size_t((k + d) / 2)] == num_before();
  }
  // The furthest of the last row, within both texts.
  Place furthest_place() const {
    const int d = int(furthest_.size()) - 1;
    Place best{-1, 0};
    for (int j = 0; j <= d; ++j) {
      const int x = furthest_.back()[std::size_t(j)], y = x - (2 * j - d);
      if (x <= num_before() && y <= num_after() && x + y > best.before + best.after) best = {x, y};
    }
    return best;
  }

  std::span<const int> before_, after_;
  std::vector<std::vector<int>> furthest_;
  std::int64_t num_steps_ = 0;
};

// Equal lines as equal numbers.
std::vector<int> numbered(std::span<const std::string_view> lines,
                          std::unordered_map<std::string_view, int>& numbers) {
  std::vector<int> out;
  out.reserve(lines.size());
  for (const std::string_view line : lines)
    out.push_back(numbers.emplace(line, int(numbers.size())).first->second);
  return out;
}

// The steps from one to the other, in order.
std::vector<LineChange> compared(std::span<const std::string_view> before,
                                 std::span<const std::string_view> after) {
  std::vector<LineChange> steps;
  Place place;
  if (before.size() + after.size() <= kMostLines) {
    std::unordered_map<std::string_view, int> numbers;
    const std::vector<int> first = numbered(before, numbers), second = numbered(after, numbers);
    Paths paths(first, second);
    place = paths.run();
    steps = paths.back_from(place);
    std::reverse(steps.begin(), steps.end());
  }
  steps.insert(steps.end(), before.size() - std::size_t(place.before), LineChange::kRemoved);
  steps.insert(steps.end(), after.size() - std::size_t(place.after), LineChange::kAdded);
  return steps;
}

// In each run of changes those that remove first.
void put_removed_first(std::vector<LineChange>& steps) {
  const auto is_same = [](LineChange change) { return change == LineChange::kSame; };
  for (auto begin = steps.begin(); begin != steps.end();) {
    begin = std::find_if_not(begin, steps.end(), is_same);
    const auto end = std::find_if(begin, steps.end(), is_same);
    std::partition(begin, end, [](LineChange change) { return change == LineChange::kRemoved; });
    begin = end;
  }
}

}  // namespace

Lines lines_of(std::string_view text) {
  Lines lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    lines.push_back(line);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::vector<DiffLine> line_diff(std::string_view before, std::string_view after) {
  const Lines first = lines_of(before), second = lines_of(after);
  const std::size_t shorter = std::min(first.size(), second.size());
  std::size_t begin = 0, end = 0;  // lines that are the same at the beginning, and at the end
  while (begin < shorter && first[begin] == second[begin]) ++begin;
  while (end < shorter - begin && first[first.size() - 1 - end] == second[second.size() - 1 - end]) ++end;
  std::vector<LineChange> steps(begin, LineChange::kSame);
  const auto middle = compared(std::span(first).subspan(begin, first.size() - begin - end),
                               std::span(second).subspan(begin, second.size() - begin - end));
  steps.insert(steps.end(), middle.begin(), middle.end());
  steps.insert(steps.end(), end, LineChange::kSame);
  put_removed_first(steps);
  std::vector<DiffLine> lines;
  lines.reserve(steps.size());
  std::size_t in_first = 0, in_second = 0;
  for (const LineChange change : steps) {
    DiffLine line{change, 0, 0, {}};
    if (change != LineChange::kAdded) line.before = ++in_first;
    if (change != LineChange::kRemoved) line.after = ++in_second;
    line.text = line.after > 0 ? second[in_second - 1] : first[in_first - 1];
    lines.push_back(line);
  }
  return lines;
}

}  // namespace mash::server
