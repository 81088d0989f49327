// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace mash {

// Whether a heuristic's source was written for the classic interface (MASH SDK 1.x). That is so where the
// source, or a header beside it, includes a header of that SDK. A file that cannot be read counts as
// including nothing.
bool is_classic_source(const std::filesystem::path& source);

// Whether the text itself includes a header of that SDK.
bool includes_classic_header(const std::string& text);

// Definitions for compiling a classic source: the file from which its id is made ("alice/edges_v2.cpp" gives
// "alice/edges-v2") and, where there is one, the folder of its data, "data" beside the source.
std::vector<std::string> classic_definitions(const std::filesystem::path& source);

// The error of a classic source that could not be linked, where the linker's message is not clear; ""
// otherwise.
std::string classic_link_error(const std::string& diagnostics);

}  // namespace mash
