// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "framework/base/file.hpp"
#include "framework/base/result.hpp"
#include "framework/families/by_content/picture_keys.hpp"

namespace mash {

// Gives the values of a row that is to be written.
using RowSource = std::function<std::span<const float>(std::size_t row)>;

// A file of rows of raw values, each found by the content of its picture (docs/store-format.md). It is
// written once, as a whole, and never changed.
class ValueRows {
 public:
  // Errors (kFailure): the file is missing, torn, of another format or of another number of features.
  static Result<ValueRows> open(const std::filesystem::path& path, std::uint32_t dim);

  // Writes a file with a row for each of these keys. microseconds_per_image: what a picture cost. keys: each
  // once.
  static Status write(const std::filesystem::path& path, std::uint32_t dim, double microseconds_per_image,
                      std::span<const ContentKey> keys, const RowSource& row);

  double microseconds_per_image() const;
  std::uint64_t num_rows() const;
  // Whether there is a row for the key; its values may still turn out to be damaged.
  bool has(const ContentKey& key) const { return place_of(key).has_value(); }
  // Copies the values for the key; false where there are none, or they are damaged.
  bool copy(const ContentKey& key, std::span<float> values) const;

 private:
  struct Header;
  struct Entry;

  const Header& header() const;
  std::span<const Entry> entries() const;
  std::optional<std::size_t> place_of(const ContentKey& key) const;

  std::uint32_t dim_ = 0;
  MappedFile file_;
};

// The size of such a file, in bytes.
std::uint64_t value_rows_bytes(std::uint32_t dim, std::uint64_t num_rows);

}  // namespace mash
