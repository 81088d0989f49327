// SPDX-License-Identifier: Apache-2.0
#include "framework/base/bounded_json.hpp"

#include <gmock/gmock.h>

namespace mash {
namespace {

std::string nested(std::size_t depth, std::string_view begin, std::string_view end) {
  std::string text;
  for (std::size_t i = 0; i < depth; ++i) text += begin;
  for (std::size_t i = 0; i < depth; ++i) text += end;
  return text;
}

struct BoundedText {
  const char* what;
  std::string text;
  const char* error;  // a part of it; "" where it is taken
};

// Bounds of 100 bytes, 3 levels and 5 values.
const BoundedText kBoundedTexts[] = {
    {"a number", "1", ""},
    {"three levels", R"({"a": [[1]]})", ""},
    {"five values", "[1, 2, 3, 4]", ""},
    {"a level too many", R"({"a": [[[]]]})", "nested more than 3 deep"},
    {"a level too many, of objects", R"({"a": {"b": {"c": {}}}})", "nested more than 3 deep"},
    {"a value too many", "[1, 2, 3, 4, 5]", "more than 5 values"},
    {"a byte too many", std::string(101, ' '), "found 101 bytes"},
    {"nothing", "", "no JSON"},
    {"half of it", R"({"a": [)", "no JSON"},
    {"two of them", "1 2", "no JSON"},
    {"no UTF-8", "\"\xff\"", "no JSON"},
};

TEST(BoundedJson, IsCheckedBeforeAnythingIsBuilt) {
  constexpr JsonBounds kBounds{100, 3, 5};
  for (const BoundedText& row : kBoundedTexts) {
    const auto json = parse_json(row.text, kBounds);
    EXPECT_EQ(json.ok(), std::string_view(row.error).empty()) << row.what;
    if (json.ok()) continue;
    EXPECT_EQ(json.error().kind, ErrorKind::kInput);
    EXPECT_THAT(json.error().message, ::testing::HasSubstr(row.error)) << row.what;
  }
}

// Copied or compared, a document of this depth would overflow the stack.
TEST(BoundedJson, NestsAsDeepAsItMayAndNoDeeper) {
  constexpr JsonBounds kBounds{std::size_t(1) << 26, 16, 1'000'000};
  for (const auto& [begin, end] :
       {std::pair("[", "]"), std::pair("{\"a\":[", "]}"), std::pair("[{\"a\":", "}]")})
    for (const std::size_t depth : {std::size_t(1'000), std::size_t(1'000'000)})
      EXPECT_THAT(parse_json(nested(depth, begin, end), kBounds).error().message,
                  ::testing::HasSubstr("nested more than 16 deep"));
  EXPECT_TRUE(parse_json(nested(16, "[", "]"), kBounds).ok());
  EXPECT_FALSE(parse_json(nested(17, "[", "]"), kBounds).ok());
}

TEST(BoundedJson, WhatIsNoObjectIsAnEmptyOne) {
  for (const char* text : {"", "[1]", "3", "{", "null"})
    EXPECT_EQ(parse_object(text), nlohmann::json::object());
  EXPECT_EQ(parse_object(R"({"a": 1})")["a"], 1);
}

}  // namespace
}  // namespace mash
