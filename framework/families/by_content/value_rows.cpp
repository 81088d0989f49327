// SPDX-License-Identifier: Apache-2.0
#include "framework/families/by_content/value_rows.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "framework/base/hash.hpp"

namespace mash {

struct ValueRows::Header {
  char magic[8];
  std::uint32_t version;
  std::uint32_t dim;
  std::uint64_t num_rows;
  double microseconds_per_image;
  std::uint64_t checksum;  // of the entries
};

// In the order of the keys.
struct ValueRows::Entry {
  ContentKey key;
  std::uint64_t checksum;  // of the values, which stand at the same place among the rows
};

namespace {

namespace fs = std::filesystem;

constexpr char kMagic[8] = {'M', 'A', 'S', 'H', 'R', 'O', 'W', '\n'};
constexpr std::uint32_t kRowsVersion = 1;
constexpr std::size_t kHeaderBytes = 40, kEntryBytes = 24;

std::size_t offset_of_rows(std::uint64_t num_rows) { return kHeaderBytes + num_rows * kEntryBytes; }

}  // namespace

std::uint64_t value_rows_bytes(std::uint32_t dim, std::uint64_t num_rows) {
  return offset_of_rows(num_rows) + num_rows * dim * sizeof(float);
}

const ValueRows::Header& ValueRows::header() const {
  static_assert(sizeof(Header) == kHeaderBytes && sizeof(Entry) == kEntryBytes);
  return *reinterpret_cast<const Header*>(file_.bytes().data());
}

std::span<const ValueRows::Entry> ValueRows::entries() const {
  return {reinterpret_cast<const Entry*>(file_.bytes().data() + kHeaderBytes), header().num_rows};
}

double ValueRows::microseconds_per_image() const { return header().microseconds_per_image; }
std::uint64_t ValueRows::num_rows() const { return header().num_rows; }

Result<ValueRows> ValueRows::open(const fs::path& path, std::uint32_t dim) {
  ValueRows rows;
  rows.dim_ = dim;
  MASH_ASSIGN(rows.file_, MappedFile::open(path));
  const auto refuse = [&](const char* reason) { return failure("{}: {}", path.string(), reason); };
  if (rows.file_.size() < kHeaderBytes) return refuse("is too short for values by content");
  const Header& header = rows.header();
  if (std::memcmp(header.magic, kMagic, sizeof kMagic) != 0 || header.version != kRowsVersion)
    return refuse("is of another format than values by content");
  if (header.dim != dim) return refuse("has values of another number of features");
  const std::uint64_t most_rows = rows.file_.size() / kEntryBytes;
  if (header.num_rows > most_rows || rows.file_.size() != value_rows_bytes(dim, header.num_rows) ||
      header.checksum != checksum(std::as_bytes(rows.entries())))
    return refuse("is torn");
  return rows;
}

Status ValueRows::write(const fs::path& path, std::uint32_t dim, double microseconds_per_image,
                        std::span<const ContentKey> keys, const RowSource& row) {
  std::vector<std::size_t> order(keys.size());
  std::iota(order.begin(), order.end(), std::size_t(0));
  std::ranges::sort(order, {}, [&](std::size_t i) { return keys[i]; });
  fs::path part = path;
  part += ".part";
  std::error_code code;
  fs::remove(part, code);  // of a process that was killed
  {
    MASH_ASSIGN(MappedFile file, MappedFile::create(part, value_rows_bytes(dim, keys.size())));
    std::byte* bytes = file.writable().data();
    auto* entries = reinterpret_cast<Entry*>(bytes + kHeaderBytes);
    std::byte* values = bytes + offset_of_rows(keys.size());
    const std::size_t row_bytes = dim * sizeof(float);
    constexpr std::size_t kForgottenTogether = 4096;
    for (std::size_t i = 0; i < order.size(); ++i) {
      const std::span<const float> from = row(order[i]);
      entries[i] = {keys[order[i]], checksum(std::as_bytes(from))};
      std::memcpy(values + i * row_bytes, from.data(), row_bytes);
      if (i % kForgottenTogether == 0) file.forget(std::size_t(values - bytes), i * row_bytes);
    }
    Header header{
        {},          kRowsVersion,           dim,
        keys.size(), microseconds_per_image, checksum(std::as_bytes(std::span(entries, keys.size())))};
    std::memcpy(header.magic, kMagic, sizeof kMagic);
    std::memcpy(bytes, &header, sizeof header);
    MASH_TRY(file.sync());
  }
  fs::rename(part, path, code);
  if (code) return failure("{}: cannot be renamed: {}", part.string(), code.message());
  return Done{};
}

std::optional<std::size_t> ValueRows::place_of(const ContentKey& key) const {
  const std::span<const Entry> all = entries();
  const auto found = std::ranges::lower_bound(all, key, {}, &Entry::key);
  if (found == all.end() || found->key != key) return std::nullopt;
  return std::size_t(found - all.begin());
}

bool ValueRows::copy(const ContentKey& key, std::span<float> values) const {
  const auto place = place_of(key);
  if (!place) return false;
  const std::byte* row = file_.bytes().data() + offset_of_rows(num_rows()) + *place * values.size_bytes();
  std::memcpy(values.data(), row, values.size_bytes());
  return checksum(std::as_bytes(values)) == entries()[*place].checksum;
}

}  // namespace mash
