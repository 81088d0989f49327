// SPDX-License-Identifier: Apache-2.0
#include "framework/families/values_file.hpp"

#include <algorithm>
#include <cstring>

#include "framework/base/hash.hpp"

namespace mash {
namespace {

struct ValuesHeader {
  char magic[8];
  std::uint32_t version;
  std::uint32_t dim;
  std::uint64_t num_examples;
};

constexpr ValuesHeader kHeader{{'M', 'A', 'S', 'H', 'V', 'A', 'L', '\n'}, 1, 0, 0};
constexpr std::size_t kValuesPage = 4096;
constexpr std::uint64_t kNotDone = 0;

// Never kNotDone, so that a fresh file's zeros mark no tile as done.
std::uint64_t tile_checksum(std::span<const float> tile) { return checksum(std::as_bytes(tile)) | 1; }

}  // namespace

Result<ValuesFile> ValuesFile::open_or_create(const std::filesystem::path& path, std::uint32_t dim,
                                              std::uint64_t num_examples) {
  ValuesFile values;
  values.dim_ = dim;
  values.num_examples_ = num_examples;
  const std::size_t table_end = sizeof(ValuesHeader) + values.num_tiles() * sizeof(std::uint64_t);
  values.values_offset_ = (table_end + kValuesPage - 1) / kValuesPage * kValuesPage;
  const std::size_t size = values.values_offset_ + num_examples * dim * sizeof(float);

  ValuesHeader expected = kHeader;
  expected.dim = dim;
  expected.num_examples = num_examples;
  std::error_code code;
  const bool resumable = std::filesystem::file_size(path, code) == size && !code;
  if (!resumable) std::filesystem::remove(path, code);
  MASH_ASSIGN(values.file_, MappedFile::create(path, size));
  const auto bytes = values.file_.writable();
  if (std::memcmp(bytes.data(), &expected, sizeof expected) != 0) {
    std::fill_n(bytes.begin(), values.values_offset_, std::byte{0});
    std::memcpy(bytes.data(), &expected, sizeof expected);
  }
  return values;
}

std::uint64_t* ValuesFile::checksums() const {
  return reinterpret_cast<std::uint64_t*>(file_.writable().data() + sizeof(ValuesHeader));
}
float* ValuesFile::values() const {
  return reinterpret_cast<float*>(file_.writable().data() + values_offset_);
}

std::span<float> ValuesFile::tile(std::size_t tile_idx) const {
  const std::size_t first = tile_idx * kTileExamples;
  return {values() + first * dim_, std::min<std::size_t>(kTileExamples, num_examples_ - first) * dim_};
}

bool ValuesFile::is_done(std::size_t tile_idx) const {
  const std::uint64_t stored = checksums()[tile_idx];
  return stored != kNotDone && stored == tile_checksum(tile(tile_idx));
}

void ValuesFile::forget(std::size_t tile_idx) const {
  const auto bytes = std::as_bytes(tile(tile_idx));
  file_.forget(std::size_t(bytes.data() - file_.bytes().data()), bytes.size());
}

void ValuesFile::mark_done(std::size_t tile_idx) { checksums()[tile_idx] = tile_checksum(tile(tile_idx)); }

}  // namespace mash
