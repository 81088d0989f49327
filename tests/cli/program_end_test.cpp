// SPDX-License-Identifier: Apache-2.0
// Programs in surroundings that refuse them what they need: each ends by itself, with an exit code of its
// own.
#include <gmock/gmock.h>
#include <unistd.h>

#include <map>

#include "tests/cli/end_to_end.hpp"
#include "tests/support/program.hpp"

namespace mash {
namespace {

using ::testing::AnyOf;
using testing::ProgramResult;
using testing::Sandbox;

using Words = std::vector<std::string>;

constexpr const char* kExperiment =
    "dataset: {name: digits, train: 60, test: 20, size: 16}\n"
    "heuristics: [lbp]\n"
    "booster: {name: adaboost.mh, rounds: 3}\n";

// Arguments of commands, where these would wait for somebody without it or where more than an error is to be
// seen. Others are given nothing.
const std::map<std::string, Words> kArguments{
    {"run", {"e.yaml", "--threads", "3"}},
    {"report", {"1", "--recorded"}},
    {"compare", {"1", "2"}},
    {"serve", {"e.yaml"}},
    {"reproduce", {"errata"}},
    {"heuristic show", {"lbp"}},
    {"heuristic check", {"lbp", "--only", "load.about"}},
    {"heuristic new", {"edges"}},
    {"heuristic watch", {"nowhere"}},
    {"heuristic try", {"lbp", "--dataset", "nowhere"}},
    {"dataset show", {"digits", "--set", "train=20", "--set", "test=10"}},
    {"export records", {"--output", "out"}},
    {"schema experiment", {"--markdown"}},
};

Words names_offered(Words words) {
  words.insert(words.begin(), {"mash", "--complete", "help"});
  words.emplace_back();
  Words names;
  std::istringstream lines(Sandbox().run(words).out);
  for (std::string line; std::getline(lines, line);) names.push_back(line.substr(0, line.find('\t')));
  return names;
}

// All commands that have none below them: "heuristic new".
void add_commands(const Words& above, std::vector<Words>& commands) {
  const Words below = names_offered(above);
  if (below.empty()) commands.push_back(above);
  for (const std::string& name : below) {
    Words words = above;
    words.push_back(name);
    add_commands(words, commands);
  }
}

// Each command of the program as it does its work or refuses to, and its help; and the other programs.
std::vector<Words> command_lines() {
  std::vector<Words> commands, lines;
  add_commands({}, commands);
  for (Words words : commands) {
    std::string name;
    for (const std::string& word : words) name += (name.empty() ? "" : " ") + word;
    words.insert(words.begin(), testing::binary_folder() + "/bin/mash");
    Words help = words;
    help.emplace_back("--help");
    lines.push_back(std::move(help));
    if (const auto given = kArguments.find(name); given != kArguments.end())
      words.insert(words.end(), given->second.begin(), given->second.end());
    lines.push_back(std::move(words));
  }
  for (const Words& other : {Words{"mash-server", "--db", "e.yaml"}, Words{"mash-server", "--help"},
                             Words{"mash-server", "--version"}, Words{"mash-server", "--port", "x"},
                             Words{"mash-runner", "--db", "none.db", "--store", "store", "--until-empty"},
                             Words{"mash-runner", "--version"}, Words{"mash-worker"}}) {
    lines.push_back(other);
    lines.back()[0] = testing::binary_folder() + "/bin/" + other[0];
  }
  return lines;
}

std::string in_words(const Words& line) {
  std::string text;
  for (const std::string& word : line) text += word.substr(word.rfind('/') + 1) + " ";
  return text;
}

// A shell's command that runs "$@" in the surroundings.
ProgramResult run_in(const Sandbox& sandbox, const std::string& surroundings, const Words& line) {
  testing::write_text(sandbox.work() / "e.yaml", kExperiment);
  Words words{"sh", "-c", surroundings, "sh"};
  words.insert(words.end(), line.begin(), line.end());
  return sandbox.run(words);
}

TEST(ProgramEnd, IsOneOfItsOwnWhereNobodyCanReadIt) {
  constexpr int kBrokenPipe = 128 + SIGPIPE;
  const std::string without_reader = "rm -f p; mkfifo p; exec 3<>p 4>p 3<&-; ";
  const std::vector<Words> lines = command_lines();
  ASSERT_GT(lines.size(), 60u) << "the commands are not found";
  const Sandbox sandbox;
  for (const Words& line : lines)
    for (const std::string& surroundings :
         {std::string("\"$@\" >/dev/full 2>/dev/full"), std::string("\"$@\" >&- 2>&-"),
          std::string("\"$@\" <&- >&- 2>/dev/full"), without_reader + "\"$@\" >&4 2>&4",
          without_reader + "trap '' PIPE; \"$@\" >&4 2>&4"})
      EXPECT_THAT(run_in(sandbox, surroundings, line).exit_code, AnyOf(0, 1, 2, kBrokenPipe))
          << in_words(line) << surroundings;
}

TEST(ProgramEnd, IsAFailureWhereTheOutputIsLost) {
  const Sandbox sandbox;
  const std::string mash = testing::binary_folder() + "/bin/mash";
  testing::write_text(sandbox.work() / "e.yaml", kExperiment);
  for (const Words& line : {Words{mash, "--version"}, Words{mash, "--help"}, Words{mash, "run", "--help"},
                            Words{mash, "heuristic", "list"}, Words{mash, "run", "e.yaml"},
                            Words{mash, "run", "e.yaml", "--json"}, Words{mash, "doctor"}}) {
    for (const char* surroundings : {"\"$@\" >/dev/full", "\"$@\" >&-"}) {
      const ProgramResult result = run_in(sandbox, surroundings, line);
      EXPECT_EQ(result.exit_code, 1) << in_words(line) << surroundings;
      EXPECT_THAT(result.err, ::testing::HasSubstr("the output cannot be written"));
    }
  }
}

TEST(ProgramEnd, ClosedStreamsTakeNoFileForTheirOwn) {
  const Sandbox sandbox;
  EXPECT_EQ(
      run_in(sandbox, "\"$@\" <&- >&- 2>&-",
             {testing::binary_folder() + "/bin/mash", "run", "e.yaml", "--db", "r.db", "--store", "store"})
          .exit_code,
      1);
  const auto listed = testing::run_json(sandbox, {"mash", "records", "list", "--db", "r.db", "--json"});
  EXPECT_EQ(listed["runs"].size(), 1u) << "the database holds the run, and nothing that was printed";
}

// The commands that are given something, each where one thing is short.
TEST(ProgramEnd, IsSaidWhereTheSystemRefuses) {
  std::vector<std::string> limits{"ulimit -n 64", "ulimit -n 16", "ulimit -f 8"};
#if !defined(__SANITIZE_THREAD__)  // the sanitizer itself writes a file before main()
  limits.push_back("ulimit -f 0");
#endif
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // which map far more than they use
  for (const char* limit : {"ulimit -v 2000000", "ulimit -v 600000", "ulimit -v 300000"})
    limits.push_back(limit);
#endif
  for (const std::string& limit : limits) {
    const Sandbox sandbox;
    for (const auto& [name, arguments] : kArguments) {
      Words line{testing::binary_folder() + "/bin/mash"};
      std::istringstream words(name);
      for (std::string word; words >> word;) line.push_back(word);
      line.insert(line.end(), arguments.begin(), arguments.end());
      const ProgramResult result = run_in(sandbox, limit + "; exec \"$@\"", line);
      // 127: not even the program's libraries found room.
      EXPECT_THAT(result.exit_code, AnyOf(0, 1, 2, 127)) << limit << ": " << in_words(line) << result.err;
      // A file of no byte takes no message.
      EXPECT_TRUE(result.exit_code == 0 || limit == "ulimit -f 0" || !(result.err + result.out).empty())
          << limit << ": " << in_words(line);
      EXPECT_EQ(result.err.find("a fault of the program"), std::string::npos) << limit << result.err;
    }
  }
}

TEST(ProgramEnd, IsAGoodOneWhereThreadsAreRefused) {
  if (::geteuid() != 0) GTEST_SKIP() << "becomes another user, of whom nothing runs; needs root";
  const Sandbox sandbox;
  testing::write_text(sandbox.work() / "e.yaml", kExperiment);
  const std::string as_user =
      "chmod -R a+rwX ../.; exec setpriv --reuid=64321 --regid=64321 --clear-groups sh -c 'ulimit -u ";
  if (run_in(sandbox, as_user + "99; exec \"$@\"' sh \"$@\"",
             {testing::binary_folder() + "/bin/mash", "--version"})
          .exit_code != 0)
    GTEST_SKIP() << "another user cannot run the program here";
  for (const char* most : {"1", "2", "3"}) {
    const ProgramResult result =
        run_in(sandbox, as_user + most + "; exec \"$@\"' sh \"$@\"",
               {testing::binary_folder() + "/bin/mash", "run", "e.yaml", "--threads", "8"});
    EXPECT_EQ(result.exit_code, 0) << most << result.err;
  }
}

}  // namespace
}  // namespace mash
