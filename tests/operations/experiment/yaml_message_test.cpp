// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/experiment/yaml_message.hpp"

#include <gmock/gmock.h>
#include <yaml-cpp/yaml.h>

namespace mash {
namespace {

// The message on a text that yaml-cpp refuses.
std::string said_of(const std::string& text) {
  try {
    YAML::Load(text);
  } catch (const YAML::Exception& error) {
    return yaml_message(error.msg);
  }
  return "it is YAML";
}

// With the yaml-cpp that is there: another version may say other things.
TEST(YamlMessage, SaysWhatIsWrong) {
  using ::testing::HasSubstr;
  EXPECT_THAT(said_of("{a: 1"), HasSubstr("found no '}'"));
  EXPECT_THAT(said_of("a: [1, 2"), HasSubstr("found no ']'"));
  EXPECT_THAT(said_of("a: 1\n b: 2\n"), HasSubstr("found a ':' that no key can have here"));
  EXPECT_THAT(said_of("a:\n  b: 1\n c\n"), HasSubstr("found a line that is no key of the mapping around it"));
  EXPECT_THAT(said_of("-\n  - 1\n  b: 2\n"), HasSubstr("found a line that is no item of the list around it"));
  EXPECT_THAT(said_of("a: b: c"), HasSubstr("a text with ': ' in it needs quotes"));
  EXPECT_THAT(said_of("a: 'b"), HasSubstr("whose quote is not closed"));
  EXPECT_THAT(said_of("a: }"), HasSubstr("found a '}' or ']' without"));
  EXPECT_THAT(said_of("a: *b"), HasSubstr("found *NAME without a &NAME before it"));
  EXPECT_THAT(said_of("a: \"\\q\""), HasSubstr("found an unknown escape behind a '\\'"));
  EXPECT_THAT(said_of("a: @b"), HasSubstr("needs quotes"));
}

TEST(YamlMessage, HasWordsForAnyOther) {
  EXPECT_EQ(yaml_message("something new"), "the text cannot be read from here on");
}

}  // namespace
}  // namespace mash
