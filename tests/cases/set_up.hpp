// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "tests/cases/case_file.hpp"

namespace mash::cases {

// Does a step that makes or changes files, paths being relative to `folder`; false when `step` is none of
// these. Throws std::runtime_error when it cannot be done.
bool set_up(const Step& step, const std::filesystem::path& folder);

}  // namespace mash::cases
