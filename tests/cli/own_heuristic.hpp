// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>

#include "tests/cli/end_to_end.hpp"

namespace mash::testing {

// The smallest heuristic, to be broken in one way or another.
inline constexpr const char* kMeanSource = R"(#include <mash/heuristic.hpp>

namespace {

struct Mean final : mash::Heuristic {
  std::uint32_t dim(mash::Size) const override { return 1; }

  void compute(const mash::View& view, std::span<const std::uint32_t>, std::span<float> values) override {
    for (float& value : values) {
      value = view.gray()(0, 0);
    }
  }
};

}  // namespace

MASH_HEURISTIC(Mean, "mean", "1.0.0", "Me", "the first pixel", "MIT")
)";

// The text with its first `old` replaced, which must be there.
inline std::string with(std::string text, const std::string& old, const std::string& replacement) {
  const auto place = text.find(old);
  if (place == std::string::npos) throw std::runtime_error("the text lacks " + old);
  return text.replace(place, old.size(), replacement);
}

}  // namespace mash::testing
