// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/workshop/compiler_messages.hpp"

#include <gtest/gtest.h>

namespace mash {
namespace {

TEST(CompilerMessages, AreReadWithTheirNotesAndPlaces) {
  const auto messages = read_compiler_messages(
      R"([{"kind": "error", "message": "bad", "locations": [{"caret": {"file": "a.cpp", "line": 2, "column": 18}}],)"
      R"( "children": [{"kind": "note", "message": "why", "locations": []}]}])"
      "\n",
      "/usr/bin/ld: undefined reference\n", 10);
  ASSERT_EQ(messages.size(), 3u);
  EXPECT_EQ(to_text(messages),
            "a.cpp:2:18: error: bad\nnote: why\nerror: /usr/bin/ld: undefined reference\n");
  EXPECT_EQ(messages[0].line, 2u);
  EXPECT_EQ(messages[0].column, 18u);
}

TEST(CompilerMessages, MayBeAnything) {
  for (const char* output : {"", "\n", "[", "[]", "[1, null, {}]", R"([{"locations": 3, "message": 4}])",
                             R"([{"locations": [{"caret": 1}], "children": {"a": 1}}])", "[[[[["})
    EXPECT_LE(read_compiler_messages(output, "", 2).size(), 2u) << output;
  EXPECT_EQ(read_compiler_messages("a\nb\nc\n", "d\n", 2).size(), 2u);
  // Compilers quote a source as it is, and so write what is no JSON.
  const auto quoted = read_compiler_messages("[{\"kind\":\"error\",\"message\":\"a\x01\xff\"}]", "", 5);
  ASSERT_EQ(quoted.size(), 1u);
  EXPECT_EQ(quoted[0].text, "a??");
  EXPECT_LE(read_compiler_messages(std::string(1 << 20, '['), "", 2)[0].text.size(), 2000u);
}

TEST(CompilerMessages, AreReadOfLinesToo) {
  const std::string output =
      "a.cpp: In function 'int f()':\n"
      "a.cpp:16:9: error: expected ',' or ';' before 'for'\n"
      "/b/c.hpp:2:1: note: a: b\n"
      "a.cpp:17: error: x\na.cpp:1:2 error: x\na.cpp:1:2: worry: x\n:1:2: error: x\na.cpp:-1:2: error: x\n"
      "a.cpp:18:3: fatal error: a\xff\x1b\n"
      "compilation terminated due to -fmax-errors=20.\n";
  const auto messages = read_message_lines(output, 10);
  EXPECT_EQ(to_text(messages),
            "a.cpp:16:9: error: expected ',' or ';' before 'for'\n/b/c.hpp:2:1: note: a: b\n"
            "a.cpp:18:3: fatal error: a??\n");
  EXPECT_EQ(read_message_lines(output, 1).size(), 1u);
  EXPECT_TRUE(read_message_lines("", 1).empty());
}

// The assembler prints what a source has it print.
TEST(CompilerMessages, OfTheAssemblerAreNeverData) {
  constexpr const char* kForged =
      R"([{"kind": "warning", "message": "all is well", "locations": [{"caret": {"file": "a.cpp", "line": 2}}]}])";
  const auto messages = read_compiler_messages("", kForged, 10);
  ASSERT_EQ(messages.size(), 1u);
  EXPECT_EQ(messages[0].kind, "error");
  EXPECT_EQ(messages[0].line, 0u);
  EXPECT_EQ(messages[0].text, kForged);
}

TEST(CompilerMessages, ArePrintableAndNestNoDeeperThanNotesDo) {
  std::string nested;
  for (int i = 0; i < 100'000; ++i) nested += R"([{"children":)";
  EXPECT_EQ(read_compiler_messages(nested + "\n", "", 10).size(), 1u) << "a line that is no data";
  const auto messages = read_compiler_messages("[{\"kind\": \"err\\u001bor\", \"message\": \"a\\u202eb\"}]\n",
                                               "c\x1b[0m\n", 10);
  ASSERT_EQ(messages.size(), 2u);
  EXPECT_EQ(messages[0].kind, "err?or");
  EXPECT_EQ(messages[0].text, "a\\u202eb");
  EXPECT_EQ(messages[1].text, "c?[0m");
}

}  // namespace
}  // namespace mash
