// SPDX-License-Identifier: Apache-2.0
#include "framework/commandline/manual.hpp"

#include <gmock/gmock.h>

#include "framework/commandline/values.hpp"
#include "tests/support/program.hpp"

namespace mash {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using testing::ProgramResult;
using testing::Sandbox;

TEST(Manual, IsMadeOfTheTextsOfTheHelp) {
  CLI::App program("Cooks", "prog");
  CLI::App* cook = program.add_subcommand("cook", "Cook a dish");
  std::string dish;
  int hours = 1;
  cook->add_option("DISH", dish, "What to cook")->type_name("FILE")->required();
  cook->add_option("-t,--hours", hours, ".so long")
      ->type_name("N")
      ->check(within(1, 9))
      ->capture_default_str();
  cook->add_flag("--secret")->group("");
  program.add_subcommand("hidden", "")->group("");
  cook->footer("Example:\n  prog cook 'a\\b.txt'\nIt takes time.");
  const auto pages = manual_pages(program);
  ASSERT_EQ(pages.size(), 2u);
  EXPECT_EQ(pages[0].name, "prog.1");
  EXPECT_THAT(pages[0].text, HasSubstr(".SH COMMANDS\n.TP\n\\fBprog\\-cook\\fR(1)\nCook a dish\n"));
  EXPECT_EQ(pages[1].name, "prog-cook.1");
  const std::string& text = pages[1].text;
  EXPECT_THAT(text, HasSubstr(".SH NAME\nprog\\-cook \\- Cook a dish\n"));
  EXPECT_THAT(text, HasSubstr(".SH SYNOPSIS\n.B prog cook\n[\\fIOPTIONS\\fR]\n\\fIDISH\\fR\n"));
  EXPECT_THAT(text, HasSubstr(".TP\n\\fBDISH\\fR \\fIFILE\\fR\nWhat to cook.\nRequired.\n"));
  EXPECT_THAT(text, HasSubstr(".TP\n\\fB\\-t, \\-\\-hours\\fR \\fIN, 1 to 9 [1]\\fR\n\\&.so long.\n"));
  EXPECT_THAT(
      text,
      HasSubstr(".SH NOTES\nIt takes time.\n.SH EXAMPLES\n.nf\n.RS 4\nprog cook 'a\\eb.txt'\n.RE\n.fi\n"));
  EXPECT_THAT(text, Not(HasSubstr("secret")));
}

// The pages of the program, as it is built and installed.
TEST(Manual, PassesTheChecksOfMandoc) {
  Sandbox sandbox;
  std::filesystem::create_directory(sandbox.work() / "man");
  const ProgramResult written = sandbox.run({"mash", "--manual", "man"});
  ASSERT_EQ(written.exit_code, 0) << written.err;
  std::size_t num_pages = 0;
  std::vector<std::string> lint{"mandoc", "-Tlint", "-Wwarning"};
  for (const auto& page : std::filesystem::directory_iterator(sandbox.work() / "man")) {
    ++num_pages;
    lint.push_back(page.path());
    const std::string text = testing::file_content(page.path());
    EXPECT_THAT(text, HasSubstr(".SH EXAMPLES\n")) << page.path();
  }
  EXPECT_GT(num_pages, 30u);
  for (const char* page : {"mash.1", "mash-run.1", "mash-heuristic-try.1", "mash-server-user-add.1"})
    EXPECT_TRUE(std::filesystem::exists(sandbox.work() / "man" / page)) << page;
  if (sandbox.run({"sh", "-c", "command -v mandoc"}).exit_code != 0) GTEST_SKIP() << "mandoc is not there";
  const ProgramResult checked = sandbox.run(lint);
  EXPECT_EQ(checked.out, "") << checked.err;
  EXPECT_EQ(checked.exit_code, 0);
}

}  // namespace
}  // namespace mash
