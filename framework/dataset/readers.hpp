// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "framework/base/progress.hpp"
#include "framework/base/result.hpp"
#include "framework/base/settings.hpp"
#include "framework/dataset/dataset.hpp"
#include "framework/dataset/split.hpp"

namespace mash {

// What a reader is given beside its settings.
struct ReadRequest {
  std::string_view name;  // of the format
  std::uint64_t seed = 0;
  const SplitRequest& split;  // already read; readers need not look at it
  Progress& progress;
};

// A reader reads its keys, refuses the unknown ones (Settings::finish) before it opens any file, and gives
// all examples as published: `test` stays empty where the publisher does not divide them. Sources are in
// reading order.
using Reader = Result<Dataset> (*)(Settings& settings, const ReadRequest& request);

Result<Dataset> read_mnist(Settings& settings, const ReadRequest& request);
Result<Dataset> generate_digits(Settings& settings, const ReadRequest& request);

// The file or folder that the key `path` names (relative ones also below $MASH_DATA and the user's data sets)
// or, without the key, the folder of the format's name there. Errors: kInput when it is missing; the message
// lists the places looked at.
Result<std::filesystem::path> find_data_path(Settings& settings, const ReadRequest& request);

// The same for a path that is given under another key.
Result<std::filesystem::path> find_data_file(const std::filesystem::path& path, std::string_view where);

}  // namespace mash
