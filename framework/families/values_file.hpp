// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>

#include "framework/base/file.hpp"
#include "framework/base/result.hpp"
#include "framework/isolation/shared_block.hpp"

namespace mash {

// The order in which extraction goes over the examples: one that nobody can tell, or that of the data set.
enum class ExampleOrder { kSecret, kOfDataset };

// The raw values of a family, example by example, training side first, in a file or first in memory.
// Extraction writes them, and they are kept for learners that need floats. Extraction goes over the examples
// in an order whose secret is kept here, a part at a time, each part with its checksum: an interrupted
// extraction goes on where it was, and a torn part is found and computed again.
class ValuesFile {
 public:
  static constexpr std::size_t kTileExamples = 256;  // also those of a part

  // Opens the file if its sizes are these. Else makes it again, empty and, for a secret order, with a new
  // secret. A file that was begun in the order of the data set is made again too where a secret order is
  // asked for. One that was begun in a secret order is continued in either case.
  static Result<ValuesFile> open_or_create(const std::filesystem::path& path, std::uint32_t dim,
                                           std::uint64_t num_examples,
                                           ExampleOrder order = ExampleOrder::kSecret);

  // The same in memory, for an extraction that may be over before a file is worth its while: `path` is made
  // by keep(). spare: memory that is taken where it is large enough.
  static Result<ValuesFile> in_memory(const std::filesystem::path& path, std::uint32_t dim,
                                      std::uint64_t num_examples, ExampleOrder order, MappedFile spare = {});
  bool is_in_memory() const { return !path_.empty(); }
  // Gives that memory away; the values are gone.
  MappedFile take_memory() { return std::move(file_); }
  // Values in memory [one thread at a time]: writes a part that is done to the file, which open_or_create
  // goes on with. Errors (kFailure): the disk's.
  Status keep(std::size_t part_idx, std::span<const std::uint32_t> examples);

  std::uint32_t dim() const { return dim_; }
  std::uint64_t num_examples() const { return num_examples_; }
  // As many parts as tiles.
  std::size_t num_tiles() const { return (num_examples_ + kTileExamples - 1) / kTileExamples; }

  // The secret of the order in which the examples are computed, from the first one on; kNoSecret: that of the
  // data set, so that a part is a tile.
  static constexpr std::uint64_t kNoSecret = 0;
  std::uint64_t secret() const;
  // The version of the file that was there and had to be made again because of it; 0: there was none.
  std::uint32_t replaced_version() const { return replaced_version_; }

  // The values of a tile: of examples that lie side by side here, one row of dim floats each.
  std::span<float> tile(std::size_t tile_idx) const;
  std::span<const float> row(std::uint64_t example_idx) const {
    return {values() + example_idx * dim_, dim_};
  }
  // [any thread] Writes the row of an example; of a file, without a place in memory for it: rows come from
  // all over the file. A row that stands in its tile already is only added to the sum. sum: that of the rows
  // of a part so far, 0 before the first; values in memory have none. Errors (kFailure): the disk's.
  Status write_row(std::uint64_t example_idx, std::span<const float> row, std::uint64_t& sum);

  // [any thread, its own part] Whether a part, which has these examples, is whole; marking it so, once all of
  // its rows are written, in this order: sum is what write_row made of them.
  bool is_done(std::size_t part_idx, std::span<const std::uint32_t> examples) const;
  void mark_done(std::size_t part_idx, std::uint64_t sum);

  // [any thread] Says that the tile, or the whole file, is not needed in memory for now. Its content is kept.
  void forget(std::size_t tile_idx) const;
  void forget() const;

 private:
  ValuesFile(std::uint32_t dim, std::uint64_t num_examples);

  std::size_t size() const { return values_offset_ + num_examples_ * dim_ * sizeof(float); }
  void begin(std::uint64_t secret);
  Status write(const void* data, std::size_t size, std::size_t offset);
  float* values() const;
  std::uint64_t* checksums() const;

  std::uint32_t dim_ = 0;
  std::uint64_t num_examples_ = 0;
  std::size_t values_offset_ = 0;
  std::uint32_t replaced_version_ = 0;
  MappedFile file_;
  std::filesystem::path path_;  // of values in memory
  OwnedDescriptor descriptor_;  // of the file, where there is one
};

}  // namespace mash
