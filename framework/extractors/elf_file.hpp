// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gelf.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "framework/base/result.hpp"

namespace mash {

// One entry of a library's dynamic symbol table that is not local to it.
struct DynamicSymbol {
  std::string name;  // printable
  GElf_Sym entry;

  bool is_defined() const { return entry.st_shndx != SHN_UNDEF; }
  bool is_unique() const { return GELF_ST_BIND(entry.st_info) == STB_GNU_UNIQUE; }
};

// A shared library as bytes, read without loading it: none of its code runs. There is an answer for any
// bytes. Refers to the bytes, which must outlive it.
class ElfFile {
 public:
  // Errors (kInput): not a whole shared library for this machine; the first thing that is wrong, in words.
  static Result<ElfFile> open(std::string_view bytes);

  // Defined here or wanted from elsewhere.
  Result<std::vector<DynamicSymbol>> symbols() const;
  // Those that it defines for others.
  Result<std::vector<DynamicSymbol>> exported_symbols() const;
  // The bytes of the file that are the data of a defined symbol. Errors: it lies in no section, or is no
  // data.
  Result<std::string_view> data_of(const DynamicSymbol& symbol) const;
  Result<std::vector<GElf_Phdr>> segments() const;
  std::string_view bytes() const { return bytes_; }

 private:
  struct Closer {
    void operator()(Elf* elf) const { elf_end(elf); }
  };
  using Handle = std::unique_ptr<Elf, Closer>;

  ElfFile(Handle elf, std::string_view bytes) : elf_(std::move(elf)), bytes_(bytes) {}
  Status check_header() const;
  Status check_segments() const;
  Status check_sections() const;

  Handle elf_;
  std::string_view bytes_;
};

}  // namespace mash
