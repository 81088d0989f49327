// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "framework/base/result.hpp"

namespace mash {

// The numbers of rounds at which Dubout & Fleuret 2014 print their results.
inline constexpr std::array<std::uint32_t, 4> kPublishedRounds{10, 100, 1000, 10000};

// A row of a published table, or a sampler that stands beside its rows without figures in the paper.
struct PublishedMethod {
  std::string_view name;
  std::string_view sampler;            // ours
  std::string_view tuned_setting;      // of it, which the paper tuned on the final training loss; or empty
  std::array<double, 4> loss_log10{};  // mean boosting loss at kPublishedRounds
  std::array<double, 4> error{};       // mean test error, per cent; all 0 without figures

  bool has_figures() const { return error[0] > 0; }
};

struct PublishedTable {
  std::string_view name;    // on the command line, and of the recipe below experiments/
  std::string_view title;   // what it shows and where it stands
  std::string_view caveat;  // how our data differ from theirs; empty where they do not
  std::span<const PublishedMethod> methods;
};

std::span<const PublishedTable> published_tables();
// Errors (kInput): no table of that name; names the known ones.
Result<const PublishedTable*> find_published_table(std::string_view name);

}  // namespace mash
