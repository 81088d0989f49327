// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "framework/base/result.hpp"

namespace mash {

// The cameras of a data set's sequences, by the names of their folders; one without a name where the images
// of a sequence lie side by side.
struct Cameras {
  std::vector<std::string> names;
  std::filesystem::path seen_in;  // the sequence that showed them first
};

// The images of a sequence, in the order of the numbers at the end of their names ("2.png" before "10.png"):
// in `folder` itself, or in a folder of it for each camera, and then those of all cameras for one number
// after the other. cameras: set by the first sequence of a data set; the others have the same. Errors
// (kInput): no images; one without a number, or with that of another; a camera that lacks an image of another
// one's; other cameras than before, or more than kMaxCameras.
Result<std::vector<std::filesystem::path>> list_sequence(const std::filesystem::path& folder,
                                                         std::optional<Cameras>& cameras);

// The number of images in what looks like a sequence: in the folder, or in one of it for each camera, images
// of one name with numbers that run on without a gap, and nothing else. 0: it does not. Errors (kInput): a
// folder that cannot be read.
Result<std::size_t> length_of_sequence(const std::filesystem::path& folder);

}  // namespace mash
