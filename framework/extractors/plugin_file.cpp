// SPDX-License-Identifier: Apache-2.0
#include "framework/extractors/plugin_file.hpp"

#include <algorithm>
#include <cstring>

#include "framework/base/file.hpp"
#include "framework/base/hash.hpp"

namespace mash {
namespace {

Error size_error(std::string_view name, std::uint32_t found, std::size_t expected) {
  return input_error("wrong struct size: found {} = {}, expected {} (another MASH SDK made this plugin)",
                     name, found, expected);
}

}  // namespace

Result<PluginFile> read_plugin_file(const std::filesystem::path& path) {
  std::error_code code;
  const std::filesystem::file_status status = std::filesystem::status(path, code);
  if (!std::filesystem::exists(status)) return input_error("no such file");
  if (!std::filesystem::is_regular_file(status)) return input_error("not a regular file");
  const std::uintmax_t size = std::filesystem::file_size(path, code);
  if (code) return input_error("cannot be read: {}", code.message());
  if (size > kMaxPluginBytes)
    return input_error("found {} bytes, expected at most {}", size, kMaxPluginBytes);
  PluginFile file{std::filesystem::absolute(path), {}, {}};
  MASH_ASSIGN(file.content, read_file(path));
  if (file.content.empty()) return input_error("the file is empty");
  file.sha256 = sha256(file.content);
  return file;
}

Result<PluginFile> read_plugin_again(const HeuristicInfo& info) {
  auto file = read_plugin_file(info.plugin);
  if (!file.ok()) return file.error().at(fmt::format("heuristic '{}': {}", info.id, info.plugin.string()));
  if (file->sha256 != info.plugin_sha256)
    return input_error("heuristic '{}': {} has changed since this program looked at it; start it again",
                       info.id, info.plugin.string());
  return file;
}

Result<DynamicSymbol> find_plugin_symbol(const ElfFile& file) {
  MASH_ASSIGN(const auto symbols, file.exported_symbols());
  for (const DynamicSymbol& symbol : symbols)
    if (symbol.name == kPluginSymbol) return symbol;
  return input_error(
      "no symbol '{}'; end the source with MASH_HEURISTIC(...) and compile against the MASH SDK",
      kPluginSymbol);
}

Result<mash_plugin_info_t> read_handshake(const ElfFile& file) {
  MASH_ASSIGN(const DynamicSymbol symbol, find_plugin_symbol(file));
  if (GELF_ST_TYPE(symbol.entry.st_info) != STT_OBJECT)
    return input_error("{} is not data, expected a constant of type mash_plugin_info_t", kPluginSymbol);
  MASH_ASSIGN(const std::string_view data, file.data_of(symbol));
  mash_plugin_info_t info{};
  // A plugin of another version may have a smaller struct: take what there is, the version decides.
  const std::size_t size = std::min<std::size_t>(symbol.entry.st_size, sizeof info);
  if (size > data.size() || size < sizeof info.abi_version)
    return input_error("damaged ELF file: {} is not within its section", kPluginSymbol);
  std::memcpy(&info, data.data(), size);
  return info;
}

Status check_plugin_elf(std::string_view bytes) {
  MASH_ASSIGN(const ElfFile file, ElfFile::open(bytes));
  MASH_ASSIGN(const auto symbols, file.exported_symbols());
  for (const DynamicSymbol& symbol : symbols)
    if (symbol.is_unique())
      return input_error(
          "symbol '{}' has UNIQUE binding and would be shared between plugins; compile with "
          "-fno-gnu-unique (mash_add_heuristic does)",
          symbol.name);
  MASH_ASSIGN(const mash_plugin_info_t info, read_handshake(file));
  return check_handshake(info);
}

Status check_handshake(const mash_plugin_info_t& info) {
  if (info.abi_version != MASH_ABI_VERSION)
    return input_error("wrong ABI version: found {}, expected {}", info.abi_version, MASH_ABI_VERSION);
  if (info.plugin_size != sizeof(mash_plugin_info_t))
    return size_error("plugin_size", info.plugin_size, sizeof(mash_plugin_info_t));
  if (info.heuristic_size != sizeof(mash_heuristic_t))
    return size_error("heuristic_size", info.heuristic_size, sizeof(mash_heuristic_t));
  if (info.parameter_size != sizeof(mash_parameter_t))
    return size_error("parameter_size", info.parameter_size, sizeof(mash_parameter_t));
  if (info.host_size != sizeof(mash_host_t))
    return size_error("host_size", info.host_size, sizeof(mash_host_t));
  if (info.image_size != sizeof(mash_image_t))
    return size_error("image_size", info.image_size, sizeof(mash_image_t));
  constexpr std::uint32_t kMaxHeuristics = 4096;
  if (info.num_heuristics == 0 || info.num_heuristics > kMaxHeuristics)
    return input_error("found {} heuristics in the plugin, expected 1 to {}", info.num_heuristics,
                       kMaxHeuristics);
  return Done{};
}

}  // namespace mash
