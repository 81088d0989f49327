// SPDX-License-Identifier: Apache-2.0
#include "framework/cli/completion.hpp"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <regex>

#include "tests/support/places.hpp"
#include "tests/support/program.hpp"

namespace mash {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::IsSupersetOf;
using ::testing::Not;
using testing::ProgramResult;
using testing::Sandbox;
using ::testing::StartsWith;

using Lines = std::vector<std::string>;

Lines lines_in(const std::string& text) {
  Lines lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

// Offers of the program for the last word, without the help beside it.
Lines offered(Lines words) {
  words.insert(words.begin(), {"mash", "--complete"});
  const ProgramResult result = Sandbox().run(words);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  Lines lines = lines_in(result.out);
  for (std::string& line : lines) line = line.substr(0, line.find('\t'));
  return lines;
}

TEST(Completion, OffersCommands) {
  EXPECT_THAT(offered({""}), AllOf(IsSupersetOf({"run", "predict", "heuristic", "help", "completion"}),
                                   Not(Contains(StartsWith("-"))), Not(Contains(StartsWith(":")))));
  EXPECT_THAT(offered({"rep"}), ElementsAre("report", "reproduce"));
  EXPECT_THAT(offered({"heuristic", "wat"}), ElementsAre("watch"));
  EXPECT_THAT(offered({"server", "user", "d"}), ElementsAre("disable"));
  EXPECT_THAT(offered({"help", "heuristic", "wat"}), ElementsAre("watch"));
  EXPECT_THAT(offered({"frobnicate", "x"}), IsEmpty());
}

TEST(Completion, OffersOptions) {
  EXPECT_THAT(offered({"run", "demo", "--st"}), ElementsAre("--store", "--store-limit", "--strict"));
  EXPECT_THAT(offered({"-"}), ElementsAre("--help", "--help-all", "--version"));
}

TEST(Completion, OffersWhatAnOptionTakes) {
  EXPECT_THAT(offered({"leaderboard", "--by", ""}),
              ElementsAre("contributor", "experiment", "heuristic", "strategy"));
  EXPECT_THAT(offered({"leaderboard", "--by=con"}), ElementsAre("--by=contributor"));
  EXPECT_THAT(offered({"predict", "m.json", "--perturb", "r"}), ElementsAre("rotation="));
  EXPECT_THAT(offered({"run", "demo", "--seed", ""}), IsEmpty()) << "a number";
  EXPECT_THAT(offered({"run", "demo", "--store", ""}), ElementsAre(":folders"));
  EXPECT_THAT(offered({"run", "demo", "--model", "x"}), ElementsAre(":files"));
  EXPECT_THAT(offered({"completion", ""}), ElementsAre("bash", "fish", "zsh"));
}

TEST(Completion, OffersNamesOfTables) {
  EXPECT_THAT(offered({"run", "de"}), ElementsAre("demo", "demo-board", ":files"));
  EXPECT_THAT(offered({"run", "--quiet", "--seed", "3", "de"}), ElementsAre("demo", "demo-board", ":files"));
  EXPECT_THAT(offered({"run", "demo", "de"}), IsEmpty()) << "it takes one experiment";
  EXPECT_THAT(offered({"dataset", "show", "m"}), ElementsAre("mnist"));
  EXPECT_THAT(offered({"heuristic", "try", "hog", "--dataset", "cif"}), ElementsAre("cifar10"));
  EXPECT_THAT(offered({"reproduce", "table"}), ElementsAre("table1", "table2", "table4"));
  EXPECT_THAT(offered({"heuristic", "show", "zern"}), Contains(StartsWith("zernike")));
}

TEST(Completion, OffersSettingsKeyByKey) {
  EXPECT_THAT(offered({"run", "demo", "--set", "sam"}),
              AllOf(IsSupersetOf({"sampler.budget=", "sampler.name="}), Each(::testing::EndsWith("="))));
  EXPECT_THAT(offered({"run", "demo", "--set", "sampler.name=lam"}),
              ElementsAre("sampler.name=laminating", "sampler.name=laminating.nested"));
  EXPECT_THAT(offered({"run", "demo", "--set", "booster.loss="}),
              ElementsAre("booster.loss=exponential", "booster.loss=logistic", "booster.loss=savage"));
  EXPECT_THAT(offered({"dataset", "show", "csv", "--set", ""}),
              AllOf(Contains("dataset.delimiter="), Each(StartsWith("dataset."))));
}

// All that `mash heuristic list` shows, though no plugin is opened.
TEST(Completion, KnowsEachHeuristic) {
  const ProgramResult list = Sandbox().run({"mash", "heuristic", "list", "--json"});
  Lines ids;
  const auto document = nlohmann::json::parse(list.out);
  for (const auto& heuristic : document["heuristics"]) ids.push_back(heuristic["id"]);
  ASSERT_GT(ids.size(), 20u);
  Lines names = offered({"report", ""});
  EXPECT_THAT(names, IsSupersetOf(ids));
}

// The script of a shell, completing a line there.
class InShell : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (sandbox_.run({"sh", "-c", std::string("command -v ") + GetParam()}).exit_code != 0)
      GTEST_SKIP() << GetParam() << " is not there";
    const ProgramResult script = sandbox_.run({"mash", "completion", GetParam()});
    ASSERT_EQ(script.exit_code, 0) << script.err;
    std::ofstream(sandbox_.work() / "script") << script.out;
    std::ofstream(sandbox_.work() / "digits.yaml") << "";
    std::filesystem::create_directory(sandbox_.work() / "deep");
    sandbox_.environment["PATH"] =
        std::string(testing::binary_folder() + "/bin:") + sandbox_.environment["PATH"];
    sandbox_.environment["TERM"] = "dumb";
  }

  // Words that can stand for the last word; blanks part words.
  Lines completed(const std::string& line) {
    const ProgramResult result = sandbox_.run({GetParam(), "-c", command_for(line)});
    EXPECT_EQ(result.err, "");
    Lines lines = lines_in(result.out);
    for (std::string& one : lines) one = one.substr(0, one.find('\t'));
    std::sort(lines.begin(), lines.end());
    return lines;
  }

 private:
  static std::string command_for(const std::string& line) {
    const std::string shell = GetParam();
    if (shell == "fish") return "source script; complete -C '" + line + "'";
    // bash parts words at '=' too.
    if (shell == "bash")
      return "source ./script; COMP_WORDS=(" + std::regex_replace(line, std::regex("="), " = ") +
             (line.ends_with(' ') || line.ends_with('=') ? " ''" : "") +
             "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _mash 2>/dev/null; "
             "((${#COMPREPLY[@]})) && printf '%s\\n' \"${COMPREPLY[@]}\"; true";
    // The functions that put candidates into zsh's editor print them instead.
    return "compdef() { }; compset() { }; _files() { print -l *(N) }\n"
           "_describe() { local -a all; all=(\"${(@P)2}\"); print -rl -- ${all%%:*} }\n"
           "source ./script; words=(" +
           line + (line.ends_with(' ') ? "''" : "") + "); CURRENT=$#words; _mash";
  }

  Sandbox sandbox_;
};

TEST_P(InShell, CompletesALine) {
  EXPECT_THAT(completed("mash reprod"), ElementsAre("reproduce"));
  EXPECT_THAT(completed("mash heuristic wat"), ElementsAre("watch"));
  EXPECT_THAT(completed("mash leaderboard --by str"), ElementsAre("strategy"));
  EXPECT_THAT(completed("mash run demo --store-l"), ElementsAre("--store-limit"));
  EXPECT_THAT(completed("mash dataset show usp"), ElementsAre("usps"));
  EXPECT_THAT(completed("mash report zern"), Contains("zernike"));  // beside files, which zsh itself filters
  EXPECT_THAT(completed("mash run --seed 3 "), AllOf(Contains("demo"), Contains("digits.yaml")));
}

TEST_P(InShell, CompletesTheValueOfASetting) {
  // bash replaces what stands behind the '='.
  const std::string before = GetParam() == std::string("bash") ? "" : "sampler.name=";
  EXPECT_THAT(completed("mash run demo --set sampler.name=tasting.l"),
              ElementsAre(before + "tasting.laminating"));
}

INSTANTIATE_TEST_SUITE_P(Each, InShell, ::testing::Values("bash", "zsh", "fish"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace mash
