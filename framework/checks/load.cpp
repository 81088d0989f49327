// SPDX-License-Identifier: Apache-2.0
#include "framework/checks/load.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "framework/base/file.hpp"
#include "framework/base/utf8.hpp"
#include "framework/checks/bench.hpp"
#include "framework/extractors/descriptor.hpp"
#include "framework/extractors/plugin_file.hpp"

namespace mash::checks {
namespace {

// A library in memory, whether or not it is a sound plugin.
class Library {
 public:
  static Result<Library> load(const std::filesystem::path& file) {
    void* handle = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle == nullptr) return input_error("{}", printable(::dlerror()));
    return Library(handle);
  }
  Library(Library&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Library& operator=(Library&&) = delete;
  ~Library() {
    if (handle_ != nullptr) ::dlclose(handle_);
  }

  const mash_plugin_info_t* entry() const {
    return static_cast<const mash_plugin_info_t*>(::dlsym(handle_, std::string(kPluginSymbol).c_str()));
  }

 private:
  explicit Library(void* handle) : handle_(handle) {}
  void* handle_;
};

// The plugin's descriptor as it is. The handshake must hold: without it nothing can be read.
struct LoadedDescriptor {
  Library library;
  const mash_heuristic_t* heuristic;
};
Result<LoadedDescriptor> load_descriptor(const CheckTarget& target) {
  MASH_ASSIGN(Library library, Library::load(target.plugin));
  const mash_plugin_info_t* entry = library.entry();
  if (entry == nullptr) return input_error("no symbol '{}'", kPluginSymbol);
  MASH_TRY(check_handshake(*entry));
  if (entry->heuristics == nullptr) return input_error("the table of heuristics is null");
  if (target.heuristic_idx >= entry->num_heuristics || entry->heuristics[target.heuristic_idx] == nullptr)
    return input_error("heuristic {} of the plugin is null", target.heuristic_idx);
  return LoadedDescriptor{std::move(library), entry->heuristics[target.heuristic_idx]};
}

Result<Finding> check_elf(Bench& bench) {
  MASH_ASSIGN(const std::string bytes, read_file(bench.target().plugin));
  MASH_TRY(ElfFile::open(bytes));
  return finding(Outcome::kPass, "{} bytes", bytes.size());
}

Result<Finding> check_symbols(Bench& bench) {
  MASH_ASSIGN(const std::string bytes, read_file(bench.target().plugin));
  MASH_ASSIGN(const ElfFile elf, ElfFile::open(bytes));
  MASH_TRY(find_plugin_symbol(elf));
  MASH_ASSIGN(const auto symbols, elf.exported_symbols());
  const auto extra = std::find_if(symbols.begin(), symbols.end(),
                                  [](const DynamicSymbol& symbol) { return symbol.name != kPluginSymbol; });
  if (extra == symbols.end()) return finding(Outcome::kPass, "exports {} only", kPluginSymbol);
  return finding(Outcome::kFail, "exports {} symbols beside {}, '{}' for one", symbols.size() - 1,
                 kPluginSymbol, extra->name);
}

Result<Finding> check_unique(Bench& bench) {
  MASH_ASSIGN(const std::string bytes, read_file(bench.target().plugin));
  MASH_ASSIGN(const ElfFile elf, ElfFile::open(bytes));
  MASH_ASSIGN(const auto symbols, elf.exported_symbols());
  for (const DynamicSymbol& symbol : symbols)
    if (symbol.is_unique()) return finding(Outcome::kFail, "symbol '{}' has UNIQUE binding", symbol.name);
  return finding(Outcome::kPass, "none of {} symbols", symbols.size());
}

Result<Finding> check_abi(Bench& bench) {
  MASH_ASSIGN(const std::string bytes, read_file(bench.target().plugin));
  MASH_ASSIGN(const ElfFile elf, ElfFile::open(bytes));
  MASH_ASSIGN(const mash_plugin_info_t info, read_handshake(elf));
  MASH_TRY(check_handshake(info));
  return finding(Outcome::kPass, "version {}, {} heuristics", info.abi_version, info.num_heuristics);
}

Result<Finding> check_segments(Bench& bench) {
  MASH_ASSIGN(const std::string bytes, read_file(bench.target().plugin));
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

Result<Finding> check_loads(Bench& bench) {
  MASH_TRY(Library::load(bench.target().plugin));
  return finding(Outcome::kPass, "all libraries and symbols are found");
}

Result<Finding> check_unloads(Bench& bench) {
  const std::string file = bench.target().plugin.string();
  MASH_TRY(Library::load(file));
  // It was ours alone and has been closed: a library that can still be had stays for ever.
  if (void* handle = ::dlopen(file.c_str(), RTLD_NOW | RTLD_NOLOAD); handle != nullptr) {
    ::dlclose(handle);
    return finding(Outcome::kWarn, "still in memory after it was closed");
  }
  return finding(Outcome::kPass, "gone after it was closed");
}

Result<Finding> check_descriptor(Bench& bench) {
  MASH_ASSIGN(const LoadedDescriptor loaded, load_descriptor(bench.target()));
  MASH_ASSIGN(const HeuristicInfo info, read_descriptor(*loaded.heuristic));
  return finding(Outcome::kPass, "{} {}, {} parameters", info.id, info.version, info.parameters.size());
}

// "MIT", "GPL-2.0-or-later", "MIT OR Apache-2.0"
bool looks_like_spdx(std::string_view license) {
  return std::all_of(license.begin(), license.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 || std::string_view(" .-+()").find(char(c)) != std::string_view::npos;
  });
}

Result<Finding> check_about(Bench& bench) {
  MASH_ASSIGN(const LoadedDescriptor loaded, load_descriptor(bench.target()));
  MASH_ASSIGN(const HeuristicInfo info, read_descriptor(*loaded.heuristic));
  const std::pair<const char*, const std::string&> texts[] = {
      {"author", info.author}, {"summary", info.summary}, {"licence", info.license}};
  for (const auto& [name, text] : texts)
    if (text.empty()) return finding(Outcome::kFail, "the {} is empty", name);
  for (const ParameterInfo& parameter : info.parameters)
    if (parameter.summary.empty())
      return finding(Outcome::kFail, "parameter '{}' has no summary", parameter.id);
  if (info.author == "unknown") return finding(Outcome::kWarn, "the author is 'unknown'");
  if (info.license == "NOASSERTION" || !looks_like_spdx(info.license))
    return finding(Outcome::kWarn, "the licence is '{}', expected an SPDX identifier", info.license);
  return finding(Outcome::kPass, "by {}, {}", info.author, info.license);
}

constexpr Check kLoadChecks[] = {
    {"load.elf", Level::kLoad, Outcome::kFail, "the file is a whole shared library for this machine",
     "Build a shared library (-shared -fPIC) on this kind of machine and copy it whole.", check_elf},
    {"load.symbols", Level::kLoad, Outcome::kFail, "it exports mash_plugin and nothing else",
     "End the source with MASH_HEURISTIC(...) and build with mash_add_heuristic or the flags of pkg-config "
     "mash-sdk, which hide all other symbols.",
     check_symbols},
    {"load.unique", Level::kLoad, Outcome::kFail, "no symbol has UNIQUE binding",
     "Compile with -fno-gnu-unique, as mash_add_heuristic does, or plugins will share this variable.",
     check_unique},
    {"load.abi", Level::kLoad, Outcome::kFail,
     "the ABI version and the sizes of its structs are this program's",
     "Compile it again with the headers of the installed MASH SDK.", check_abi},
    {"load.segments", Level::kLoad, Outcome::kWarn, "no memory can be both written to and executed",
     "Link without -z execstack, avoid nested functions and give assembly files a .note.GNU-stack section.",
     check_segments},
    {"load.loads", Level::kLoad, Outcome::kFail,
     "the loader finds all its libraries and symbols; loading does no harm",
     "Link every library that it uses (-Wl,-z,defs shows what is missing) and do no work in static "
     "constructors.",
     check_loads},
    {"load.unloads", Level::kLoad, Outcome::kWarn, "closing it takes it out of memory",
     "Do not link with -z nodelete, and leave no thread_local object or thread behind.", check_unloads},
    {"load.descriptor", Level::kLoad, Outcome::kFail,
     "id, version, functions, and each parameter's type, range and default make sense",
     "Correct what the descriptor says at the place that is named.", check_descriptor},
    {"load.about", Level::kLoad, Outcome::kFail,
     "author, summary, licence and the parameters' summaries are given",
     "Fill in author, one-line summary and SPDX licence in MASH_HEURISTIC(...), and a summary for each "
     "parameter.",
     check_about},
};

}  // namespace

std::span<const Check> load_checks() { return kLoadChecks; }

}  // namespace mash::checks
