// SPDX-License-Identifier: Apache-2.0
#include "framework/base/error_list.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "framework/base/number.hpp"

namespace mash {
namespace {

constexpr std::size_t kMostShown = 50;

using Place = std::pair<std::size_t, std::size_t>;  // line, column

// Takes ":NUMBER" off the front of `rest`.
bool cut_number(std::string_view& rest, std::size_t& number) {
  if (!rest.starts_with(':')) return false;
  std::string_view behind = rest.substr(1);
  const auto taken = take_number<std::size_t>(behind);
  if (!taken) return false;
  number = *taken;
  rest = behind;
  return true;
}

Place place_of(std::string_view message, std::string_view file) {
  constexpr std::size_t kLast = std::numeric_limits<std::size_t>::max();
  Place place{kLast, 0};
  if (!message.starts_with(file)) return place;
  message.remove_prefix(file.size());
  if (!cut_number(message, place.first)) return {kLast, 0};
  cut_number(message, place.second);
  return place;
}

}  // namespace

void ErrorList::add(Error error) {
  if (std::none_of(errors_.begin(), errors_.end(),
                   [&](const Error& other) { return other.message == error.message; }))
    errors_.push_back(std::move(error));
}

Status ErrorList::status(std::string_view file) const {
  if (errors_.empty()) return Done{};
  if (errors_.size() == 1) return errors_.front();
  std::vector<Error> sorted = errors_;
  std::stable_sort(sorted.begin(), sorted.end(), [&](const Error& a, const Error& b) {
    return place_of(a.message, file) < place_of(b.message, file);
  });
  std::string text = fmt::format("{}: {} errors", file, sorted.size());
  for (std::size_t i = 0; i < std::min(sorted.size(), kMostShown); ++i) text += "\n" + sorted[i].message;
  if (sorted.size() > kMostShown) text += fmt::format("\n... and {} more", sorted.size() - kMostShown);
  return Error{sorted.front().kind, text};
}

}  // namespace mash
