// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "framework/dataset/reader.hpp"

namespace mash {

// A table of text with a label column, plain or .gz. Keys: path, test_path, how fields are parted, and those
// of TableOptions.
Result<Dataset> read_csv(Settings& settings, const ReadRequest& request);

inline constexpr std::string_view kCsvSample =
    "width,height,colour,class\n1,2.5,red,a\n3,-4e2,blue,b\n5,6,red,a\n7,8,green,b\n";

}  // namespace mash
