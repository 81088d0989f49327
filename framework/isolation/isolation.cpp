// SPDX-License-Identifier: Apache-2.0
#include "framework/isolation/isolation.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "framework/base/settings.hpp"

namespace mash {
namespace {

constexpr std::array kNamed{Isolation::kNone, Isolation::kProcess, Isolation::kBox};
constexpr std::array<std::string_view, kNamed.size()> kNames{"none", "process", "box"};

}  // namespace

std::string_view to_string(Isolation isolation) {
  return kNames.at(std::size_t(std::find(kNamed.begin(), kNamed.end(), isolation) - kNamed.begin()));
}

Result<Isolation> isolation_named(std::string_view name) {
  const auto found = std::find(kNames.begin(), kNames.end(), name);
  if (found == kNames.end())
    return unknown_name("isolation", name, std::vector(kNames.begin(), kNames.end()));
  return kNamed[std::size_t(found - kNames.begin())];
}

}  // namespace mash
