// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gmock/gmock.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "framework/dataset/readers/formats.hpp"
#include "framework/dataset/source.hpp"
#include "tests/support/gzip.hpp"
#include "tests/support/quiet_work.hpp"
#include "tests/support/scratch_folder.hpp"

namespace mash::testing {

// A folder to write data files into.
class TemporaryFolder : public ScratchFolder {
 public:
  // Gives the path of the file written; the folders above it are made.
  std::string write(std::string_view name, std::string_view bytes) const {
    const std::filesystem::path file = path() / name;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << bytes;
    return file.string();
  }
};

inline LoadedSource source_of(std::string bytes) { return {std::move(bytes), {"made-up", "", 0}}; }

using Pairs = std::initializer_list<std::pair<const char*, std::string>>;

inline Result<Dataset> load(std::string_view name, Pairs pairs, std::uint64_t seed = 1) {
  Settings settings;
  for (const auto& [key, value] : pairs) settings.add(key, value, "test.yaml:1");
  return load_dataset(name, std::move(settings), seed, quiet_work());
}

// Expects an error of bad input whose message has all the parts.
template <class T>
void expect_input_error(const Result<T>& result, std::initializer_list<std::string_view> parts) {
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().kind, ErrorKind::kInput);
  for (const std::string_view part : parts)
    EXPECT_THAT(result.error().message, ::testing::HasSubstr(std::string(part)));
}

#define ASSERT_LOADS(result) ASSERT_TRUE((result).ok()) << (result).error().message

inline std::vector<std::size_t> histogram(const Dataset& dataset, const Split& split) {
  std::vector<std::size_t> counts(dataset.num_classes());
  for (const std::uint16_t label : split.labels) ++counts[label];
  return counts;
}

}  // namespace mash::testing
