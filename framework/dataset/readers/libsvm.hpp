// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "framework/dataset/reader.hpp"

namespace mash {

// The sparse rows of LIBSVM and SVMlight, plain or .gz (Chang, Lin 2011). Keys: path, test_path; columns,
// their number where the file does not show it.
Result<Dataset> read_libsvm(Settings& settings, const ReadRequest& request);

inline constexpr std::string_view kLibsvmSample = "+1 1:0.5 3:-2 # remark\n-1 2:1e3\n+1 1:1 2:2 3:3\n-1\n";

}  // namespace mash
