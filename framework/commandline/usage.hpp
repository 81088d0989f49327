// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace mash {

// The commands below `app`, and its options with two hyphens, as users may write them: not the hidden ones.
std::vector<std::string> visible_commands(const CLI::App& app);
std::vector<std::string> visible_options(const CLI::App& app);
// Its arguments that are no options, in their order.
std::vector<const CLI::Option*> arguments_of(const CLI::App& app);

// Formats --help: no "..." behind the value of an option that takes one value each time.
std::shared_ptr<CLI::FormatterBase> help_formatter();

// The message for a user whose command line CLI11 refused: what is wrong, in words of our own and with the
// name that was probably meant, and which --help says more.
std::string usage_message(const CLI::App* program, const CLI::Error& error);

// Reads the command line of a program, with `usage_message` where it is wrong. Nothing where the program goes
// on; else its exit code: 0 after --help and the like, 2 where the command line is wrong.
std::optional<int> read_command_line(CLI::App& program, int argc, char** argv);

}  // namespace mash
