// SPDX-License-Identifier: Apache-2.0
#include "framework/base/suggestion.hpp"

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>

#include "framework/base/settings.hpp"

namespace mash {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr std::array<std::string_view, 7> kSamplers{"full",      "uniform.naive", "uniform.1q", "uniform.q1",
                                                    "lazyboost", "exp3.p",        "laminating"};

TEST(EditDistance, CountsWhatTheDefinitionCounts) {
  EXPECT_EQ(edit_distance("mnist", "mnist", 3), 0u);
  EXPECT_EQ(edit_distance("minst", "mnist", 3), 1u) << "neighbours are swapped";
  EXPECT_EQ(edit_distance("lamnating", "laminating", 3), 1u);
  EXPECT_EQ(edit_distance("laminnating", "laminating", 3), 1u);
  EXPECT_EQ(edit_distance("kitten", "sitting", 3), 3u);
  EXPECT_EQ(edit_distance("ca", "abc", 3), 3u) << "no letter is changed twice";
  EXPECT_EQ(edit_distance("", "ab", 3), 2u);
  EXPECT_EQ(edit_distance("kitten", "sitting", 2), 3u) << "one more than the most";
  EXPECT_EQ(edit_distance("a", "abcdefgh", 3), 4u);
}

// By its definition, which takes exponential time.
std::size_t plain_distance(std::string_view a, std::string_view b) {
  if (a.empty() || b.empty()) return a.size() + b.size();
  const std::string_view a1 = a.substr(1), b1 = b.substr(1);
  std::size_t least = std::min(
      {plain_distance(a1, b) + 1, plain_distance(a, b1) + 1, plain_distance(a1, b1) + (a[0] != b[0])});
  if (a.size() > 1 && b.size() > 1 && a[0] == b[1] && a[1] == b[0])
    least = std::min(least, plain_distance(a.substr(2), b.substr(2)) + 1);
  return least;
}

RC_GTEST_PROP(EditDistance, IsThatOfThePlainDefinition, ()) {
  const auto word = rc::gen::resize(6, rc::gen::container<std::string>(rc::gen::element('a', 'b', 'c')));
  const std::string a = *word, b = *word;
  const std::size_t distance = plain_distance(a, b);
  for (std::size_t most = 0; most < 8; ++most)
    RC_ASSERT(edit_distance(a, b, most) == std::min(distance, most + 1));
  RC_ASSERT(edit_distance(b, a, 8) == distance);
}

TEST(Suggestions, NameTheNearest) {
  EXPECT_THAT(suggestions("lamnating", kSamplers), ElementsAre("laminating"));
  EXPECT_THAT(suggestions("LAMINATING", kSamplers), ElementsAre("laminating"));
  EXPECT_THAT(suggestions("lazy_boost", kSamplers), ElementsAre("lazyboost"));
  EXPECT_THAT(suggestions("uniform.2q", kSamplers), ElementsAre("uniform.1q"));
  EXPECT_THAT(suggestions("exp3", kSamplers), ElementsAre("exp3.p"));
  EXPECT_THAT(suggestions("unif", kSamplers), ElementsAre("uniform.naive", "uniform.1q", "uniform.q1"))
      << "all that begin so, in the order of the table";
  EXPECT_THAT(suggestions("laminating-of-mine", kSamplers), ElementsAre("laminating"));
}

TEST(Suggestions, AreSilentWhereNothingIsNear) {
  EXPECT_THAT(suggestions("frobnicate", kSamplers), IsEmpty());
  EXPECT_THAT(suggestions("", kSamplers), IsEmpty());
  EXPECT_THAT(suggestions("---", kSamplers), IsEmpty());
  EXPECT_THAT(suggestions(std::string(1000, 'l'), kSamplers), IsEmpty());
  const std::array<std::string_view, 4> many{"a.one", "a.two", "a.three", "a.four"};
  EXPECT_THAT(suggestions("a.", many), IsEmpty());
}

TEST(Suggestions, KnowOtherWords) {
  const std::array<std::string_view, 5> commands{"run", "predict", "list", "prune", "show"};
  EXPECT_THAT(suggestions("train", commands), ElementsAre("run"));
  EXPECT_THAT(suggestions("classify", commands), ElementsAre("predict"));
  EXPECT_THAT(suggestions("ls", commands), ElementsAre("list"));
  EXPECT_THAT(suggestions("rm", commands), ElementsAre("prune"));
  EXPECT_THAT(suggestions("rnu", commands), ElementsAre("run"));
  const std::array<std::string_view, 3> options{"--threads", "--db", "--json"};
  EXPECT_THAT(suggestions("--jobs", options), ElementsAre("--threads"));
  EXPECT_THAT(suggestions("-threads", options), ElementsAre("--threads"));
  EXPECT_THAT(suggestions("--databse", options), IsEmpty()) << "misspelt and another word at once";
}

RC_GTEST_PROP(Suggestions, FindEachNameWithOneSlip, ()) {
  const std::string_view name = *rc::gen::elementOf(kSamplers);
  std::string wrong(name);
  const std::size_t at = *rc::gen::inRange<std::size_t>(0, wrong.size() - 1);
  switch (*rc::gen::inRange(0, 3)) {
    case 0: wrong.erase(at, 1); break;
    case 1: wrong.insert(at, 1, 'x'); break;
    default: std::swap(wrong[at], wrong[at + 1]);
  }
  // Iterators themselves cannot be compared here: rapidcheck would show what is behind the end.
  const bool is_known = std::find(kSamplers.begin(), kSamplers.end(), wrong) != kSamplers.end();
  RC_PRE(!is_known);
  const auto found = suggestions(wrong, kSamplers);
  const bool is_found = std::find(found.begin(), found.end(), name) != found.end();
  RC_ASSERT(is_found);
}

TEST(DidYouMean, IsAQuestion) {
  EXPECT_EQ(did_you_mean("lamnating", kSamplers), "did you mean 'laminating'?");
  EXPECT_EQ(did_you_mean("unif", kSamplers), "did you mean 'uniform.naive', 'uniform.1q' or 'uniform.q1'?");
  EXPECT_EQ(did_you_mean("frobnicate", kSamplers), "");
  constexpr std::array<std::string_view, 2> kWeak{"stump", "tree"};
  EXPECT_EQ(unknown_name("weak learner", "stmup", kWeak).message,
            "unknown weak learner 'stmup'; did you mean 'stump'? known: stump, tree");
  EXPECT_EQ(known_names("x", {}), "known: none");
}

}  // namespace
}  // namespace mash
