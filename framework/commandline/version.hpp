// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace CLI {
class App;
}

namespace mash {

// The commit that the program was built from, with '+' behind it where files were changed since; "" where it
// was built from an archive.
const char* source_commit();
const char* build_type();   // "Release"
std::string compiler();     // "GCC 12.2.0"
std::string commit_text();  // the commit in words

// The output of `PROGRAM --version`: the version alone in the first line, then what it was built from and
// with.
std::string version_text(std::string_view program);

// Adds -V and --version to it.
void add_version_flag(CLI::App& program);

}  // namespace mash
