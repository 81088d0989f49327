// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>

#include "framework/base/file.hpp"
#include "framework/base/result.hpp"

namespace mash {

// The raw values of a family, example by example, training side first. Extraction writes them, and they are
// kept for learners that need floats. They are written tile by tile, each tile with its checksum: an
// interrupted extraction goes on where it was, and a torn tile is found and computed again.
class ValuesFile {
 public:
  static constexpr std::size_t kTileExamples = 256;

  // Opens the file if its sizes are these. Else makes it again, empty.
  static Result<ValuesFile> open_or_create(const std::filesystem::path& path, std::uint32_t dim,
                                           std::uint64_t num_examples);

  std::uint32_t dim() const { return dim_; }
  std::uint64_t num_examples() const { return num_examples_; }
  std::size_t num_tiles() const { return (num_examples_ + kTileExamples - 1) / kTileExamples; }

  // The values of the examples of a tile, one row of dim floats each.
  std::span<float> tile(std::size_t tile_idx) const;
  std::span<const float> row(std::uint64_t example_idx) const {
    return {values() + example_idx * dim_, dim_};
  }

  // [any thread, its own tile] Whether the tile is whole; marking it so.
  bool is_done(std::size_t tile_idx) const;
  void mark_done(std::size_t tile_idx);

  // [any thread] Says that the tile is not needed in memory for now. Its content is kept.
  void forget(std::size_t tile_idx) const;

 private:
  float* values() const;
  std::uint64_t* checksums() const;

  std::uint32_t dim_ = 0;
  std::uint64_t num_examples_ = 0;
  std::size_t values_offset_ = 0;
  MappedFile file_;
};

}  // namespace mash
