// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "framework/base/result.hpp"

namespace mash {

// The error for a name or path without an experiment. It lists the experiments that come with the program,
// and asks whether one of them, or a file in the same folder, was meant. unread: why the file cannot be read.
Error missing_experiment(const std::filesystem::path& path, const Error& unread);

}  // namespace mash
