// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace mash {

// Whether a heuristic's source was written for the classic interface (MASH SDK 1.x): it includes a header of
// that, or a header beside it does. A file that cannot be read includes nothing.
bool is_classic_source(const std::filesystem::path& source);

// Definitions for a compiler of a classic source: the file that its id is made of ("alice/edges_v2.cpp" is
// "alice/edges-v2"), and the folder of its data, "data" beside it, where there is one.
std::vector<std::string> classic_definitions(const std::filesystem::path& source);

// The error of a classic source that could not be linked, where the linker's words do not say it well; ""
// otherwise.
std::string classic_link_error(const std::string& diagnostics);

}  // namespace mash
