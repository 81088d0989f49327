// SPDX-License-Identifier: Apache-2.0
#include "framework/extractors/elf_file.hpp"

#include <elf.h>
#include <libelf.h>

#include <algorithm>
#include <cstring>

#include "framework/base/utf8.hpp"

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

// Whether [offset, offset + size) lies within the file, without the sum's overflow.
bool within(std::uint64_t offset, std::uint64_t size, std::string_view file) {
  return offset <= file.size() && size <= file.size() - offset;
}

}  // namespace

Result<ElfFile> ElfFile::open(std::string_view bytes) {
  if (bytes.size() < SELFMAG || std::memcmp(bytes.data(), ELFMAG, SELFMAG) != 0)
    return input_error("not a library: it does not start like an ELF file");
  if (bytes.size() < sizeof(Elf64_Ehdr)) return input_error("truncated ELF file: its header is cut off");
  elf_version(EV_CURRENT);
  // libelf only reads a file given as memory, its signature notwithstanding.
  ElfFile file(Handle(elf_memory(const_cast<char*>(bytes.data()), bytes.size())), bytes);
  if (file.elf_ == nullptr || elf_kind(file.elf_.get()) != ELF_K_ELF)
    return input_error("damaged ELF file: {}", elf_errmsg(-1));
  MASH_TRY(file.check_header());
  MASH_TRY(file.check_segments());
  MASH_TRY(file.check_sections());
  return file;
}

Status ElfFile::check_header() const {
  GElf_Ehdr header;
  if (gelf_getehdr(elf_.get(), &header) == nullptr)
    return input_error("truncated ELF file: its header is cut off");
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
      !within(header.e_phoff, std::uint64_t(header.e_phnum) * header.e_phentsize, bytes_))
    return input_error("truncated ELF file: its {} program headers at byte {} are not within its {} bytes",
                       header.e_phnum, header.e_phoff, bytes_.size());
  if (header.e_shnum == 0 ||
      !within(header.e_shoff, std::uint64_t(header.e_shnum) * header.e_shentsize, bytes_))
    return input_error("truncated ELF file: its {} section headers at byte {} are not within its {} bytes",
                       header.e_shnum, header.e_shoff, bytes_.size());
  return Done{};
}

Result<std::vector<GElf_Phdr>> ElfFile::segments() const {
  std::size_t num_segments = 0;
  if (elf_getphdrnum(elf_.get(), &num_segments) != 0)
    return input_error("damaged ELF file: {}", elf_errmsg(-1));
  std::vector<GElf_Phdr> segments(num_segments);
  for (std::size_t i = 0; i < num_segments; ++i)
    if (gelf_getphdr(elf_.get(), int(i), &segments[i]) == nullptr)
      return input_error("damaged ELF file: {}", elf_errmsg(-1));
  return segments;
}

Status ElfFile::check_segments() const {
  MASH_ASSIGN(const auto all, segments());
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!within(all[i].p_offset, all[i].p_filesz, bytes_))
      return input_error("truncated ELF file: segment {} ends at byte {}, beyond its {} bytes", i,
                         all[i].p_offset + all[i].p_filesz, bytes_.size());
    if (all[i].p_type == PT_LOAD && all[i].p_memsz < all[i].p_filesz)
      return input_error("damaged ELF file: segment {} is larger on disk than in memory", i);
  }
  if (std::none_of(all.begin(), all.end(), [](const GElf_Phdr& s) { return s.p_type == PT_DYNAMIC; }))
    return input_error("found an ELF file without a dynamic segment, expected a shared library");
  return Done{};
}

Status ElfFile::check_sections() const {
  for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf_.get(), section)) != nullptr;) {
    GElf_Shdr header;
    if (gelf_getshdr(section, &header) == nullptr) return input_error("damaged ELF file: {}", elf_errmsg(-1));
    if (header.sh_type != SHT_NOBITS && !within(header.sh_offset, header.sh_size, bytes_))
      return input_error("truncated ELF file: section {} is not within its {} bytes", elf_ndxscn(section),
                         bytes_.size());
  }
  return Done{};
}

Result<std::vector<DynamicSymbol>> ElfFile::symbols() const {
  std::vector<DynamicSymbol> symbols;
  for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf_.get(), section)) != nullptr;) {
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
      if (GELF_ST_BIND(symbol.st_info) == STB_LOCAL) continue;
      const char* name = elf_strptr(elf_.get(), header.sh_link, symbol.st_name);
      if (name == nullptr) return input_error("damaged ELF file: dynamic symbol {} has no name", i);
      symbols.push_back({printable(name), symbol});
    }
  }
  return symbols;
}

Result<std::vector<DynamicSymbol>> ElfFile::exported_symbols() const {
  MASH_ASSIGN(std::vector<DynamicSymbol> exported, symbols());
  std::erase_if(exported, [](const DynamicSymbol& symbol) { return !symbol.is_defined(); });
  return exported;
}

Result<std::string_view> ElfFile::data_of(const DynamicSymbol& symbol) const {
  GElf_Shdr header;
  Elf_Scn* section = elf_getscn(elf_.get(), symbol.entry.st_shndx);
  if (!symbol.is_defined() || section == nullptr || gelf_getshdr(section, &header) == nullptr ||
      symbol.entry.st_value < header.sh_addr)
    return input_error("damaged ELF file: {} lies in no section", symbol.name);
  if (header.sh_type == SHT_NOBITS)
    return input_error("{} is filled in by code that runs at load time, expected constant data", symbol.name);
  const std::uint64_t offset = symbol.entry.st_value - header.sh_addr;
  if (offset > header.sh_size)
    return input_error("damaged ELF file: {} is not within its section", symbol.name);
  return bytes_.substr(header.sh_offset + offset,
                       std::min<std::uint64_t>(symbol.entry.st_size, header.sh_size - offset));
}

}  // namespace mash
