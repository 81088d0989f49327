// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "framework/base/result.hpp"
#include "framework/extractors/elf_file.hpp"
#include "framework/extractors/heuristic_info.hpp"
#include "mash/abi/entry.h"

namespace mash {

inline constexpr std::string_view kPluginSymbol = "mash_plugin";
inline constexpr std::uintmax_t kMaxPluginBytes = std::uintmax_t(1) << 30;

// A plugin as it lies on disk, read once: what was checked is what gets loaded, even if the file changes.
struct PluginFile {
  std::filesystem::path path;
  std::string content;
  std::string sha256;
};

// Reads a plugin. Errors (kInput): not there, not a regular file (a pipe is never opened), empty, above
// kMaxPluginBytes.
Result<PluginFile> read_plugin_file(const std::filesystem::path& path);

// The file that a heuristic was found in, unchanged. Errors (kInput): as read_plugin_file; it has changed
// since; with the heuristic's name.
Result<PluginFile> read_plugin_again(const HeuristicInfo& info);

// Whether `elf` may be loaded, found out without running any of its code: a whole shared library for this
// machine that defines `mash_plugin` as data with this program's handshake, and has no symbol of
// STB_GNU_UNIQUE binding (plugins would share it, and it would pin the library in memory). Total: there is an
// answer for any bytes. Errors (kInput): the first check that fails, in words, without the file's name.
Status check_plugin_elf(std::string_view elf);

// The one symbol that a plugin exports. Errors (kInput): it is not there.
Result<DynamicSymbol> find_plugin_symbol(const ElfFile& file);

// The handshake as it stands in the file; it holds no address but the last, so needs no loader.
// Errors (kInput): it is not there, or no constant data.
Result<mash_plugin_info_t> read_handshake(const ElfFile& file);

// Whether a plugin speaks this program's ABI. Looks at the numbers before `heuristics` only.
// Errors (kInput): the first number that differs, found and expected.
Status check_handshake(const mash_plugin_info_t& info);

}  // namespace mash
