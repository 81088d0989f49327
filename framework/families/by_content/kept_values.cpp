// SPDX-License-Identifier: Apache-2.0
#include "framework/families/by_content/kept_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <set>

#include "framework/base/hash.hpp"
#include "framework/base/number.hpp"
#include "framework/base/store_lock.hpp"

namespace mash {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kEnding = ".rows";

// The files of a folder, and the number in the name of each: "3.rows".
std::vector<std::pair<std::int64_t, fs::path>> numbered_files(const fs::path& folder) {
  std::vector<std::pair<std::int64_t, fs::path>> files;
  std::error_code code;
  for (fs::directory_iterator file(folder, code), end; !code && file != end; file.increment(code)) {
    if (file->path().extension() != kEnding) continue;
    if (const auto number = whole_number_in(file->path().stem().string()))
      files.emplace_back(*number, file->path());
  }
  std::ranges::sort(files);
  return files;
}

}  // namespace

fs::path values_folder(const fs::path& store, const ValueOrigin& origin) {
  Sha256 hash;
  const ImageShape& shape = origin.shape;
  for (const std::string& part :
       {std::string("mash-values-1"), origin.heuristic, origin.plugin_sha256, origin.settings,
        fmt::format("{}x{}x{} {}", shape.width, shape.height, shape.num_channels, shape.num_cameras),
        std::string(origin.content == Content::kFilm ? "films" : "pictures")}) {
    hash.update(part);
    hash.update(std::string_view("\0", 1));
  }
  hash.update(std::as_bytes(std::span(origin.values)));
  std::string name = origin.heuristic;
  std::ranges::replace(name, '/', '_');
  constexpr std::size_t kNameDigits = 32;
  return store / kByContentFolder / (name + "-" + hash.hex().substr(0, kNameDigits));
}

Result<KeptValues> KeptValues::open(const fs::path& folder, std::uint32_t dim, const StopFlag& stop) {
  KeptValues kept;
  kept.folder_ = folder;
  kept.dim_ = dim;
  MASH_ASSIGN(const FileLock lock, lock_to_open(folder, stop));
  MASH_ASSIGN(kept.use_, lock_to_use(folder, stop));
  kept.use_->touch();
  kept.read_files();
  return kept;
}

KeptValues KeptValues::look(const fs::path& folder, std::uint32_t dim) {
  KeptValues kept;
  kept.folder_ = folder;
  kept.dim_ = dim;
  kept.read_files();
  return kept;
}

void KeptValues::read_files() {
  files_.clear();
  for (const auto& [number, path] : numbered_files(folder_)) {
    auto rows = ValueRows::open(path, dim_);
    if (rows.ok()) files_.push_back(*std::move(rows));
  }
}

bool KeptValues::has(const ContentKey& key) const {
  return std::ranges::any_of(files_, [&](const ValueRows& rows) { return rows.has(key); });
}

bool KeptValues::copy(const ContentKey& key, std::span<float> values) const {
  return std::ranges::any_of(files_, [&](const ValueRows& rows) { return rows.copy(key, values); });
}

std::size_t KeptValues::num_missing(std::span<const ContentKey> keys) const {
  return std::size_t(std::ranges::count_if(keys, [&](const ContentKey& key) { return !has(key); }));
}

double KeptValues::microseconds_per_image() const {
  double microseconds = 0;
  for (const ValueRows& rows : files_) microseconds = std::max(microseconds, rows.microseconds_per_image());
  return microseconds;
}

Status KeptValues::add(std::span<const ContentKey> keys, double microseconds_per_image, const RowSource& row,
                       const StopFlag& stop) {
  MASH_ASSIGN(const FileLock lock, lock_to_open(folder_, stop));
  read_files();  // another process may have added some
  std::vector<ContentKey> added;
  std::vector<std::size_t> places;
  std::set<ContentKey> seen;
  std::vector<float> values(dim_);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (copy(keys[i], values) || !seen.insert(keys[i]).second) continue;
    added.push_back(keys[i]);
    places.push_back(i);
  }
  if (added.empty()) return Done{};
  const auto files = numbered_files(folder_);
  const std::int64_t number = files.empty() ? 1 : files.back().first + 1;
  MASH_TRY(ValueRows::write(folder_ / fmt::format("{}{}", number, kEnding), dim_, microseconds_per_image,
                            added, [&](std::size_t i) { return row(places[i]); }));
  read_files();
  return Done{};
}

std::uint64_t kept_bytes(const fs::path& folder) {
  std::uint64_t sum = 0;
  for (const auto& [number, path] : numbered_files(folder)) {
    std::error_code code;
    const std::uintmax_t size = fs::file_size(path, code);
    if (!code) sum += size;
  }
  return sum;
}

}  // namespace mash
