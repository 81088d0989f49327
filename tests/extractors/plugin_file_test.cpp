// SPDX-License-Identifier: Apache-2.0
#include "framework/extractors/plugin_file.hpp"

#include <elf.h>
#include <sys/stat.h>

#include <cstring>

#include "framework/base/file.hpp"
#include "framework/base/random.hpp"
#include "tests/extractors/test_image.hpp"
#include "tests/extractors/test_plugins.hpp"

namespace mash {
namespace {

using ::testing::HasSubstr;

std::string good_library() { return *read_file(test_plugin("modern")); }

template <class Change>
std::string elf_reason_after(Change change) {
  std::string file = good_library();
  change(*reinterpret_cast<Elf64_Ehdr*>(file.data()));
  return message_of(check_plugin_elf(file));
}

TEST(PluginElf, AcceptsAWholePlugin) { EXPECT_EQ(message_of(check_plugin_elf(good_library())), ""); }

TEST(PluginElf, RefusesWhatIsNoLibraryForThisMachine) {
  EXPECT_THAT(message_of(check_plugin_elf("")), HasSubstr("not a library"));
  EXPECT_THAT(message_of(check_plugin_elf("#!/bin/sh\nexit 0\n")), HasSubstr("not a library"));
  EXPECT_THAT(elf_reason_after([](Elf64_Ehdr& h) { h.e_ident[EI_CLASS] = ELFCLASS32; }),
              HasSubstr("class 1"));
  EXPECT_THAT(elf_reason_after([](Elf64_Ehdr& h) { h.e_machine = EM_SPARC; }), HasSubstr("for machine 2"));
  EXPECT_THAT(elf_reason_after([](Elf64_Ehdr& h) { h.e_type = ET_REL; }), HasSubstr("type 1"));
}

TEST(PluginElf, RefusesForgedTables) {
  EXPECT_THAT(elf_reason_after([](Elf64_Ehdr& h) { h.e_shoff = ~std::uint64_t(0) - 8; }),
              HasSubstr("section headers"));
  EXPECT_THAT(elf_reason_after([](Elf64_Ehdr& h) { h.e_shnum = 60000; }), HasSubstr("section headers"));
  EXPECT_THAT(elf_reason_after([](Elf64_Ehdr& h) { h.e_phoff = 1u << 30; }), HasSubstr("program headers"));
  EXPECT_THAT(elf_reason_after([](Elf64_Ehdr& h) {
                auto* segments = reinterpret_cast<Elf64_Phdr*>(reinterpret_cast<char*>(&h) + h.e_phoff);
                segments[0].p_filesz = ~std::uint64_t(0);
              }),
              HasSubstr("segment 0"));
  EXPECT_THAT(elf_reason_after([](Elf64_Ehdr& h) {
                auto* sections = reinterpret_cast<Elf64_Shdr*>(reinterpret_cast<char*>(&h) + h.e_shoff);
                sections[1].sh_offset = ~std::uint64_t(0);
              }),
              HasSubstr("section 1"));
}

// Section 0 is that of undefined symbols; nobody checks where it lies.
TEST(PluginElf, HasNoDataOfAnUndefinedSymbol) {
  std::string bytes = good_library();
  auto& header = *reinterpret_cast<Elf64_Ehdr*>(bytes.data());
  auto& first = *reinterpret_cast<Elf64_Shdr*>(bytes.data() + header.e_shoff);
  first.sh_offset = std::uint64_t(1) << 45;
  first.sh_size = ~std::uint64_t(0);
  const auto file = ElfFile::open(bytes);
  ASSERT_EQ(message_of(file), "");
  const auto symbols = file->symbols();
  ASSERT_EQ(message_of(symbols), "");
  int num_undefined = 0;
  for (const DynamicSymbol& symbol : *symbols)
    if (!symbol.is_defined()) {
      ++num_undefined;
      EXPECT_THAT(message_of(file->data_of(symbol)), HasSubstr("lies in no section"));
    }
  EXPECT_GT(num_undefined, 0);
}

// The library that Boost.DLL reads such files with throws a bare stream error or bad_alloc on them.
TEST(PluginElf, RefusesEveryTruncation) {
  const std::string file = good_library();
  for (std::size_t size = 4; size < file.size(); size += size < 4096 ? 1 : 61)
    ASSERT_THAT(message_of(check_plugin_elf(file.substr(0, size))), HasSubstr("truncated"))
        << size << " bytes";
}

TEST(PluginElf, SurvivesAnyBytes) {
  const std::string file = good_library();
  RandomStream random(1, "forged libraries");
  int num_accepted = 0;
  for (int trial = 0; trial < 5000; ++trial) {
    std::string forged = file;
    const std::uint64_t num_changes = 1 + random.below(16);
    // Half of the changes hit the tables at the file's ends, where they hurt most.
    for (std::uint64_t i = 0; i < num_changes; ++i) {
      std::size_t at = random.below(forged.size());
      if (random.below(4) == 0) at = random.below(1024);
      if (random.below(4) == 0) at = forged.size() - 1 - random.below(2048);
      forged[at] = char(random.below(256));
    }
    num_accepted += check_plugin_elf(forged).ok() ? 1 : 0;
  }
  EXPECT_LT(num_accepted, 5000);
  EXPECT_GT(num_accepted, 0) << "the changes should not always be seen, or the test is too easy";
}

TEST(PluginElf, ReadsTheHandshakeWithoutLoading) {
  EXPECT_EQ(message_of(check_plugin_elf(*read_file(test_plugin("wrong_abi_version")))),
            "wrong ABI version: found 7, expected 1");
  EXPECT_THAT(message_of(check_plugin_elf(*read_file(test_plugin("wrong_struct_size")))),
              HasSubstr(fmt::format("found host_size = {}, expected {}", sizeof(mash_host_t) + 8,
                                    sizeof(mash_host_t))));
}

TEST(Handshake, NamesTheNumberThatDiffers) {
  const mash_plugin_info_t good = {MASH_PLUGIN_HANDSHAKE, 1, nullptr};
  EXPECT_TRUE(check_handshake(good).ok());
  const std::pair<std::uint32_t mash_plugin_info_t::*, const char*> numbers[] = {
      {&mash_plugin_info_t::abi_version, "ABI version"},
      {&mash_plugin_info_t::plugin_size, "plugin_size"},
      {&mash_plugin_info_t::heuristic_size, "heuristic_size"},
      {&mash_plugin_info_t::parameter_size, "parameter_size"},
      {&mash_plugin_info_t::host_size, "host_size"},
      {&mash_plugin_info_t::image_size, "image_size"}};
  for (const auto& [member, name] : numbers) {
    mash_plugin_info_t changed = good;
    changed.*member += 1;
    EXPECT_THAT(message_of(check_handshake(changed)), HasSubstr(name));
  }
  mash_plugin_info_t many = good;
  many.num_heuristics = 1u << 31;
  EXPECT_THAT(message_of(check_handshake(many)), HasSubstr("2147483648 heuristics"));
}

TEST(PluginFile, OpensNothingButRegularFiles) {
  const TemporaryFolder folder;
  EXPECT_EQ(message_of(read_plugin_file(folder.path() / "absent.so")), "no such file");
  EXPECT_EQ(message_of(read_plugin_file(folder.path())), "not a regular file");
  ASSERT_EQ(::mkfifo((folder.path() / "pipe.so").c_str(), 0600), 0);
  EXPECT_EQ(message_of(read_plugin_file(folder.path() / "pipe.so")), "not a regular file");
  ASSERT_TRUE(write_file_atomically(folder.path() / "empty.so", "").ok());
  EXPECT_EQ(message_of(read_plugin_file(folder.path() / "empty.so")), "the file is empty");
  ASSERT_TRUE(write_file_atomically(folder.path() / "huge.so", "x").ok());
  std::filesystem::resize_file(folder.path() / "huge.so", kMaxPluginBytes + 1);  // a hole: takes no room
  EXPECT_THAT(message_of(read_plugin_file(folder.path() / "huge.so")), HasSubstr("at most 1073741824"));
}

}  // namespace
}  // namespace mash
