// SPDX-License-Identifier: Apache-2.0
#include "framework/base/file.hpp"
#include "framework/extractors/plugin_file.hpp"
#include "tests/fuzz/target.hpp"

namespace mash::fuzz {

void take(std::string_view input) {
  if (const Status status = check_plugin_elf(input); !status.ok()) check_refusal(status);
  const auto file = ElfFile::open(input);
  if (!file.ok()) return check_refusal(file);
  if (const auto segments = file->segments(); !segments.ok()) check_refusal(segments);
  if (const auto info = read_handshake(*file); !info.ok()) check_refusal(info);
  const auto symbols = file->symbols();
  if (!symbols.ok()) return check_refusal(symbols);
  for (const DynamicSymbol& symbol : *symbols) {
    MASH_PROMISE(is_utf8(symbol.name));
    if (const auto data = file->data_of(symbol); data.ok() && !data->empty())
      MASH_PROMISE(data->data() >= input.data() &&
                   data->data() + data->size() <= input.data() + input.size());
  }
}

std::vector<std::string> seeds() {
  const auto plugin = read_file(MASH_SEED);
  MASH_PROMISE(plugin.ok());
  return {*plugin};
}

}  // namespace mash::fuzz
