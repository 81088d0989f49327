// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "framework/dataset/reader.hpp"

namespace mash {

// Pictures in a folder for each class, or in train/ and test/ with a folder for each class. Keys: path, the
// folder; channels.
Result<Dataset> read_folder(Settings& settings, const ReadRequest& request);

}  // namespace mash
