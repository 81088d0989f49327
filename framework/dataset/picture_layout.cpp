// SPDX-License-Identifier: Apache-2.0
#include "framework/dataset/picture_layout.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "framework/base/utf8.hpp"
#include "framework/dataset/image_file.hpp"
#include "framework/dataset/source.hpp"

namespace mash {
namespace {

namespace fs = std::filesystem;

struct ClassFolder {
  std::string name;
  std::vector<std::vector<fs::path>> sequences;  // in name order; a picture that stands alone is one
};

// A class of pictures, or of folders with a sequence of pictures each.
Result<ClassFolder> list_class(const fs::path& folder, PictureLayout& layout) {
  ClassFolder listed{folder.filename().string(), {}};
  if (!is_line_of_text(listed.name))
    return input_error("{}: the name of the class folder is no line of UTF-8 text, expected it to be",
                       printable(folder.string()));
  MASH_ASSIGN(const std::vector<fs::path> entries, list_folder(folder));
  std::error_code code;
  std::vector<fs::path> folders;
  for (const fs::path& entry : entries) {
    if (fs::is_directory(entry, code))
      folders.push_back(entry);
    else if (has_image_extension(entry))
      listed.sequences.push_back({entry});
  }
  if (listed.sequences.empty())
    for (const fs::path& sequence : folders) {
      MASH_ASSIGN(listed.sequences.emplace_back(), list_sequence(sequence, layout.cameras));
    }
  if (listed.sequences.empty())
    return input_error(
        "{}: found no images in the class folder, expected .png, .jpg, .bmp, .ppm, .pgm, .tif or .webp, or "
        "folders with the numbered images of a sequence each",
        folder.string());
  if (const std::size_t num_other = entries.size() - listed.sequences.size(); num_other > 0)
    layout.warnings.push_back(
        fmt::format("{}: {} entries that are no images were left out", folder.string(), num_other));
  return listed;
}

// Pictures side by side whose names begin with that of their class: "obj12__345.png".
Result<std::vector<ClassFolder>> list_named(const fs::path& folder, const std::vector<fs::path>& entries) {
  std::map<std::string, ClassFolder> classes;
  for (const fs::path& entry : entries) {
    if (!has_image_extension(entry)) continue;
    const std::string name = entry.stem().string();
    const std::size_t end = name.find("__");
    if (end == std::string::npos || end == 0 || !is_line_of_text(name))
      return input_error(
          "{}: found pictures but no class folders, and no class in the name of {}; expected a folder of "
          "pictures for each class, names such as obj1__0.png, or a list of them (list: FILE)",
          folder.string(), printable(entry.filename().string()));
    ClassFolder& listed = classes[name.substr(0, end)];
    listed.name = name.substr(0, end);
    listed.sequences.push_back({entry});
  }
  if (classes.empty())
    return input_error("{}: found no class folders, expected one folder of images per class",
                       folder.string());
  std::vector<ClassFolder> named;
  for (auto& [name, listed] : classes) named.push_back(std::move(listed));
  return named;
}

Result<std::vector<ClassFolder>> list_classes(const fs::path& folder, PictureLayout& layout) {
  std::vector<ClassFolder> classes;
  MASH_ASSIGN(const std::vector<fs::path> entries, list_folder(folder));
  std::error_code code;
  for (const fs::path& entry : entries)
    if (fs::is_directory(entry, code)) {
      MASH_ASSIGN(ClassFolder listed, list_class(entry, layout));
      classes.push_back(std::move(listed));
    }
  if (classes.empty()) return list_named(folder, entries);
  return classes;
}

std::vector<PictureEntry> take_turns(const std::vector<ClassFolder>& classes,
                                     const std::vector<std::string>& names) {
  std::vector<PictureEntry> entries;
  std::size_t longest = 0;
  for (const ClassFolder& folder : classes) longest = std::max(longest, folder.sequences.size());
  std::uint32_t num_sequences = 0;
  for (std::size_t turn = 0; turn < longest; ++turn)
    for (const ClassFolder& folder : classes) {
      if (turn >= folder.sequences.size()) continue;
      const auto position = std::lower_bound(names.begin(), names.end(), folder.name) - names.begin();
      std::uint32_t place = 0;
      for (const fs::path& picture : folder.sequences[turn])
        entries.push_back({picture, std::uint16_t(position), num_sequences, place++});
      ++num_sequences;
    }
  return entries;
}

}  // namespace

Result<PictureLayout> find_pictures(const fs::path& folder) {
  std::error_code code;
  if (fs::is_regular_file(folder, code))
    return input_error("{}: found a file, expected a folder of pictures; 'list' names a list of them",
                       folder.string());
  PictureLayout layout;
  const bool is_divided = fs::is_directory(folder / "train", code) && fs::is_directory(folder / "test", code);
  MASH_ASSIGN(const auto train, list_classes(is_divided ? folder / "train" : folder, layout));
  std::vector<ClassFolder> test;
  if (is_divided) {
    MASH_ASSIGN(test, list_classes(folder / "test", layout));
  }
  std::set<std::string> names;
  for (const auto& side : {std::cref(train), std::cref(test)})
    for (const ClassFolder& listed : side.get()) names.insert(listed.name);
  if (names.size() > UINT16_MAX)
    return input_error("{}: found {} classes, expected at most {}", folder.string(), names.size(),
                       UINT16_MAX);
  layout.class_names.assign(names.begin(), names.end());
  layout.train = take_turns(train, layout.class_names);
  layout.test = take_turns(test, layout.class_names);
  return layout;
}

}  // namespace mash
