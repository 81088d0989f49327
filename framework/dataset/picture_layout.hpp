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
  std::vector<PictureEntry> validation;  // empty where there is none
  std::vector<PictureEntry> test;        // empty where the pictures are not divided
  std::optional<Cameras> cameras;        // where there are sequences
  std::vector<std::string> warnings;     // what was passed over, and how folders were understood
};

// Whether folders below those of the classes are films: sequences that stay on one side as a whole.
enum class Films {
  kAuto,  // where each has pictures of one name with numbers that run on, and a class has several of them
  kYes,
  kNo,  // their pictures are pictures of the class
};

// The pictures below a folder, in one of these layouts:
//   <class>/...              a folder for each class
//   train/<class>/..., val/<class>/..., test/<class>/...   the names of sides as side_named() knows them
//   obj12__345.png           no folder: the class stands before "__" in each name (COIL-100)
// A class holds pictures, also in folders below it, or a folder for each film. A folder that has nothing but
// one folder with all of this in it stands for that one. The classes take turns: the first picture or film of
// each, then the second of each, so that the first n are of all classes.
// Errors (kInput): another layout, a side without one to train on, two folders of one side, a class without
// pictures, a name of a class that is not UTF-8, more than 65535 classes; with Films::kYes those of
// list_sequence.
Result<PictureLayout> find_pictures(const std::filesystem::path& folder, Films films = Films::kAuto);

// The side that stands in the place of the test side.
enum class TestSide {
  kAuto,  // the test side or, where there is none, the validation side
  kTest,
  kValidation,
};

// Leaves that side as the test side, and none for validation, with a warning of what is not used. Errors
// (kInput): there is no such side.
Status choose_test_side(TestSide side, PictureLayout& layout);

}  // namespace mash
