// SPDX-License-Identifier: Apache-2.0
#include "framework/families/family_file.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

#include "framework/base/hash.hpp"
#include "framework/base/require.hpp"

namespace mash {
namespace {

constexpr char kMagic[8] = {'M', 'A', 'S', 'H', 'F', 'A', 'M', '\n'};
// In version 1 there was room for 255 thresholds, also where there were fewer training examples.
constexpr std::uint32_t kVersion = 2, kFirstVersion = 1;
constexpr std::size_t kPage = 4096;
constexpr std::size_t kMaxNote = kPage - sizeof(std::uint64_t);

struct FamilyHeader {
  char magic[8];
  std::uint32_t version;
  std::uint32_t dim;
  std::uint64_t num_train;
  std::uint64_t num_test;
  std::uint64_t note_size;
  std::uint64_t body_checksum;    // of everything behind the first page
  std::uint64_t header_checksum;  // of the members above
};

std::uint64_t header_checksum(const FamilyHeader& header) {
  return checksum(std::as_bytes(std::span(&header, 1)).first(offsetof(FamilyHeader, header_checksum)));
}

// Thresholds lie between distinct values, of which there is at most one a training example.
std::size_t most_thresholds(const FamilyExtent& extent) {
  return std::min<std::uint64_t>(Thresholds::kMax, extent.num_train);
}

bool is_readable(std::uint32_t version, const FamilyExtent& extent) {
  return version == kVersion || (version == kFirstVersion && most_thresholds(extent) == Thresholds::kMax);
}

constexpr std::size_t round_up(std::size_t size, std::size_t multiple) {
  return (size + multiple - 1) / multiple * multiple;
}

}  // namespace

FamilyFile::Layout FamilyFile::layout_of(const FamilyExtent& extent) {
  Layout layout{};
  layout.threshold_stride = most_thresholds(extent) * sizeof(float) + sizeof(std::uint32_t);
  layout.train_stride = round_up(extent.num_train, 64);
  layout.test_stride = round_up(extent.num_test, 64);
  layout.summaries = kPage;
  layout.thresholds = round_up(layout.summaries + extent.dim * sizeof(FeatureSummary), kPage);
  layout.train_columns = round_up(layout.thresholds + extent.dim * layout.threshold_stride, kPage);
  layout.train_rows = round_up(layout.train_columns + extent.dim * layout.train_stride, kPage);
  layout.test_columns = round_up(layout.train_rows + extent.dim * extent.num_train, kPage);
  layout.note = round_up(layout.test_columns + extent.dim * layout.test_stride, kPage);
  layout.end = layout.note + kPage;
  return layout;
}

std::uint64_t family_file_size(const FamilyExtent& extent) { return FamilyFile::layout_of(extent).end; }

Result<FamilyFile> FamilyFile::open(const std::filesystem::path& path, const FamilyExtent& extent,
                                    Check check) {
  FamilyFile family;
  family.extent_ = extent;
  family.layout_ = layout_of(extent);
  MASH_ASSIGN(family.file_, MappedFile::open(path));
  FamilyHeader header;
  const auto bytes = family.file_.bytes();
  if (bytes.size() != family.layout_.end)
    return failure("{}: found {} bytes, expected {}", path.string(), bytes.size(), family.layout_.end);
  std::memcpy(&header, bytes.data(), sizeof header);
  if (std::memcmp(header.magic, kMagic, sizeof kMagic) != 0 || !is_readable(header.version, extent) ||
      header.header_checksum != header_checksum(header))
    return failure("{}: not a whole family file of version {}", path.string(), kVersion);
  if (FamilyExtent{header.dim, header.num_train, header.num_test} != extent || header.note_size > kMaxNote)
    return failure("{}: a family of other extent", path.string());
  if (check == Check::kWhole && header.body_checksum != checksum(bytes.subspan(kPage)))
    return failure("{}: wrong checksum", path.string());
  return family;
}

Result<FamilyFile> FamilyFile::create(const std::filesystem::path& path, const FamilyExtent& extent) {
  FamilyFile family;
  family.extent_ = extent;
  family.layout_ = layout_of(extent);
  std::error_code code;
  std::filesystem::remove(path, code);
  MASH_ASSIGN(family.file_, MappedFile::create(path, family.layout_.end));
  return family;
}

Status FamilyFile::seal(std::string_view note) {
  note = note.substr(0, kMaxNote);
  FamilyHeader header{};
  std::memcpy(header.magic, kMagic, sizeof kMagic);
  header.version = kVersion;
  header.dim = extent_.dim;
  header.num_train = extent_.num_train;
  header.num_test = extent_.num_test;
  header.note_size = note.size();
  const auto bytes = file_.writable();
  std::memcpy(bytes.data() + layout_.note, note.data(), note.size());
  header.body_checksum = checksum(bytes.subspan(kPage));
  header.header_checksum = header_checksum(header);
  std::memcpy(bytes.data(), &header, sizeof header);
  return file_.sync();
}

std::string_view FamilyFile::note() const {
  FamilyHeader header;
  std::memcpy(&header, file_.bytes().data(), sizeof header);
  return {reinterpret_cast<const char*>(file_.bytes().data() + layout_.note), header.note_size};
}

std::uint8_t* FamilyFile::at(std::size_t offset) const {
  return reinterpret_cast<std::uint8_t*>(file_.writable().data() + offset);
}

std::span<const std::uint8_t> FamilyFile::train_column(std::uint32_t feature_idx) const {
  return {at(layout_.train_columns + feature_idx * layout_.train_stride), extent_.num_train};
}
std::span<const std::uint8_t> FamilyFile::test_column(std::uint32_t feature_idx) const {
  return {at(layout_.test_columns + feature_idx * layout_.test_stride), extent_.num_test};
}
std::span<const std::uint8_t> FamilyFile::train_row(std::uint64_t example_idx) const {
  return {at(layout_.train_rows + example_idx * extent_.dim), extent_.dim};
}
std::span<const float> FamilyFile::thresholds(std::uint32_t feature_idx) const {
  const std::uint8_t* first = at(layout_.thresholds + feature_idx * layout_.threshold_stride);
  return {reinterpret_cast<const float*>(first), summary(feature_idx).num_thresholds};
}
const FeatureSummary& FamilyFile::summary(std::uint32_t feature_idx) const {
  return reinterpret_cast<const FeatureSummary*>(at(layout_.summaries))[feature_idx];
}

void FamilyFile::prepare_columns(std::uint32_t first_feature, std::uint32_t count) {
  file_.prepare(layout_.train_columns + first_feature * layout_.train_stride, count * layout_.train_stride);
  file_.prepare(layout_.test_columns + first_feature * layout_.test_stride, count * layout_.test_stride);
}
void FamilyFile::prepare_rows(std::uint64_t first_example, std::uint64_t count) {
  file_.prepare(layout_.train_rows + first_example * extent_.dim, count * extent_.dim);
}

std::uint8_t* FamilyFile::writable_train_column(std::uint32_t feature_idx) {
  return at(layout_.train_columns + feature_idx * layout_.train_stride);
}
std::uint8_t* FamilyFile::writable_test_column(std::uint32_t feature_idx) {
  return at(layout_.test_columns + feature_idx * layout_.test_stride);
}
std::uint8_t* FamilyFile::writable_train_row(std::uint64_t example_idx) {
  return at(layout_.train_rows + example_idx * extent_.dim);
}
void FamilyFile::set_thresholds(std::uint32_t feature_idx, const Thresholds& thresholds) {
  const std::size_t most = most_thresholds(extent_);
  require(thresholds.size() <= most, "FamilyFile::set_thresholds: fewer than distinct values");
  std::uint8_t* place = at(layout_.thresholds + feature_idx * layout_.threshold_stride);
  const std::span values(reinterpret_cast<float*>(place), most);
  std::ranges::fill(values, std::numeric_limits<float>::infinity());
  std::ranges::copy(thresholds.values(), values.begin());
  const std::uint32_t size = thresholds.size();
  std::memcpy(place + values.size_bytes(), &size, sizeof size);
}
FeatureSummary& FamilyFile::writable_summary(std::uint32_t feature_idx) {
  return reinterpret_cast<FeatureSummary*>(at(layout_.summaries))[feature_idx];
}

}  // namespace mash
