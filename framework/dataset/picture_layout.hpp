// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "framework/base/result.hpp"
#include "framework/dataset/image_sequence.hpp"

namespace mash {

// A picture of a data set, where it stands.
struct PictureEntry {
  std::filesystem::path path;
  std::uint16_t label = 0;     // its class, an index into PictureLayout::class_names
  std::uint32_t sequence = 0;  // that it belongs to; one that stands alone is one
  std::uint32_t place = 0;     // in the sequence
};

// Which pictures a data set has, before any is read.
struct PictureLayout {
  std::vector<std::string> class_names;
  std::vector<PictureEntry> train;
  std::vector<PictureEntry> test;  // empty where the pictures are not divided
  std::optional<Cameras> cameras;  // where there are sequences
  std::vector<std::string> warnings;
};

// The pictures below a folder, in one of these layouts:
//   <class>/...              a folder for each class
//   train/<class>/..., test/<class>/...
//   obj12__345.png           no folder: the class stands before "__" in each name (COIL-100)
// A class holds pictures, or a folder for each sequence of them. The classes take turns: the first picture or
// sequence of each, then the second of each, so that the first n are of all classes.
// Errors (kInput): another layout, a class without pictures, a name of a class that is not UTF-8, more than
// 65535 classes.
Result<PictureLayout> find_pictures(const std::filesystem::path& folder);

}  // namespace mash
