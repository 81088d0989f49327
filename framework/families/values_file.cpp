// SPDX-License-Identifier: Apache-2.0
#include "framework/families/values_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <fstream>

#include "framework/base/hash.hpp"
#include "framework/base/secrets.hpp"

namespace mash {
namespace {

struct ValuesHeader {
  char magic[8];
  std::uint32_t version;
  std::uint32_t dim;
  std::uint64_t num_examples;
  std::uint64_t secret;
};

constexpr ValuesHeader kHeader{{'M', 'A', 'S', 'H', 'V', 'A', 'L', '\n'}, 2, 0, 0, 0};
constexpr std::size_t kValuesPage = 4096;
constexpr std::uint64_t kNotDone = 0;

std::uint64_t with_row(std::uint64_t sum, std::span<const float> row) {
  return keyed_hash(sum, checksum(std::as_bytes(row)));
}

// Never kNotDone, so that a fresh file's zeros mark no part as done.
std::uint64_t done(std::uint64_t sum) { return sum | 1; }

// The version of a file of raw values; 0 where it is none.
std::uint32_t version_of(const std::filesystem::path& path) {
  ValuesHeader header{};
  std::ifstream(path, std::ios::binary).read(reinterpret_cast<char*>(&header), sizeof header);
  return std::memcmp(header.magic, kHeader.magic, sizeof header.magic) == 0 ? header.version : 0;
}

}  // namespace

ValuesFile::ValuesFile(std::uint32_t dim, std::uint64_t num_examples)
    : dim_(dim), num_examples_(num_examples) {
  const std::size_t table_end = sizeof(ValuesHeader) + num_tiles() * sizeof(std::uint64_t);
  values_offset_ = (table_end + kValuesPage - 1) / kValuesPage * kValuesPage;
}

// Writes the header, with no part done.
void ValuesFile::begin(std::uint64_t secret) {
  ValuesHeader header = kHeader;
  header.dim = dim_;
  header.num_examples = num_examples_;
  header.secret = secret;
  const auto bytes = file_.writable();
  std::fill_n(bytes.begin(), values_offset_, std::byte{0});
  std::memcpy(bytes.data(), &header, sizeof header);
}

Result<ValuesFile> ValuesFile::in_memory(const std::filesystem::path& path, std::uint32_t dim,
                                         std::uint64_t num_examples, ExampleOrder order, MappedFile spare) {
  ValuesFile values(dim, num_examples);
  if (spare.size() >= values.size()) {
    values.file_ = std::move(spare);
  } else {
    spare = MappedFile();  // not both at once
    MASH_ASSIGN(values.file_, MappedFile::in_memory(values.size()));
  }
  values.path_ = path;
  values.begin(order == ExampleOrder::kSecret ? make_secret_number() : kNoSecret);
  return values;
}

Result<ValuesFile> ValuesFile::open_or_create(const std::filesystem::path& path, std::uint32_t dim,
                                              std::uint64_t num_examples, ExampleOrder order) {
  ValuesFile values(dim, num_examples);
  if (const std::uint32_t version = version_of(path); version != kHeader.version)
    values.replaced_version_ = version;
  std::error_code code;
  const bool resumable = std::filesystem::file_size(path, code) == values.size() && !code;
  if (!resumable) std::filesystem::remove(path, code);
  MASH_ASSIGN(values.file_, MappedFile::create(path, values.size()));
  values.descriptor_ = OwnedDescriptor(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
  if (values.descriptor_.number() < 0)
    return failure("{}: cannot be opened: {}", path.string(), std::strerror(errno));
  ValuesHeader expected = kHeader;
  expected.dim = dim;
  expected.num_examples = num_examples;
  const bool is_secret = order == ExampleOrder::kSecret;
  if (std::memcmp(values.file_.bytes().data(), &expected, offsetof(ValuesHeader, secret)) != 0 ||
      (is_secret && values.secret() == kNoSecret))
    values.begin(is_secret ? make_secret_number() : kNoSecret);
  return values;
}

Status ValuesFile::keep(std::size_t part_idx, std::span<const std::uint32_t> examples) {
  if (descriptor_.number() < 0) {
    descriptor_ = OwnedDescriptor(::open(path_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
    if (descriptor_.number() < 0)
      return failure("{}: cannot be created: {}", path_.string(), std::strerror(errno));
    if (::ftruncate(descriptor_.number(), off_t(size())) != 0)
      return failure("{}: cannot be resized: {}", path_.string(), std::strerror(errno));
    MASH_TRY(write(file_.bytes().data(), sizeof(ValuesHeader), 0));
  }
  std::uint64_t sum = 0;
  for (const std::uint32_t example : examples) {
    const std::span<const float> values = row(example);
    sum = with_row(sum, values);
    MASH_TRY(write(values.data(), values.size_bytes(), values_offset_ + example * values.size_bytes()));
  }
  sum = done(sum);
  return write(&sum, sizeof sum, sizeof(ValuesHeader) + part_idx * sizeof sum);
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

std::uint64_t ValuesFile::secret() const {
  ValuesHeader header;
  std::memcpy(&header, file_.bytes().data(), sizeof header);
  return header.secret;
}

Status ValuesFile::write(const void* data, std::size_t size, std::size_t offset) {
  auto left = std::span(static_cast<const std::byte*>(data), size);
  while (!left.empty()) {
    const ssize_t num_written = ::pwrite(descriptor_.number(), left.data(), left.size(), off_t(offset));
    if (num_written < 0 && errno == EINTR) continue;
    if (num_written <= 0)
      return failure("raw values of features cannot be written: {}", std::strerror(errno));
    left = left.subspan(std::size_t(num_written));
    offset += std::size_t(num_written);
  }
  return Done{};
}

Status ValuesFile::write_row(std::uint64_t example_idx, std::span<const float> row, std::uint64_t& sum) {
  if (!is_in_memory()) sum = with_row(sum, row);
  if (row.data() == this->row(example_idx).data()) return Done{};
  if (!is_in_memory())
    return write(row.data(), row.size_bytes(), values_offset_ + example_idx * row.size_bytes());
  std::copy(row.begin(), row.end(), values() + example_idx * dim_);
  return Done{};
}

bool ValuesFile::is_done(std::size_t part_idx, std::span<const std::uint32_t> examples) const {
  const std::uint64_t stored = checksums()[part_idx];
  if (stored == kNotDone || is_in_memory()) return stored != kNotDone;
  std::uint64_t sum = 0;
  for (const std::uint32_t example : examples) sum = with_row(sum, row(example));
  return stored == done(sum);
}

void ValuesFile::mark_done(std::size_t part_idx, std::uint64_t sum) { checksums()[part_idx] = done(sum); }

void ValuesFile::forget(std::size_t tile_idx) const {
  if (is_in_memory()) return;
  const auto bytes = std::as_bytes(tile(tile_idx));
  file_.forget(std::size_t(bytes.data() - file_.bytes().data()), bytes.size());
}

void ValuesFile::forget() const {
  if (!is_in_memory()) file_.forget(0, file_.size());
}

}  // namespace mash
