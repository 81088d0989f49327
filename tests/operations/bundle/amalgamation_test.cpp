// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/bundle/amalgamation.hpp"

#include <gmock/gmock.h>

#include "framework/operations/bundle/files.hpp"

namespace mash {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::size_t count_of(const std::string& word, const std::string& text) {
  std::size_t count = 0;
  for (std::size_t at = 0; (at = text.find(word, at)) != std::string::npos; at += word.size()) ++count;
  return count;
}

TEST(Amalgamation, TakesEachFileInOnceAndTheHeadersOfCppOnTop) {
  const Words words;
  const std::string made = Amalgamation(words).of(
      "// a\n//@INCLUDES@\n#include \"own.hpp\"\n#include <mash/heuristic.hpp>\n#include <vector>\n"
      "#include \"heuristics/common/whole_heuristic.hpp\"\nint b;\n",
      "\"own.hpp\"");
  EXPECT_THAT(made, ::testing::StartsWith("// a\n\n#include <"));
  EXPECT_EQ(count_of("#include <vector>", made), 1u);
  EXPECT_EQ(count_of("class WholeHeuristic", made), 1u);
  EXPECT_EQ(count_of("class Heuristic {", made), 1u);
  EXPECT_EQ(count_of("#include \"", made), 1u) << "own.hpp alone";
  EXPECT_THAT(made, Not(HasSubstr("#pragma once")));
  EXPECT_LT(made.find("class Heuristic {"), made.find("class WholeHeuristic"));
}

TEST(Amalgamation, ReplacesWordsInTemplatesAlone) {
  const Words words{{"@NAME@", "digits"}, {"@MACRO@", "DIGITS"}};
  const std::string made = Amalgamation(words).of(
      "//@INCLUDES@\n// @NAME@\n#include \"framework/operations/bundle/pieces/plugin_folder.hpp.in\"\n", "");
  EXPECT_THAT(made, HasSubstr("$DIGITS_PLUGINS"));
  EXPECT_THAT(made, HasSubstr("// @NAME@"));
}

TEST(Amalgamation, GivesASourceANamespaceAndASymbol) {
  const std::string part = as_part("#include <vector>\n#define SIDE(x) x\nint a;", "digits", 3);
  EXPECT_EQ(part,
            "#include <vector>\n#define mash_plugin digits_plugin_3\nnamespace digits_source_3 {\n"
            "#include <vector>\n#define SIDE(x) x\nint a;\n}  // namespace digits_source_3\n"
            "#undef mash_plugin\n#undef SIDE\n");
}

TEST(Amalgamation, KnowsWhatASourceMayInclude) {
  for (const char* fine : {"#include <vector>", "#include <math.h>", "#include <mash/heuristic.hpp>",
                           "#include \"mash/heuristic.hpp\"", "  #  include <mash/abi/entry.h>", "#if A",
                           "// #include <opencv2/core.hpp>"})
    EXPECT_TRUE(check_source("a.cpp", fine).ok()) << fine;
  for (const char* other :
       {"#include <opencv2/core.hpp>", "#include \"mine.hpp\"", "#include<Eigen/Dense>",
        "#include <mash/opencv.hpp>", "#include <mash/heuristic.h>", "namespace mash::mine {"})
    EXPECT_FALSE(check_source("a.cpp", other).ok()) << other;
}

TEST(Amalgamation, HasTheSourcesOfAllHeuristics) {
  std::size_t num_sources = 0;
  for (const BundledFile& file : bundled_files())
    if (file.path.starts_with("heuristics/") && file.path.ends_with("/heuristic.cpp")) {
      ++num_sources;
      const Status status = check_source(std::string(file.path), std::string(file.text));
      EXPECT_TRUE(status.ok()) << status.error().message;
    }
  EXPECT_GE(num_sources, 26u);
}

}  // namespace
}  // namespace mash
