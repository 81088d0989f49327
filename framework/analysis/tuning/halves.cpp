// SPDX-License-Identifier: Apache-2.0
#include "framework/analysis/tuning/halves.hpp"

#include <algorithm>
#include <array>
#include <map>

#include "framework/base/random.hpp"
#include "framework/base/require.hpp"

namespace mash {
namespace {

using Places = std::vector<std::size_t>;  // of examples that stay together

std::uint16_t usual_label(const Places& unit, std::span<const std::uint16_t> labels) {
  std::map<std::uint16_t, std::size_t> counts;
  for (const std::size_t place : unit) ++counts[labels[place]];
  return std::ranges::max_element(counts, {}, [](const auto& one) { return one.second; })->first;
}

// The units of each class in an order of chance, each to the half that has less of the class, or less of all.
Halves halves_of_units(std::span<const Places> units, std::span<const std::uint16_t> labels,
                       std::uint64_t seed) {
  std::map<std::uint16_t, std::vector<std::size_t>> by_class;
  for (std::size_t u = 0; u < units.size(); ++u) by_class[usual_label(units[u], labels)].push_back(u);
  std::array<Places, 2> halves;
  for (auto& [label, of_class] : by_class) {
    RandomStream(seed, "the halves of what judges", label).shuffle(std::span(of_class));
    std::array<std::size_t, 2> counts{};
    for (const std::size_t u : of_class) {
      const auto fill = [&](std::size_t half) { return std::pair(counts[half], halves[half].size()); };
      const std::size_t half = fill(1) < fill(0) ? 1 : 0;
      halves[half].insert(halves[half].end(), units[u].begin(), units[u].end());
      counts[half] += units[u].size();
    }
  }
  for (Places& half : halves) std::ranges::sort(half);
  return {std::move(halves[0]), std::move(halves[1])};
}

}  // namespace

Halves draw_halves(std::span<const std::uint16_t> labels, std::span<const std::uint32_t> groups,
                   std::uint64_t seed) {
  require(groups.empty() || groups.size() == labels.size(), "draw_halves: a group for each example");
  std::map<std::uint32_t, Places> by_group;
  std::vector<Places> units;
  for (std::size_t i = 0; i < groups.size(); ++i) by_group[groups[i]].push_back(i);
  for (auto& [group, places] : by_group) units.push_back(std::move(places));
  if (!units.empty()) {
    Halves halves = halves_of_units(units, labels, seed);
    if (3 * std::min(halves.choosing.size(), halves.measuring.size()) >= labels.size()) return halves;
  }
  units.clear();
  for (std::size_t i = 0; i < labels.size(); ++i) units.push_back({i});
  return halves_of_units(units, labels, seed);
}

}  // namespace mash
