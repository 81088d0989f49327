// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/workshop/compiler_messages.hpp"

#include <gtest/gtest.h>

namespace mash {
namespace {

TEST(CompilerMessages, AreReadWithTheirNotesAndPlaces) {
  const auto messages = read_compiler_messages(
      R"([{"kind": "error", "message": "bad", "locations": [{"caret": {"file": "a.cpp", "line": 2, "column": 18}}],)"
      R"( "children": [{"kind": "note", "message": "why", "locations": []}]}])"
      "\n/usr/bin/ld: undefined reference\n",
      10);
  ASSERT_EQ(messages.size(), 3u);
  EXPECT_EQ(to_text(messages),
            "a.cpp:2:18: error: bad\nnote: why\nerror: /usr/bin/ld: undefined reference\n");
  EXPECT_EQ(messages[0].line, 2u);
  EXPECT_EQ(messages[0].column, 18u);
}

TEST(CompilerMessages, MayBeAnything) {
  for (const char* output : {"", "\n", "[", "[]", "[1, null, {}]", R"([{"locations": 3, "message": 4}])",
                             R"([{"locations": [{"caret": 1}], "children": {"a": 1}}])", "[[[[["})
    EXPECT_LE(read_compiler_messages(output, 2).size(), 2u) << output;
  EXPECT_EQ(read_compiler_messages("a\nb\nc\n", 2).size(), 2u);
  EXPECT_LE(read_compiler_messages(std::string(1 << 20, '['), 2)[0].text.size(), 2000u);
}

}  // namespace
}  // namespace mash
