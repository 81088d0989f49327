// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/workshop/classic_source.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "tests/support/scratch_folder.hpp"

namespace mash {
namespace {

struct SourceText {
  std::string text;
  bool is_classic = false;
};

// A pattern matcher that calls itself would overflow the stack on the last ones.
const SourceText kSourceTexts[] = {
    {"#include <mash/heuristic.h>\n", true},
    {"int a;\n\t# \tinclude \"mash/image.h\"", true},
    {"#include <mash/simple_heuristic_container.h>\r\n", true},
    {"#include <mash/heuristic.hpp>\n"},
    {"// #include <mash/heuristic.h>\n"},
    {"#include mash/heuristic.h\n"},
    {"#include <mash/heuristic.h\n"},
    {"#include\n"},
    {""},
    {"#include \"" + std::string(1'000'000, 'a') + "\"\n"},
    {"#include \"" + std::string(1'000'000, 'a')},
    {std::string(1'000'000, '#')},
    {"#include" + std::string(1'000'000, ' ')},
    {std::string(1'000'000, ' ') + "#include <mash/heuristic.h>", true},
};

TEST(ClassicSource, IsFoundInAnyText) {
  const testing::ScratchFolder folder;
  for (const SourceText& row : kSourceTexts) {
    const std::string what = row.text.substr(0, 60);
    EXPECT_EQ(includes_classic_header(row.text), row.is_classic) << what;
    std::ofstream(folder / "a.cpp") << row.text;
    EXPECT_EQ(is_classic_source(folder / "a.cpp"), row.is_classic) << what;
  }
}

TEST(ClassicSource, IsFoundThroughHeadersBesideIt) {
  const testing::ScratchFolder folder;
  std::ofstream(folder / "a.cpp") << "#include \"b.h\"\n#include \"a.cpp\"\n";
  EXPECT_FALSE(is_classic_source(folder / "a.cpp"));
  std::ofstream(folder / "b.h") << "#include \"c.h\"\n#include \"b.h\"\n";
  std::ofstream(folder / "c.h") << "#include <mash/heuristic.h>\n";
  EXPECT_TRUE(is_classic_source(folder / "a.cpp"));
}

}  // namespace
}  // namespace mash
