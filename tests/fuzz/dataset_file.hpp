// SPDX-License-Identifier: Apache-2.0
//
// Readers of data sets as targets: the input goes into files, which are read as the user's are.
#pragma once

#include <fstream>
#include <string>
#include <string_view>

#include "framework/dataset/readers/formats.hpp"
#include "tests/fuzz/target.hpp"
#include "tests/support/quiet_work.hpp"
#include "tests/support/scratch_folder.hpp"

namespace mash::fuzz {

// The folder of this process.
inline const std::filesystem::path& folder() {
  static const testing::ScratchFolder folder;
  return folder.path();
}

inline std::string write(const char* name, std::string_view bytes) {
  const std::filesystem::path file = folder() / name;
  std::filesystem::remove(file);  // file systems may wait for the disk where a file is overwritten
  std::ofstream(file, std::ios::binary) << bytes;
  return file.string();
}

inline void check_split(const Dataset& dataset, const Split& split) {
  MASH_PROMISE(split.labels.size() == split.num_examples);
  for (const std::uint16_t label : split.labels) MASH_PROMISE(label < dataset.num_classes());
  MASH_PROMISE(split.pixels.size() == split.num_examples * dataset.shape.num_bytes());
  MASH_PROMISE(split.values.size() == split.num_examples * dataset.column_names.size());
}

// Promises of every data set that was read.
inline void check_dataset(const Dataset& dataset) {
  MASH_PROMISE(dataset.train.num_examples > 0 && dataset.test.num_examples > 0);
  MASH_PROMISE(dataset.is_table() == !dataset.column_names.empty());
  for (const std::string& name : dataset.class_names) MASH_PROMISE(is_utf8(name) && !name.empty());
  for (const std::string& name : dataset.column_names) MASH_PROMISE(is_utf8(name));
  check_split(dataset, dataset.train);
  check_split(dataset, dataset.test);
}

// Reads the data set. settings: "key=value|key=value".
inline bool take_dataset(std::string_view format, std::string_view settings, const std::string& path) {
  Settings read;
  while (!settings.empty()) {
    const std::string_view pair = settings.substr(0, settings.find('|'));
    settings.remove_prefix(std::min(settings.size(), pair.size() + 1));
    const std::size_t equals = std::min(pair.size(), pair.find('='));
    const std::string key(pair.substr(0, equals)), value(pair.substr(std::min(pair.size(), equals + 1)));
    if (key != "path" && key != "test_path" && is_utf8(pair)) read.add(key, value, "line 1");
  }
  read.add("path", path, "target");
  const Result<Dataset> dataset = load_dataset(format, read, 1, testing::quiet_work());
  if (!is_taken(dataset)) return false;
  check_dataset(*dataset);
  return true;
}

}  // namespace mash::fuzz
