// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <exception>
#include <functional>
#include <string>
#include <string_view>

#include "framework/base/result.hpp"

// Beginning and end of a program in surroundings that may refuse it open files, space, memory or threads.
namespace mash {

// Writes to stderr. What cannot be written is lost: nobody could be told. Never throws; one call, so that
// texts of several threads stay apart.
void print_error_text(std::string_view text) noexcept;

// Runs the body of a program and gives its exit code. No exception leaves: it becomes a message on stderr and
// exit code 1. Before the body, closed standard streams are opened so that no file takes their numbers.
// name: "mash", which begins the message. version: gives lines of a program's name for users that report a
// fault.
int run_guarded(std::string_view name, std::string (*version)(std::string_view name),
                const std::function<int()>& body) noexcept;

// Files beyond the limit of their size (ulimit -f) are errors from now on, and end the process by no signal.
void outlive_file_limits();

// Gives the output what is still kept of it. Errors: it cannot be written.
Status flush_output();

// The error for an exception that no part of the program expected.
Error unexpected_error(const std::exception& exception, std::string_view version);

}  // namespace mash
