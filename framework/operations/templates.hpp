// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

namespace mash {

// A file of sdk/template/, built into the program so that it is there wherever the program is. Where a new
// project gets its own: "heuristic..." is the project's name, "gitignore" has a dot in front, and in the text
// @NAME@ and @AUTHOR@ are replaced.
struct TemplateFile {
  std::string_view
      kind;  // "hog"; what lies in "common" goes into projects whose kind lacks a file of the name
  std::string_view name;
  std::string_view text;
};
std::span<const TemplateFile> template_files();

}  // namespace mash
