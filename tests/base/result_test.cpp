// SPDX-License-Identifier: Apache-2.0
#include "framework/base/result.hpp"

#include <memory>
#include <string>
#include <vector>

namespace mash {
namespace {

Result<int> half_of(int number) {
  if (number % 2) return input_error("{} is odd", number);
  return number / 2;
}

Result<std::string> quarter_in_words(int number) {
  MASH_ASSIGN(const int half, half_of(number));
  MASH_ASSIGN(const int quarter, half_of(half));
  return std::to_string(quarter);
}

Status check_even(int number, bool& went_on) {
  MASH_TRY(half_of(number));
  went_on = true;
  return Done{};
}

TEST(Result, HoldsAValueOrAnError) {
  const auto value = half_of(6);
  ASSERT_TRUE(value.ok());
  EXPECT_TRUE(bool(value));
  EXPECT_EQ(*value, 3);
  const auto error = half_of(7);
  ASSERT_FALSE(error.ok());
  EXPECT_EQ(error.error().kind, ErrorKind::kInput);
  EXPECT_EQ(error.error().message, "7 is odd");
}

TEST(Result, AssignLeavesWithTheFirstError) {
  EXPECT_EQ(*quarter_in_words(12), "3");
  EXPECT_EQ(quarter_in_words(6).error().message, "3 is odd");
  EXPECT_EQ(quarter_in_words(5).error().message, "5 is odd");
}

TEST(Result, TryGoesOnOnlyAfterSuccess) {
  bool went_on = false;
  EXPECT_FALSE(check_even(3, went_on).ok());
  EXPECT_FALSE(went_on);
  EXPECT_TRUE(check_even(4, went_on).ok());
  EXPECT_TRUE(went_on);
}

TEST(Result, MovesWhatCannotBeCopied) {
  Result<std::unique_ptr<int>> result(std::make_unique<int>(5));
  const std::unique_ptr<int> taken = *std::move(result);
  EXPECT_EQ(*taken, 5);
}

TEST(Error, AtPutsThePlaceInFront) {
  const Error error = failure("disk full").at("store").at("run 3");
  EXPECT_EQ(error.message, "run 3: store: disk full");
  EXPECT_EQ(error.kind, ErrorKind::kFailure);
}

TEST(Result, TextsOfErrorsAreCut) {
  const std::string name(50'000'000, 'n');
  for (const Error& error :
       {input_error("found '{}' twice", name), input_error("found '{}'", std::string_view(name)),
        input_error("found '{}'", name.c_str()), input_error("no {}", "x").at(name)}) {
    EXPECT_LT(error.message.size(), 3000u);
    EXPECT_NE(error.message.find("nnn... (50000000 bytes)"), std::string::npos);
  }
  EXPECT_EQ(input_error("found '{}', {} of {:.1f}", "a", 3, 2.5).message, "found 'a', 3 of 2.5");
  EXPECT_EQ(shortened("aé", 2), "a... (3 bytes)") << "no half characters";
}

TEST(Result, MessagesAreUtf8) {
  struct Quoted {
    std::string text, shown;
  };
  for (const Quoted& quoted : {Quoted{"a\xc3", "a?"},
                               {"\xff\xfe", "??"},
                               {"h\xc3\xa4\xe2\x82z", "hä??z"},
                               {"sound: ä\n\tb", "sound: ä\n\tb"}}) {
    EXPECT_EQ(input_error("found '{}'", quoted.text).message, "found '" + quoted.shown + "'");
    EXPECT_EQ(input_error("no").at(quoted.text).message, quoted.shown + ": no");
    EXPECT_EQ(listed(std::vector{quoted.text}), quoted.shown);
  }
}

TEST(Result, ListsEnd) {
  const std::vector<std::string> names{"a", "b", "c"};
  EXPECT_EQ(listed(names), "a, b, c");
  EXPECT_EQ(listed(names, 2), "a, b and 1 more");
  EXPECT_EQ(listed(std::vector<std::string>(40'000, "x"), 2), "x, x and 39998 more");
  EXPECT_LT(listed(std::vector<std::string>(3, std::string(5000, 'x'))).size(), 1000u);
}

}  // namespace
}  // namespace mash
