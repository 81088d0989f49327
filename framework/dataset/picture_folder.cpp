// SPDX-License-Identifier: Apache-2.0
#include "framework/dataset/picture_folder.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>

#include "framework/base/lower_case.hpp"
#include "framework/base/utf8.hpp"
#include "framework/dataset/decoders/formats.hpp"
#include "framework/dataset/image_file.hpp"
#include "framework/dataset/source.hpp"

namespace mash {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostLevels = 100;

// Whether the content is a picture's: some are named "a.jfif", or without an ending.
bool holds_a_picture(const fs::path& file) {
  if (has_image_extension(file)) return true;
  std::array<char, 64> beginning{};
  std::ifstream in(file, std::ios::binary);
  in.read(beginning.data(), beginning.size());
  return begins_as_picture({beginning.data(), std::size_t(in.gcount())});
}

std::string ending_of(const fs::path& file) { return in_lower_case(printable(file.extension().string())); }

bool holds(const fs::path& folder, const fs::path& inner) {
  return std::mismatch(folder.begin(), folder.end(), inner.begin(), inner.end()).first == folder.end();
}

// above: the folders on the way, without links. A link that leads back to one that holds it has no end.
Status add_below(const fs::path& folder, std::vector<fs::path>& above, PicturesBelow& found) {
  if (above.size() > kMostLevels)
    return input_error("{}: found more than {} folders in one another, expected fewer", folder.string(),
                       kMostLevels);
  std::error_code code;
  const fs::path place = fs::canonical(folder, code);
  if (std::ranges::any_of(above, [&](const fs::path& one) { return holds(place, one); }))
    return input_error("{}: found a link to a folder that holds it, expected none", folder.string());
  MASH_ASSIGN(const FolderContent content, look_into(folder));
  found.pictures.insert(found.pictures.end(), content.pictures.begin(), content.pictures.end());
  found.others.add(content.others);
  above.push_back(place);
  for (const fs::path& inner : content.folders) MASH_TRY(add_below(inner, above, found));
  above.pop_back();
  return Done{};
}

}  // namespace

void OtherFiles::add(const fs::path& file) { ++counts_[ending_of(file)]; }

void OtherFiles::add(const OtherFiles& others) {
  for (const auto& [ending, count] : others.counts_) counts_[ending] += count;
}

std::size_t OtherFiles::count() const {
  std::size_t sum = 0;
  for (const auto& [ending, count] : counts_) sum += count;
  return sum;
}

std::string OtherFiles::in_words() const {
  constexpr std::size_t kMostShown = 5;
  std::vector<std::pair<std::string, std::size_t>> sorted(counts_.begin(), counts_.end());
  std::ranges::stable_sort(sorted, std::greater<>(), [](const auto& one) { return one.second; });
  std::vector<std::string> words;
  std::size_t num_more = 0;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    const auto& [ending, count] = sorted[i];
    if (i < kMostShown)
      words.push_back(fmt::format("{} {}", count, ending.empty() ? "without an ending" : ending));
    else
      num_more += count;
  }
  if (num_more > 0) words.push_back(fmt::format("{} others", num_more));
  return fmt::format("{}", fmt::join(words, ", "));
}

Result<FolderContent> look_into(const fs::path& folder) {
  FolderContent content;
  MASH_ASSIGN(const std::vector<fs::path> entries, list_folder(folder));
  std::error_code code;
  for (const fs::path& entry : entries) {
    const auto type = fs::status(entry, code).type();
    if (type == fs::file_type::directory)
      content.folders.push_back(entry);
    else if (type == fs::file_type::regular && holds_a_picture(entry))
      content.pictures.push_back(entry);
    else
      content.others.add(entry);
  }
  return content;
}

bool has_picture_below(const fs::path& folder) {
  std::error_code code;
  std::vector<fs::path> folders;
  for (fs::directory_iterator it(folder, code), end; !code && it != end; it.increment(code)) {
    const std::string name = it->path().filename().string();
    if (name.starts_with('.') || is_left_by_a_system(name)) continue;
    std::error_code unknown;
    if (it->is_directory(unknown)) {
      if (!it->is_symlink(unknown)) folders.push_back(it->path());
    } else if (it->is_regular_file(unknown) && holds_a_picture(it->path())) {
      return true;
    }
  }
  return std::ranges::any_of(folders, has_picture_below);
}

Result<PicturesBelow> pictures_below(const fs::path& folder) {
  PicturesBelow found;
  std::vector<fs::path> above;
  MASH_TRY(add_below(folder, above, found));
  return found;
}

}  // namespace mash
