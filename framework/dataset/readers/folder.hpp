// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "framework/dataset/reader.hpp"

namespace mash {

// Pictures in a folder, in the layouts of picture_layout.hpp, or those that a file lists. Keys: path, the
// folder; list, the file (below path, or with paths relative to its own folder where there is none); resize;
// channels; films; test_side; skip_broken.
Result<Dataset> read_folder(Settings& settings, const ReadRequest& request);

}  // namespace mash
