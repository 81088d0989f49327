// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
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

// DIAGONAL(d, J, q) and CHESS(d, J, L) of Busa-Fekete & Kegl 2010, section 4.1.
Result<Dataset> generate_diagonal(Settings& settings, const ReadRequest& request);
Result<Dataset> generate_chess(Settings& settings, const ReadRequest& request);
Result<Dataset> generate_digits(Settings& settings, const ReadRequest& request);
Result<Dataset> read_mnist(Settings& settings, const ReadRequest& request);
Result<Dataset> read_cifar10(Settings& settings, const ReadRequest& request);
Result<Dataset> read_usps(Settings& settings, const ReadRequest& request);
Result<Dataset> read_image_folder(Settings& settings, const ReadRequest& request);
Result<Dataset> read_csv(Settings& settings, const ReadRequest& request);
Result<Dataset> read_libsvm(Settings& settings, const ReadRequest& request);
Result<Dataset> read_arff(Settings& settings, const ReadRequest& request);

// The file or folder that the key `path` names (relative ones also below $MASH_DATA and the user's data sets)
// or, without the key, the folder of the format's name there.
// Errors: kInput when it is missing; the message lists the places looked at.
Result<std::filesystem::path> find_data_path(Settings& settings, const ReadRequest& request);

// The files of a table: the keys `path`, which must be there, and `test_path`; looked for like
// find_data_path.
struct TablePaths {
  std::filesystem::path train;
  std::optional<std::filesystem::path> test;
};
Result<TablePaths> find_table_paths(Settings& settings, const ReadRequest& request);

}  // namespace mash
