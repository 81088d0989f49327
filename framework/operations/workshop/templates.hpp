// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

namespace mash {

// A file of sdk/template/. It is built into the program, so it is there wherever the program is. Each kind
// has one C++ source, named after what it computes; its first comment says that too. In a new project that
// source, its class and "source_test.cpp" are named after the project, and "gitignore" has a dot in front.
// These words are replaced in the text: @NAME@ by the project, @SOURCE@ by the source without .cpp, @ID@ by
// the id of the heuristic, @AUTHOR@ by the author.
struct TemplateFile {
  std::string_view kind;  // "hog"; what lies in "common" goes into projects whose kind has no such file
  std::string_view name;
  std::string_view text;
};
std::span<const TemplateFile> template_files();

}  // namespace mash
