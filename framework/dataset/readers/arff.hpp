// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "framework/dataset/reader.hpp"

namespace mash {

// An attribute-relation file of Weka, plain or .gz (Witten, Frank 1999). Keys: path, test_path and those of
// TableOptions.
Result<Dataset> read_arff(Settings& settings, const ReadRequest& request);

inline constexpr std::string_view kArffSample =
    "@relation weather\n@attribute heat numeric\n@attribute sky {clear, grey}\n@attribute play {yes, no}\n"
    "@data\n20,clear,yes\n?,grey,no\n18,grey,yes\n31,clear,no\n";

}  // namespace mash
