// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <string>
#include <vector>

#include "framework/base/result.hpp"

namespace mash {

// A page for man(1), in the macros of man(7).
struct ManualPage {
  std::string name;  // "mash-heuristic-try.1"
  std::string text;
};

// The pages of a program: one of its own and one of each command, at every depth, made of what --help prints.
std::vector<ManualPage> manual_pages(const CLI::App& program);

// Writes them into a folder that is there. Errors (kFailure): a file cannot be written.
Status write_manual(const CLI::App& program, const std::filesystem::path& folder);

}  // namespace mash
