// SPDX-License-Identifier: Apache-2.0
#include "framework/base/file.hpp"
#include "framework/extractors/plugin_file.hpp"
#include "tests/fuzz/target.hpp"

namespace mash::fuzz {

bool take(std::string_view input) {
  const bool may_be_loaded = is_taken(check_plugin_elf(input));
  const auto file = ElfFile::open(input);
  MASH_PROMISE(file.ok() || !may_be_loaded);
  if (!is_taken(file)) return false;
  is_taken(file->segments());
  const bool has_handshake = is_taken(read_handshake(*file));
  MASH_PROMISE(has_handshake || !may_be_loaded);
  const auto symbols = file->symbols();
  if (!is_taken(symbols)) return false;
  for (const DynamicSymbol& symbol : *symbols) {
    MASH_PROMISE(is_utf8(symbol.name));
    const auto data = file->data_of(symbol);
    if (is_taken(data)) MASH_PROMISE(symbol.is_defined() && data->size() <= symbol.entry.st_size);
  }
  return may_be_loaded;
}

std::vector<std::string> seeds() {
  const auto plugin = read_file(MASH_SEED);
  MASH_PROMISE(plugin.ok());
  return {*plugin};
}

}  // namespace mash::fuzz
