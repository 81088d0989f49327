// SPDX-License-Identifier: Apache-2.0
#include "framework/commandline/usage.hpp"

#include <gmock/gmock.h>

#include "framework/commandline/values.hpp"

namespace mash {
namespace {

// The message on a command line of a program with two commands; "" where it is accepted.
std::string refusal(std::vector<std::string> words) {
  CLI::App program("", "prog");
  program.require_subcommand(1);
  CLI::App* cook = program.add_subcommand("cook", "");
  std::string dish, style;
  int hours = 0;
  bool is_hot = false;
  cook->add_option("DISH", dish)->required();
  cook->add_option("--hours", hours)->type_name("N")->check(within(1, 9));
  cook->add_option("--minutes", hours)->type_name("M");
  auto* hot = cook->add_flag("--hot", is_hot);
  takes_one_of(cook->add_option("--style", style), std::array<std::string_view, 2>{"plain", "rich"});
  cook->add_flag("--cold")->excludes(hot);
  cook->add_flag("--very")->needs(hot);
  program.add_subcommand("serve", "")->require_subcommand(1);
  program.add_subcommand("secret", "")->group("");
  std::reverse(words.begin(), words.end());  // as CLI11 takes them
  try {
    program.parse(words);
  } catch (const CLI::ParseError& error) {
    return usage_message(&program, error);
  }
  return "";
}

TEST(Usage, AGoodLineIsTaken) {
  EXPECT_EQ(refusal({"cook", "soup", "--hours", "2", "--hot", "--style", "rich"}), "");
}

TEST(Usage, UnknownCommands) {
  EXPECT_EQ(refusal({"cokk"}),
            "prog: unknown command 'cokk'; did you mean 'cook'? known: cook, serve\nprog --help says more\n");
  EXPECT_EQ(refusal({"paint"}), "prog: unknown command 'paint'; known: cook, serve\nprog --help says more\n");
  EXPECT_EQ(refusal({}), "prog: expected a command; known: cook, serve\nprog --help says more\n");
  EXPECT_EQ(refusal({"--hlep"}),
            "prog: unknown option '--hlep'; did you mean '--help'? known: --help\n"
            "prog --help says more\n");
}

TEST(Usage, UnknownOptions) {
  constexpr const char* kEnd =
      " known: --help, --hours, --minutes, --hot, --style, --cold, --very\nprog cook --help says more\n";
  EXPECT_EQ(refusal({"cook", "soup", "--huors", "2"}),
            std::string("prog: unknown option '--huors'; did you mean '--hours'?") + kEnd);
  EXPECT_EQ(refusal({"cook", "soup", "--huors=2"}),
            std::string("prog: unknown option '--huors'; did you mean '--hours'?") + kEnd);
  EXPECT_EQ(refusal({"cook", "--stile", "rich"}),
            std::string("prog: unknown option '--stile'; did you mean '--style'?") + kEnd)
      << "not that DISH is missing";
  EXPECT_EQ(refusal({"--hot", "cook", "soup"}),
            "prog: --hot stands before the command that it belongs to, expected prog cook --hot\n"
            "prog cook --help says more\n");
}

TEST(Usage, Values) {
  constexpr const char* kEnd = "\nprog cook --help says more\n";
  const auto said = [&](std::vector<std::string> words) {
    words.insert(words.begin(), {"cook", "soup"});
    std::string text = refusal(std::move(words));
    EXPECT_TRUE(text.ends_with(kEnd)) << text;
    return text.substr(0, text.size() - std::string(kEnd).size());
  };
  EXPECT_EQ(said({"--hours", "ten"}), "prog: --hours: found 'ten', expected a whole number, 1 to 9");
  EXPECT_EQ(said({"--hours", "10"}), "prog: --hours: found '10', expected a whole number, 1 to 9");
  EXPECT_EQ(said({"--minutes", "ten"}), "prog: --minutes: found 'ten', expected M");
  EXPECT_EQ(said({"--hours"}), "prog: --hours: found nothing behind it, expected N");
  EXPECT_EQ(said({"--hours", "1", "--hours", "2"}), "prog: --hours: found 2 times, expected once");
  EXPECT_EQ(said({"--hot=maybe"}), "prog: --hot: takes no value");
  EXPECT_EQ(said({"--style", "ritch"}),
            "prog: --style: found 'ritch', expected one of plain, rich; did you mean 'rich'?");
  EXPECT_EQ(said({"--cold", "--hot"}), "prog: found both --hot and --cold, expected one of them");
  EXPECT_EQ(said({"--very"}), "prog: --very requires --hot");
  EXPECT_EQ(said({"cake"}), "prog: found 'cake' too, but prog cook takes DISH and options");
}

TEST(Usage, MissingArguments) {
  EXPECT_EQ(refusal({"cook"}), "prog: DISH is required\nprog cook --help says more\n");
}

}  // namespace
}  // namespace mash
