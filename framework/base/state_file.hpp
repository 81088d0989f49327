// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "framework/base/result.hpp"

namespace mash {

// A state on disk, from which work that was cut off goes on: a document, of which its owner knows the format,
// and numbers.
struct SavedState {
  std::string document;
  std::vector<double> numbers;
};

// Writes both, to the last bit, into a file that is replaced as a whole.
Status save_state(const std::filesystem::path& path, std::string document, std::span<const double> numbers);

// Nothing where the file is missing or damaged.
std::optional<SavedState> load_state(const std::filesystem::path& path);

}  // namespace mash
