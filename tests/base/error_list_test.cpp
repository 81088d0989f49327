// SPDX-License-Identifier: Apache-2.0
#include "framework/base/error_list.hpp"

#include <string>
#include <vector>

namespace mash {
namespace {

Status status_of(const std::vector<std::string>& messages) {
  ErrorList errors;
  for (const std::string& message : messages) errors.add(input_error("{}", message));
  return errors.status("e.yaml");
}

TEST(ErrorList, OfNoneIsSuccess) { EXPECT_TRUE(status_of({}).ok()); }

TEST(ErrorList, OfOneIsThatError) {
  const Status status = status_of({"e.yaml:3:1: what"});
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().message, "e.yaml:3:1: what");
  EXPECT_EQ(status.error().kind, ErrorKind::kInput);
}

TEST(ErrorList, OfSeveralCountsThemAndIsInTheOrderOfTheFile) {
  const Status status = status_of({"--set seed=x: no number", "e.yaml:10:2: d", "e.yaml:9:30: c",
                                   "e.yaml:9:4: b", "e.yaml: no data set", "e.yaml:2: a"});
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().message,
            "e.yaml: 6 errors\ne.yaml:2: a\ne.yaml:9:4: b\ne.yaml:9:30: c\ne.yaml:10:2: d\n"
            "--set seed=x: no number\ne.yaml: no data set");
  EXPECT_EQ(status.error().kind, ErrorKind::kInput);
}

TEST(ErrorList, TellsTheSameOnce) {
  EXPECT_EQ(status_of({"e.yaml:3:1: what", "e.yaml:3:1: what"}).error().message, "e.yaml:3:1: what");
}

TEST(ErrorList, ShowsTheFirstFiftyOfMany) {
  std::vector<std::string> messages;
  for (int line = 60; line >= 1; --line) messages.push_back(fmt::format("e.yaml:{}:1: x", line));
  const std::string text = status_of(messages).error().message;
  EXPECT_TRUE(text.starts_with("e.yaml: 60 errors\ne.yaml:1:1: x\n")) << text;
  EXPECT_TRUE(text.ends_with("\ne.yaml:50:1: x\n... and 10 more")) << text;
}

}  // namespace
}  // namespace mash
