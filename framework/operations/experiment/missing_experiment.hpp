// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "framework/base/result.hpp"

namespace mash {

// Why there is no experiment of this name or path: lists those that come with the program, and asks whether
// one of them or a file beside it was meant. unread: why the file cannot be read.
Error missing_experiment(const std::filesystem::path& path, const Error& unread);

}  // namespace mash
