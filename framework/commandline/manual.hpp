// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "framework/base/result.hpp"

namespace mash {

// A page for man(1), in the macros of man(7).
struct ManualPage {
  std::string name;  // "mash-heuristic-try.1"
  std::string text;
};

struct EnvironmentVariable {
  std::string_view name, meaning;
};
// Variable of all programs: framework/base/instruction_set.hpp.
inline constexpr EnvironmentVariable kImplementationVariable{
    "MASH_IMPLEMENTATION",
    "Implementation of fast loops: scalar, or an instruction set such as avx2. Results are the same; mash "
    "doctor shows which one is in use, and which there are."};

// Variable of programs that train: classifiers/scan/kernels/pass_width.hpp.
inline constexpr EnvironmentVariable kPassWidthVariable{
    "MASH_PASS_WIDTH",
    "Features that share a pass over the weights of examples: 2 or 4. The first large search of a process "
    "tries both for a few milliseconds. Results are the same; mash doctor shows which one is faster here."};

// Parts of a manual that --help does not have.
struct ManualSettings {
  int section = 1;  // 8: of programs that look after a machine
  std::span<const EnvironmentVariable> environment = {};
};

// The pages of a program: one of its own and one of each command, at every depth, made of what --help prints.
std::vector<ManualPage> manual_pages(const CLI::App& program, const ManualSettings& settings = {});

// Writes them into the folder that stands behind --manual, which the build asks for and no help shows.
// Nothing where the command line is another. Errors (kFailure): a file cannot be written.
std::optional<Status> write_manual_if_asked(const CLI::App& program, const ManualSettings& settings, int argc,
                                            char** argv);

}  // namespace mash
