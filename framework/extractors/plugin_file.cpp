// SPDX-License-Identifier: Apache-2.0
#include "framework/extractors/plugin_file.hpp"

#include <elf.h>
#include <gelf.h>
#include <libelf.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>
#include <vector>

#include "framework/base/file.hpp"
#include "framework/base/hash.hpp"

namespace mash {
namespace {

#if defined(__x86_64__)
constexpr unsigned kThisMachine = EM_X86_64;
constexpr std::string_view kThisMachineName = "x86-64";
#elif defined(__aarch64__)
constexpr unsigned kThisMachine = EM_AARCH64;
constexpr std::string_view kThisMachineName = "AArch64";
#elif defined(__riscv)
constexpr unsigned kThisMachine = EM_RISCV;
constexpr std::string_view kThisMachineName = "RISC-V";
#else
#error "name this machine's ELF number here"
#endif
constexpr int kThisClass = sizeof(void*) == 8 ? ELFCLASS64 : ELFCLASS32;

struct ElfCloser {
  void operator()(Elf* elf) const { elf_end(elf); }
};
using ElfHandle = std::unique_ptr<Elf, ElfCloser>;

// Whether [offset, offset + size) lies within the file, without the sum's overflow.
bool within(std::uint64_t offset, std::uint64_t size, std::string_view file) {
  return offset <= file.size() && size <= file.size() - offset;
}

Status check_header(Elf* elf, std::string_view file) {
  GElf_Ehdr header;
  if (gelf_getehdr(elf, &header) == nullptr) return input_error("truncated ELF file: its header is cut off");
  if (header.e_ident[EI_CLASS] != kThisClass)
    return input_error("found an ELF file of class {}, expected {} ({}-bit)", int(header.e_ident[EI_CLASS]),
                       kThisClass, 8 * sizeof(void*));
  if (header.e_machine != kThisMachine)
    return input_error("found an ELF file for machine {}, expected {} ({})", header.e_machine, kThisMachine,
                       kThisMachineName);
  if (header.e_type != ET_DYN)
    return input_error("found an ELF file of type {}, expected {} (shared library)", header.e_type,
                       int(ET_DYN));
  if (header.e_phnum == 0 ||
      !within(header.e_phoff, std::uint64_t(header.e_phnum) * header.e_phentsize, file))
    return input_error("truncated ELF file: its {} program headers at byte {} are not within its {} bytes",
                       header.e_phnum, header.e_phoff, file.size());
  if (header.e_shnum == 0 ||
      !within(header.e_shoff, std::uint64_t(header.e_shnum) * header.e_shentsize, file))
    return input_error("truncated ELF file: its {} section headers at byte {} are not within its {} bytes",
                       header.e_shnum, header.e_shoff, file.size());
  return Done{};
}

Status check_segments(Elf* elf, std::string_view file) {
  std::size_t num_segments = 0;
  if (elf_getphdrnum(elf, &num_segments) != 0) return input_error("damaged ELF file: {}", elf_errmsg(-1));
  bool has_dynamic = false;
  for (std::size_t i = 0; i < num_segments; ++i) {
    GElf_Phdr segment;
    if (gelf_getphdr(elf, int(i), &segment) == nullptr)
      return input_error("damaged ELF file: {}", elf_errmsg(-1));
    if (!within(segment.p_offset, segment.p_filesz, file))
      return input_error("truncated ELF file: segment {} ends at byte {}, beyond its {} bytes", i,
                         segment.p_offset + segment.p_filesz, file.size());
    if (segment.p_type == PT_LOAD && segment.p_memsz < segment.p_filesz)
      return input_error("damaged ELF file: segment {} is larger on disk than in memory", i);
    has_dynamic |= segment.p_type == PT_DYNAMIC;
  }
  if (!has_dynamic)
    return input_error("found an ELF file without a dynamic segment, expected a shared library");
  return Done{};
}

Status check_sections(Elf* elf, std::string_view file) {
  for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf, section)) != nullptr;) {
    GElf_Shdr header;
    if (gelf_getshdr(section, &header) == nullptr) return input_error("damaged ELF file: {}", elf_errmsg(-1));
    if (header.sh_type != SHT_NOBITS && !within(header.sh_offset, header.sh_size, file))
      return input_error("truncated ELF file: section {} is not within its {} bytes", elf_ndxscn(section),
                         file.size());
  }
  return Done{};
}

struct DynamicSymbol {
  std::string name;
  GElf_Sym symbol;
};

// The symbols that the file defines for others.
Result<std::vector<DynamicSymbol>> exported_symbols(Elf* elf) {
  std::vector<DynamicSymbol> symbols;
  for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf, section)) != nullptr;) {
    GElf_Shdr header;
    if (gelf_getshdr(section, &header) == nullptr || header.sh_type != SHT_DYNSYM) continue;
    Elf_Data* data = elf_getdata(section, nullptr);
    if (data == nullptr || header.sh_entsize == 0)
      return input_error("damaged ELF file: its dynamic symbol table cannot be read");
    const std::size_t num_symbols = header.sh_size / header.sh_entsize;
    for (std::size_t i = 0; i < num_symbols; ++i) {
      GElf_Sym symbol;
      if (gelf_getsym(data, int(i), &symbol) == nullptr)
        return input_error("damaged ELF file: dynamic symbol {} cannot be read", i);
      if (symbol.st_shndx == SHN_UNDEF || GELF_ST_BIND(symbol.st_info) == STB_LOCAL) continue;
      const char* name = elf_strptr(elf, header.sh_link, symbol.st_name);
      if (name == nullptr) return input_error("damaged ELF file: dynamic symbol {} has no name", i);
      symbols.push_back({name, symbol});
    }
  }
  return symbols;
}

// The handshake as it stands in the file; it holds no address but the last, so needs no loader.
Result<mash_plugin_info_t> read_handshake(Elf* elf, const GElf_Sym& symbol, std::string_view file) {
  if (GELF_ST_TYPE(symbol.st_info) != STT_OBJECT)
    return input_error("{} is not data, expected a constant of type mash_plugin_info_t", kPluginSymbol);
  GElf_Shdr header;
  Elf_Scn* section = elf_getscn(elf, symbol.st_shndx);
  if (section == nullptr || gelf_getshdr(section, &header) == nullptr || symbol.st_value < header.sh_addr)
    return input_error("damaged ELF file: {} lies in no section", kPluginSymbol);
  if (header.sh_type == SHT_NOBITS)
    return input_error("{} is filled in by code that runs at load time, expected constant data",
                       kPluginSymbol);
  const std::uint64_t offset = symbol.st_value - header.sh_addr;
  mash_plugin_info_t info{};
  // A plugin of another version may have a smaller struct: take what there is, the version decides.
  const std::size_t size = std::min<std::uint64_t>(symbol.st_size, sizeof info);
  if (offset > header.sh_size || size > header.sh_size - offset || size < sizeof info.abi_version)
    return input_error("damaged ELF file: {} is not within its section", kPluginSymbol);
  std::memcpy(&info, file.data() + header.sh_offset + offset, size);
  return info;
}

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

Status check_plugin_elf(std::string_view file) {
  if (file.size() < SELFMAG || std::memcmp(file.data(), ELFMAG, SELFMAG) != 0)
    return input_error("not a library: it does not start like an ELF file");
  if (file.size() < sizeof(Elf64_Ehdr)) return input_error("truncated ELF file: its header is cut off");
  elf_version(EV_CURRENT);
  // libelf only reads a file given as memory, its signature notwithstanding.
  const ElfHandle elf(elf_memory(const_cast<char*>(file.data()), file.size()));
  if (elf == nullptr || elf_kind(elf.get()) != ELF_K_ELF)
    return input_error("damaged ELF file: {}", elf_errmsg(-1));
  MASH_TRY(check_header(elf.get(), file));
  MASH_TRY(check_segments(elf.get(), file));
  MASH_TRY(check_sections(elf.get(), file));
  MASH_ASSIGN(const auto symbols, exported_symbols(elf.get()));
  std::optional<GElf_Sym> entry;
  for (const auto& [name, symbol] : symbols) {
    if (GELF_ST_BIND(symbol.st_info) == STB_GNU_UNIQUE)
      return input_error(
          "symbol '{}' has UNIQUE binding and would be shared between plugins; compile with "
          "-fno-gnu-unique (mash_add_heuristic does)",
          name);
    if (name == kPluginSymbol) entry = symbol;
  }
  if (!entry)
    return input_error(
        "no symbol '{}'; end the source with MASH_HEURISTIC(...) and compile against the MASH SDK",
        kPluginSymbol);
  MASH_ASSIGN(const mash_plugin_info_t info, read_handshake(elf.get(), *entry, file));
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
