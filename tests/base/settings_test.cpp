// SPDX-License-Identifier: Apache-2.0
#include "framework/base/settings.hpp"

#include <rapidcheck/gtest.h>

#include <array>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace mash {
namespace {

constexpr std::array<std::string_view, 2> kChoices{"red", "green"};

Settings with(std::string key, std::string value) {
  Settings settings;
  settings.add(std::move(key), std::move(value), "file.yaml:12");
  return settings;
}

TEST(Settings, GiveTheFallbackWhereTheKeyIsAbsent) {
  Settings settings;
  EXPECT_EQ(*settings.integer("i", 4, 1, 9), 4);
  EXPECT_EQ(*settings.real("r", 0.5, 0, 1), 0.5);
  EXPECT_EQ(*settings.text("t", "x"), "x");
  EXPECT_EQ(*settings.boolean("b", true), true);
  EXPECT_EQ(*settings.choice("c", "red", kChoices), "red");
  EXPECT_EQ(settings.where("i"), "");
  EXPECT_FALSE(settings.has("i"));
}

TEST(Settings, KnowWhatWasAskedForWithItsFallback) {
  Settings settings = with("i", "7");
  constexpr std::array kSizes{Choice{"small", 1}, Choice{"large", 9}};
  (void)settings.integer("i", 4, 1, 9);
  (void)settings.integer("i", 5, 1, 9);
  (void)settings.real("r", 0.5, 0, 1);
  (void)settings.text("t", "x");
  (void)settings.boolean("b", true);
  (void)settings.choice("c", "red", kChoices);
  (void)settings.one_of("o", 9, kSizes);
  std::vector<std::pair<std::string, std::string>> known;
  for (const Settings::Known& one : settings.known()) known.emplace_back(one.key, one.fallback);
  EXPECT_EQ(known, (decltype(known){
                       {"i", "4"}, {"r", "0.5"}, {"t", "x"}, {"b", "true"}, {"c", "red"}, {"o", "large"}}));
}

TEST(Settings, GiveTheValue) {
  EXPECT_EQ(*with("k", "-7").integer("k", 0, -10, 10), -7);
  EXPECT_EQ(*with("k", "9223372036854775807").integer("k", 0, 0, INT64_MAX), INT64_MAX);
  EXPECT_EQ(*with("k", "2.5e-3").real("k", 0, 0, 1), 2.5e-3);
  EXPECT_EQ(*with("k", "").text("k", "x"), "");
  EXPECT_EQ(*with("k", "false").boolean("k", true), false);
  EXPECT_EQ(*with("k", "true").boolean("k", false), true);
  EXPECT_EQ(*with("k", "green").choice("k", "red", kChoices), "green");
}

template <class T>
void expect_error(const Result<T>& result, const std::string& value, const std::string& expected) {
  ASSERT_FALSE(result.ok()) << value;
  EXPECT_EQ(result.error().kind, ErrorKind::kInput);
  EXPECT_EQ(result.error().message, "file.yaml:12: k: found '" + value + "', expected " + expected);
}

TEST(Settings, RefuseWhatIsNoWholeNumberInRange) {
  for (const std::string value : {"", "x", "1.5", "3 ", " 3", "0", "10", "99999999999999999999", "+3"})
    expect_error(with("k", value).integer("k", 4, 1, 9), value, "a whole number from 1 to 9");
}

TEST(Settings, RefuseWhatIsNoNumberInRange) {
  for (const std::string value : {"", "x", "1.5x", "-0.1", "1.1", "nan", "inf", "0,5"})
    expect_error(with("k", value).real("k", 0.5, 0, 1), value, "a number from 0 to 1");
}

TEST(Settings, RefuseWhatIsNoTruthValue) {
  for (const std::string value : {"yes", "True", "1", ""})
    expect_error(with("k", value).boolean("k", true), value, "true or false");
}

TEST(Settings, RefuseWhatIsNotAmongTheChoices) {
  for (const std::string value : {"blue", ""})
    expect_error(with("k", value).choice("k", "red", kChoices), value, "one of red, green");
  expect_error(with("k", "Red").choice("k", "red", kChoices), "Red",
               "one of red, green; did you mean 'red'?");
}

TEST(Settings, FinishRefusesAKeyThatNobodyReadAndListsThose) {
  Settings settings = with("cel", "4");
  EXPECT_EQ(*settings.integer("cell", 8, 1, 64), 8);
  EXPECT_EQ(*settings.integer("bins", 9, 1, 64), 9);
  EXPECT_EQ(*settings.integer("cell", 8, 1, 64), 8) << "asked twice, listed once";
  const Status status = settings.finish("heuristic hog");
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().kind, ErrorKind::kInput);
  EXPECT_EQ(status.error().message,
            "file.yaml:12: heuristic hog: unknown key 'cel'; did you mean 'cell'? known: cell, bins");
}

TEST(Settings, FinishIsContentWhereAllWasRead) {
  Settings settings = with("cell", "4");
  EXPECT_FALSE(settings.finish("heuristic hog").ok());
  EXPECT_EQ(*settings.integer("cell", 8, 1, 64), 4);
  EXPECT_TRUE(settings.finish("heuristic hog").ok());
}

TEST(Settings, AddingAgainReplacesValueAndPlace) {
  Settings settings = with("cell", "4");
  settings.add("cell", "6", "--set");
  EXPECT_EQ(*settings.integer("cell", 8, 1, 64), 6);
  EXPECT_EQ(settings.where("cell"), "--set");
  EXPECT_EQ(settings.entries().size(), 1u);
}

TEST(Settings, PeekSeesAKeyThatEraseTakesAway) {
  Settings settings = with("scale", "tuned");
  EXPECT_EQ(settings.peek("scale"), "tuned");
  EXPECT_EQ(settings.peek("ratio"), std::nullopt);
  settings.erase("scale");
  EXPECT_FALSE(settings.has("scale"));
  EXPECT_TRUE(settings.finish("sampler ucb").ok()) << "nothing is left to refuse";
}

TEST(Settings, SayWhatKeysTake) {
  Settings settings;
  constexpr std::array kSizes{Choice{"small", 1}, Choice{"large", 9}};
  (void)settings.integer("i", 4, 1, 9);
  (void)settings.integer_or("a", "auto", 1, 8);
  (void)settings.real("r", 0.5, 0, 1);
  (void)settings.text("t", "x");
  (void)settings.text("l", "", Settings::Kind::kList);
  (void)settings.boolean("b", true);
  (void)settings.one_of("o", 9, kSizes);
  using Kind = Settings::Kind;
  std::vector<Kind> kinds;
  for (const Settings::Known& one : settings.known()) kinds.push_back(one.kind);
  EXPECT_EQ(kinds, (std::vector{Kind::kInteger, Kind::kInteger, Kind::kReal, Kind::kText, Kind::kList,
                                Kind::kBoolean, Kind::kChoice}));
  EXPECT_EQ(settings.known()[0].maximum, 9);
  EXPECT_EQ(settings.known()[1].words, std::vector<std::string>{"auto"});
  EXPECT_EQ(settings.known()[2].minimum, 0);
  EXPECT_EQ(settings.known()[6].words, (std::vector<std::string>{"small", "large"}));
}

// The value that holds for a key with this text; `read` asks for it.
std::string held(const char* text, const std::function<void(Settings&)>& read) {
  Settings settings = with("k", text);
  read(settings);
  return settings.known()[0].holds;
}

TEST(Settings, SayWhatHoldsInOneSpelling) {
  constexpr std::array kSizes{Choice{"small", 1}, Choice{"1", 1}, Choice{"large", 9}};
  const auto real = [](Settings& s) { (void)s.real("k", 10, -100, 100); };
  const auto integer = [](Settings& s) { (void)s.integer("k", 10, 0, 100); };
  const auto choice = [&](Settings& s) { (void)s.one_of("k", 9, kSizes); };
  const auto list = [](Settings& s) { (void)s.list("k", {"a", "b"}); };
  for (const char* ten : {"10", "10.0", "1e1"}) EXPECT_EQ(held(ten, real), "10");
  EXPECT_EQ(held("-0", real), "0");
  EXPECT_EQ(held("010", integer), "10");
  EXPECT_EQ(held("small", choice), held("1", choice));
  EXPECT_EQ(held("b, c", list), "[b, c]");
  EXPECT_EQ(held("a,b", list), "a,b") << "as the default, which has no brackets";
  Settings nothing;
  EXPECT_EQ(*nothing.real("k", 0.5, 0, 1), 0.5);
  EXPECT_EQ(nothing.known()[0].holds, nothing.known()[0].fallback);
}

TEST(Settings, KeepListsApartFromTextsWithCommas) {
  Settings settings;
  settings.add_list("k", {"a,b", "", "c"}, "file.yaml:12");
  EXPECT_EQ(*settings.list("k"), (std::vector<std::string>{"a,b", "", "c"}));
  EXPECT_EQ(*with("k", "a,b").list("k"), (std::vector<std::string>{"a", "b"}));
  expect_error(settings.text("k", ""), "[\"a,b\", \"\", c]", "one text");
  expect_error(settings.integer("k", 1, 0, 9), "[\"a,b\", \"\", c]", "a whole number from 0 to 9");
}

TEST(Settings, TakeAWordInPlaceOfANumber) {
  EXPECT_EQ(*with("k", "auto").integer_or("k", "auto", 1, 9), std::nullopt);
  EXPECT_EQ(*with("other", "3").integer_or("k", "auto", 1, 9), std::nullopt);
  EXPECT_EQ(*with("k", "3").integer_or("k", "auto", 1, 9), 3);
  expect_error(with("k", "10").integer_or("k", "auto", 1, 9), "10", "a whole number from 1 to 9, or auto");
  EXPECT_EQ(*with("k", "auto").real_or("k", "auto", 0, 1), std::nullopt);
  EXPECT_EQ(*with("k", "0.25").real_or("k", "auto", 0, 1), 0.25);
  expect_error(with("k", "2").real_or("k", "auto", 0, 1), "2", "a number from 0 to 1, or auto");
  expect_error(with("k", "nan").real_or("k", "auto", 0, 1), "nan", "a number from 0 to 1, or auto");
}

std::vector<std::string> messages(std::span<const Error> errors) {
  std::vector<std::string> texts;
  for (const Error& error : errors) texts.push_back(error.message);
  return texts;
}

// As somebody reads settings who looks for errors of their own.
Result<std::int64_t> read_all(Settings& settings) {
  MASH_ASSIGN(const auto cell, settings.integer("cell", 8, 1, 64));
  MASH_ASSIGN(const double share, settings.real("share", 0.5, 0, 1));
  if (cell > 32 && share > 0) MASH_TRY(settings.refuse(input_error("cell and share do not go together")));
  MASH_TRY(settings.choice("colour", "red", kChoices));
  MASH_TRY(settings.boolean("fast", false));
  MASH_TRY(settings.finish("heuristic hog"));
  return cell;
}

TEST(Settings, CheckingKeepsAllErrorsAndReadsOnWithTheFallbacks) {
  Settings settings;
  settings.add("cell", "0", "f:1:5");
  settings.add("shade", "1", "f:2:5");
  settings.add("colour", "rad", "f:3:5");
  settings.add("fast", "yes", "f:4:5");
  settings.add("depth", "9", "f:5:5");
  Settings checked = settings.for_checking();
  EXPECT_EQ(read_all(checked).error().kind, ErrorKind::kStopped);
  EXPECT_THAT(
      messages(checked.problems()),
      ::testing::ElementsAre(
          "f:1:5: cell: found '0', expected a whole number from 1 to 64",
          "f:3:5: colour: found 'rad', expected one of red, green; did you mean 'red'?",
          "f:4:5: fast: found 'yes', expected true or false",
          "f:2:5: heuristic hog: unknown key 'shade'; did you mean 'share'? known: cell, share, colour, "
          "fast",
          "f:5:5: heuristic hog: unknown key 'depth'; known: cell, share, colour, fast"));
  const auto used = read_all(settings);
  ASSERT_FALSE(used.ok());
  EXPECT_EQ(used.error().message, checked.problems()[0].message) << "used, the first error ends it";
}

TEST(Settings, CheckingAsksForNothingWhereAllIsRight) {
  Settings settings = with("cell", "33");
  Settings checked = settings.for_checking();
  EXPECT_EQ(read_all(checked).error().kind, ErrorKind::kStopped);
  EXPECT_THAT(messages(checked.problems()), ::testing::ElementsAre("cell and share do not go together"));
  settings.add("share", "0", "here");
  Settings sound = settings.for_checking();
  (void)read_all(sound);
  EXPECT_TRUE(sound.problems().empty());
  EXPECT_EQ(*read_all(settings), 33);
}

TEST(Settings, RefusesWhatHasNoEffectWhereNothingElseIsWrong) {
  Settings settings = with("share", "1");
  EXPECT_TRUE(settings.refuse_without("cell", "colour: red").ok()) << "is not there";
  const Status refused = settings.refuse_without("share", "colour: red");
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().message,
            fmt::format("{}: share: has no effect without colour: red", settings.where("share")));
  Settings checked = settings.for_checking();
  EXPECT_TRUE(checked.refuse(input_error("colour: found 'rad'")).ok());
  EXPECT_TRUE(checked.refuse_without("share", "colour: red").ok());
  EXPECT_EQ(checked.problems().size(), 1u) << "the colour may be red";
}

TEST(UnknownName, ListsTheKnownOnes) {
  const std::vector<std::string_view> known{"full", "laminating"};
  const Error error = unknown_name("sampler", "lamnating", known);
  EXPECT_EQ(error.kind, ErrorKind::kInput);
  EXPECT_EQ(error.message, "unknown sampler 'lamnating'; did you mean 'laminating'? known: full, laminating");
}

TEST(ParseSize, ReadsBinarySuffixes) {
  EXPECT_EQ(*parse_size("0"), 0u);
  EXPECT_EQ(*parse_size("123"), 123u);
  EXPECT_EQ(*parse_size("2K"), 2048u);
  EXPECT_EQ(*parse_size("512M"), 512u << 20);
  EXPECT_EQ(*parse_size("4G"), std::uint64_t(4) << 30);
  EXPECT_EQ(*parse_size("3T"), std::uint64_t(3) << 40);
  EXPECT_EQ(*parse_size("18446744073709551615"), ~std::uint64_t(0));
  EXPECT_EQ(*parse_size("16777215T"), std::uint64_t(16777215) << 40) << "the largest that fits";
}

TEST(ParseSize, RefusesWhatIsNoSize) {
  for (const std::string_view text :
       {"", "G", "4g", "4GB", "-1", "1.5G", "4 G", "18446744073709551616", "16777216T"}) {
    const auto size = parse_size(text);
    ASSERT_FALSE(size.ok()) << text;
    EXPECT_EQ(size.error().message, fmt::format("found '{}', expected a size such as 512M or 4G", text));
  }
}

RC_GTEST_PROP(ParseSize, ReadsAnyNumberBack, (std::uint64_t number)) {
  RC_ASSERT(*parse_size(std::to_string(number)) == number);
}

TEST(Assignment, IsAKeyAndAValue) {
  const auto given = parse_assignment("--set", "dataset.path=a=b");
  ASSERT_TRUE(given.ok());
  EXPECT_EQ(given->key, "dataset.path");
  EXPECT_EQ(given->value, "a=b") << "the first '=' counts";
  EXPECT_EQ(given->where, "--set dataset.path=a=b");
  EXPECT_EQ(parse_assignment("--set", "key=")->value, "");
  for (const char* wrong : {"key", "", "=5"})
    EXPECT_EQ(parse_assignment("--set", wrong).error().message,
              fmt::format("--set {}: expected key=value, such as sampler.budget=5 or dataset.path=pictures",
                          wrong));
  EXPECT_EQ(parse_assignment("--set", "a=\033").error().message, "--set a=?: expected a line of UTF-8 text");
}

}  // namespace
}  // namespace mash
