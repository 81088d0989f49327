// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

namespace mash {

// A file of sdk/template/, built into the program so that it is there wherever the program is. Each kind has
// one C++ source, named for what it computes. Where a new project gets a file, "source_test.cpp" is named for
// that source, "gitignore" has a dot in front, and in the text are replaced: @NAME@, the project; @SOURCE@,
// the source without .cpp; @ID@, the id of the heuristic; @AUTHOR@.
struct TemplateFile {
  std::string_view kind;  // "hog"; what lies in "common" goes into projects whose kind has no such file
  std::string_view name;
  std::string_view text;
};
std::span<const TemplateFile> template_files();

}  // namespace mash
