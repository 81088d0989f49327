// SPDX-License-Identifier: Apache-2.0
#include "framework/checks/inspections.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "framework/base/file.hpp"
#include "framework/base/require.hpp"
#include "framework/extractors/elf_file.hpp"
#include "framework/extractors/plugin_file.hpp"

namespace mash::checks {
namespace {

Result<Finding> inspect_elf(const std::string& bytes) {
  MASH_TRY(ElfFile::open(bytes));
  return finding(Outcome::kPass, "{} bytes", bytes.size());
}

Result<Finding> inspect_symbols(const std::string& bytes) {
  MASH_ASSIGN(const ElfFile elf, ElfFile::open(bytes));
  MASH_TRY(find_plugin_symbol(elf));
  MASH_ASSIGN(const auto symbols, elf.exported_symbols());
  const auto extra = std::find_if(symbols.begin(), symbols.end(),
                                  [](const DynamicSymbol& symbol) { return symbol.name != kPluginSymbol; });
  if (extra == symbols.end()) return finding(Outcome::kPass, "exports {} only", kPluginSymbol);
  return finding(Outcome::kFail, "exports {} symbols beside {}, '{}' for one", symbols.size() - 1,
                 kPluginSymbol, extra->name);
}

Result<Finding> inspect_unique(const std::string& bytes) {
  MASH_ASSIGN(const ElfFile elf, ElfFile::open(bytes));
  MASH_ASSIGN(const auto symbols, elf.exported_symbols());
  for (const DynamicSymbol& symbol : symbols)
    if (symbol.is_unique()) return finding(Outcome::kFail, "symbol '{}' has UNIQUE binding", symbol.name);
  return finding(Outcome::kPass, "none of {} symbols", symbols.size());
}

Result<Finding> inspect_abi(const std::string& bytes) {
  MASH_ASSIGN(const ElfFile elf, ElfFile::open(bytes));
  MASH_ASSIGN(const mash_plugin_info_t info, read_handshake(elf));
  MASH_TRY(check_handshake(info));
  return finding(Outcome::kPass, "version {}, {} heuristics", info.abi_version, info.num_heuristics);
}

Result<Finding> inspect_segments(const std::string& bytes) {
  MASH_ASSIGN(const ElfFile elf, ElfFile::open(bytes));
  MASH_ASSIGN(const auto segments, elf.segments());
  for (std::size_t i = 0; i < segments.size(); ++i) {
    const GElf_Phdr& segment = segments[i];
    if (segment.p_type == PT_GNU_STACK && (segment.p_flags & PF_X) != 0)
      return finding(Outcome::kWarn, "asks for a stack that can be executed (segment {})", i);
    if (segment.p_type == PT_LOAD && (segment.p_flags & PF_X) != 0 && (segment.p_flags & PF_W) != 0)
      return finding(Outcome::kWarn, "segment {} can be written to and executed", i);
  }
  return finding(Outcome::kPass, "{} segments", segments.size());
}

// Functions whose result no pixel decides.
constexpr std::string_view kUndeclaredInputs[] = {
    "rand",
    "random",
    "srand",
    "srandom",
    "drand48",
    "lrand48",
    "mrand48",
    "erand48",
    "nrand48",
    "jrand48",
    "srand48",
    "seed48",
    "lcong48",
    "rand_r",
    "time",
    "times",
    "clock",
    "ftime",
    "gettimeofday",
    "clock_gettime",
    "timespec_get",
    "getrusage",
    "getrandom",
    "getentropy",
    "arc4random",
    "arc4random_buf",
    "arc4random_uniform",
    "getenv",
    "secure_getenv",
    "getpid",
    "gettid",
    "_ZNSt13random_device7_M_initERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE",
    "_ZNSt6chrono3_V212system_clock3nowEv",
    "_ZNSt6chrono3_V212steady_clock3nowEv"};

Result<Finding> inspect_imports(const std::string& bytes) {
  MASH_ASSIGN(const ElfFile elf, ElfFile::open(bytes));
  MASH_ASSIGN(const auto symbols, elf.symbols());
  for (const DynamicSymbol& symbol : symbols)
    if (!symbol.is_defined() && std::find(std::begin(kUndeclaredInputs), std::end(kUndeclaredInputs),
                                          symbol.name) != std::end(kUndeclaredInputs))
      return finding(Outcome::kWarn, "imports '{}'", symbol.name);
  for (const std::string_view device : {"/dev/random", "/dev/urandom"})
    if (bytes.find(device) != std::string::npos)
      return finding(Outcome::kWarn, "holds the name '{}'", device);
  return finding(Outcome::kPass, "{} symbols, none of a clock or a random generator", symbols.size());
}

constexpr std::pair<std::string_view, Result<Finding> (*)(const std::string& bytes)> kInspections[] = {
    {"load.elf", inspect_elf}, {"load.symbols", inspect_symbols},   {"load.unique", inspect_unique},
    {"load.abi", inspect_abi}, {"load.segments", inspect_segments}, {"determinism.imports", inspect_imports}};

}  // namespace

Result<Finding> inspect(std::string_view check, const std::filesystem::path& plugin) {
  const auto found = std::ranges::find(kInspections, check, [](const auto& row) { return row.first; });
  require(found != std::end(kInspections), "inspect: a check of a file");
  MASH_ASSIGN(const std::string bytes, read_file(plugin));
  return found->second(bytes);
}

}  // namespace mash::checks
