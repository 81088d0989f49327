// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "framework/base/result.hpp"
#include "framework/dataset/picture_layout.hpp"
#include "framework/dataset/source.hpp"

namespace mash {

// The pictures that a text file lists: "path label" or "path label split" on each line, split: as
// side_named() knows them. The parts stand between tabs where the line has one, else between commas, else
// between blanks; empty lines and those that begin with # are left out. Relative paths are below `folder`.
// The pictures keep the order of the lines; class names are sorted, by their numbers where all are whole
// numbers. Errors (kInput), with the line: another number of parts; a split that is none; splits on some
// lines only; a picture that is listed twice; a list without a picture, without one to train on, or of more
// than 65535 classes.
Result<PictureLayout> parse_picture_list(const LoadedSource& list, const std::filesystem::path& folder);

}  // namespace mash
