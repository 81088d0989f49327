// SPDX-License-Identifier: Apache-2.0
// `mash heuristic watch` while its sources change.
#include <gmock/gmock.h>

#include "tests/cli/own_heuristic.hpp"
#include "tests/support/places.hpp"

namespace mash {
namespace {

using testing::file_content;
using testing::kMeanSource;
using testing::RunningProgram;
using testing::Sandbox;
using testing::with;
using testing::write_text;

class HeuristicWatch : public ::testing::Test {
 protected:
  HeuristicWatch() { save(kMeanSource); }

  // As an editor does that never leaves half a file: written beside it and renamed.
  void save(const std::string& text) const {
    write_text(sandbox_.work() / "new", text);
    std::filesystem::rename(sandbox_.work() / "new", sandbox_.work() / "mean.cpp");
  }

  // Whether what the program has written so far comes to hold this text.
  bool comes_to_say(const std::string& text) const {
    for (int i = 0; i < 3600; ++i) {
      if (said().find(text) != std::string::npos) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
    return false;
  }
  std::string said() const { return file_content(sandbox_.root() / "out"); }

  Sandbox sandbox_;
};

TEST_F(HeuristicWatch, RebuildsAfterASaveShowsErrorsAndRecovers) {
  RunningProgram watch = sandbox_.start({"mash", "heuristic", "watch", "mean.cpp", "--no-gain"});
  ASSERT_TRUE(comes_to_say("build 1\nmean 1.0.0: 1 features on 28x28 pixels, ")) << said();
  save(with(kMeanSource, "return 1;", "return one;"));
  ASSERT_TRUE(comes_to_say("mash: mean.cpp: does not compile\n")) << said();
  EXPECT_NE(said().find("build 2\n"), std::string::npos);
  EXPECT_NE(said().find("‘one’ was not declared"), std::string::npos);
  // In place this time.
  write_text(sandbox_.work() / "mean.cpp", with(kMeanSource, "1.0.0", "1.0.1"));
  ASSERT_TRUE(comes_to_say("mean 1.0.1: 1 features")) << said();
  watch.send(SIGINT);
  EXPECT_EQ(watch.wait().exit_code, 0);
}

TEST_F(HeuristicWatch, SurvivesAHeuristicThatHangsAndOneThatCrashes) {
  save(with(kMeanSource, "value =", "for (volatile int i = 0;; i = 1) {}\nvalue ="));
  RunningProgram watch =
      sandbox_.start({"mash", "heuristic", "watch", "mean.cpp", "--no-gain", "--json", "--cycles", "2"});
  const auto plugin = sandbox_.work() / "mean.so";
  for (int i = 0; i < 600 && !std::filesystem::exists(plugin); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  // An abort: sanitizers tell of other signals in their own words.
  save(with(kMeanSource, "value =", "__builtin_abort();\nvalue ="));
  ASSERT_TRUE(comes_to_say("compute, image 0: signal 6 (ABRT)")) << said();
  save(kMeanSource);
  const auto result = watch.wait();
  EXPECT_EQ(result.exit_code, 0) << result.err;
  const auto end_of_line = result.out.find('\n') + 1;
  const auto crashed = nlohmann::json::parse(result.out.substr(0, end_of_line));
  EXPECT_EQ(crashed["ok"], false);
  const auto well = nlohmann::json::parse(result.out.substr(end_of_line));
  EXPECT_EQ(well["ok"], true);
  EXPECT_EQ(well["plugins"][0]["heuristics"][0]["id"], "mean");
}

TEST_F(HeuristicWatch, ChecksWhatWasBuilt) {
  save(with(kMeanSource, "value =", "static int calls = 0;\nvalue = float(++calls) +"));
  RunningProgram watch = sandbox_.start({"mash", "heuristic", "watch", "mean.cpp", "--no-gain"});
  ASSERT_TRUE(comes_to_say("\nmean fails determinism.history: ")) << said();
  save(kMeanSource);
  ASSERT_TRUE(comes_to_say("none fails\n")) << said();
  watch.send(SIGINT);
  EXPECT_EQ(watch.wait().exit_code, 0);

  save(with(kMeanSource, "value =", "value = 1 / 0.f *"));
  for (const bool anyway : {false, true}) {
    std::vector<std::string> command{"mash",      "heuristic", "watch", "mean.cpp",
                                     "--no-gain", "--cycles",  "1",     "--json"};
    if (anyway) command.push_back("--anyway");
    const auto shown = testing::run_json(sandbox_, command);
    EXPECT_EQ(shown["ok"], anyway);
    EXPECT_EQ(shown.contains("message"), !anyway);
    EXPECT_EQ(shown["checked"]["passed"], false);
    EXPECT_EQ(shown["checked"]["cause"], "mean fails values.finite: feature 0 of a textured picture is inf");
  }
}

// An editor may save what it has saved before.
TEST_F(HeuristicWatch, DoesNotCheckTheSamePluginTwice) {
  RunningProgram watch =
      sandbox_.start({"mash", "heuristic", "watch", "mean.cpp", "--no-gain", "--json", "--cycles", "2"});
  ASSERT_TRUE(comes_to_say("\"build\":1")) << said();
  save(kMeanSource);
  const auto result = watch.wait();
  const auto end_of_line = result.out.find('\n') + 1;
  const auto first = nlohmann::json::parse(result.out.substr(0, end_of_line));
  const auto second = nlohmann::json::parse(result.out.substr(end_of_line));
  EXPECT_EQ(first["checked"], second["checked"]) << "the seconds would differ";
}

TEST_F(HeuristicWatch, RedrawsItsSummaryOnATerminal) {
  sandbox_.environment["TERM"] = "xterm";
  const auto result = sandbox_.run(
      {"script", "-qec", testing::binary_folder() + "/bin/mash heuristic watch mean.cpp --no-gain --cycles 1",
       "typescript"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  const std::string shown = file_content(sandbox_.work() / "typescript");
  EXPECT_NE(shown.find("\033[H\033[2J\033[32mmash heuristic watch mean.cpp\033[0m: build 1, Ctrl-C ends"),
            std::string::npos)
      << shown;
  EXPECT_NE(shown.find("mean 1.0.0: 1 features"), std::string::npos) << shown;
}

TEST_F(HeuristicWatch, BuildsAProjectAgainWhenAHeaderOfItChanges) {
  testing::run_well(sandbox_, {"mash", "heuristic", "new", "row-means"});
  RunningProgram watch =
      sandbox_.start({"mash", "heuristic", "watch", "row-means", "--no-gain", "--test", "--cycles", "2"});
  ASSERT_TRUE(comes_to_say("built and tested")) << said();
  write_text(sandbox_.work() / "row-means/more.hpp", "// nothing\n");
  const auto result = watch.wait();
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_NE(result.out.find("build 2\nrow-means 1.0.0: 28 features"), std::string::npos) << result.out;
}

// The mean of each row, which tells something of a digit, in place of the first pixel.
std::string row_means(const std::string& version) {
  std::string source = with(kMeanSource, "dim(mash::Size) const override { return 1; }",
                            "dim(mash::Size size) const override { return size.height; }");
  source = with(source, "std::span<const std::uint32_t>,", "std::span<const std::uint32_t> features,");
  source = with(source, "for (float& value : values) {\n      value = view.gray()(0, 0);",
                "for (std::size_t i = 0; i < values.size(); ++i) {\n      values[i] = 0;\n"
                "      for (std::uint32_t x = 0; x < view.width(); ++x)\n"
                "        values[i] += float(view.gray()(x, features[i]));");
  return with(source, "1.0.0", version);
}

class WatchShowsTheGain : public HeuristicWatch {
 protected:
  WatchShowsTheGain() {
    write_text(sandbox_.work() / "e.yaml",
               "dataset: {name: digits, train: 400, test: 100, size: 16}\nheuristics: [identity, lbp]\n");
  }

  // watch with a pool of two heuristics, and `more`.
  std::vector<std::string> command(const std::vector<std::string>& more) const {
    std::vector<std::string> all{"mash",   "heuristic", "watch", "mean.cpp", "--against",
                                 "e.yaml", "--store",   "store", "--db",     "records.db"};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }

  // How many processes work in the sandbox.
  std::size_t num_processes() const {
    std::size_t count = 0;
    for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
      std::error_code code;
      count += std::filesystem::read_symlink(entry.path() / "cwd", code) == sandbox_.work();
    }
    return count;
  }
};

TEST_F(WatchShowsTheGain, AfterEachSaveWithTheVersionsThatWereTriedBefore) {
  RunningProgram watch = sandbox_.start(command({"--seeds", "8"}));
  ASSERT_TRUE(comes_to_say("gain of build 1: ")) << said();
  ASSERT_TRUE(comes_to_say("\nmean adds nothing measurable to this pool: ")) << said();
  EXPECT_EQ(said().find("versions:"), std::string::npos) << "there is one only";
  save(row_means("1.1.0"));
  ASSERT_TRUE(comes_to_say("gain of build 2: ")) << said();
  ASSERT_TRUE(comes_to_say("\nversions: v1 ")) << said();
  EXPECT_NE(said().find(", v2 "), std::string::npos) << said();
  // Back to the first version: nothing new is trained, and it is the first of the two.
  save(kMeanSource);
  ASSERT_TRUE(comes_to_say("gain of build 3: ")) << said();
  watch.send(SIGINT);
  EXPECT_EQ(watch.wait().exit_code, 0);
  EXPECT_EQ(said().find(", v3 "), std::string::npos) << said();
}

TEST_F(WatchShowsTheGain, StopsTheTestAtASaveAndAtCtrlC) {
  save(row_means("1.0.0"));
  RunningProgram watch = sandbox_.start(command({"--seeds", "128", "--seconds", "600"}));
  ASSERT_TRUE(comes_to_say("gain of build 1: ")) << said();
  save(with(row_means("1.1.0"), "values[i] = 0;", "values[i] = 1;"));
  ASSERT_TRUE(comes_to_say("gain of build 2: ")) << said();
  EXPECT_LE(num_processes(), 2u) << "watch and the test of build 2";
  watch.send(SIGINT);
  EXPECT_EQ(watch.wait().exit_code, 0);
  EXPECT_EQ(num_processes(), 0u);
}

TEST_F(WatchShowsTheGain, WithJsonEachLookIsALine) {
  const auto result = sandbox_.run(command({"--seeds", "4", "--cycles", "1", "--json"}));
  EXPECT_EQ(result.exit_code, 0) << result.err;
  std::istringstream lines(result.out);
  std::vector<nlohmann::json> documents;
  for (std::string line; std::getline(lines, line);) documents.push_back(nlohmann::json::parse(line));
  ASSERT_EQ(documents.size(), 3u) << "the build, the look at four seeds and the end: " << result.out;
  EXPECT_EQ(documents[0]["ok"], true);
  for (const std::size_t i : {1, 2}) {
    EXPECT_EQ(documents[i]["build"], 1);
    EXPECT_EQ(documents[i]["offer"]["gain"]["seeds"], 4);
    EXPECT_EQ(documents[i]["offer"]["ended"], i == 2);
    EXPECT_EQ(documents[i]["offer"]["history"].size(), 1u);
  }
}

TEST_F(WatchShowsTheGain, SaysWhyThereIsNone) {
  const auto result = sandbox_.run(command({"--cycles", "1", "--set", "dataset.train=50"}));
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_NE(result.out.find("the gain is not known: data set digits: "), std::string::npos) << result.out;
}

TEST_F(WatchShowsTheGain, BesideTheCompileTimeOnATerminal) {
  sandbox_.environment["TERM"] = "xterm";
  std::string line = testing::binary_folder() + "/bin/mash";
  const auto arguments = command({"--seeds", "4", "--cycles", "1"});
  for (std::size_t i = 1; i < arguments.size(); ++i) line += " " + arguments[i];
  EXPECT_EQ(sandbox_.run({"script", "-qec", line, "typescript"}).exit_code, 0);
  const std::string shown = file_content(sandbox_.work() / "typescript");
  EXPECT_THAT(shown, ::testing::ContainsRegex("built in [0-9.]+ s, gain [+-][0-9.]+ % of the log-loss"));
}

TEST_F(HeuristicWatch, OptionsOfTheGainWithoutItAreRefused) {
  const auto result = sandbox_.run({"mash", "heuristic", "watch", "mean.cpp", "--no-gain", "--seeds", "4"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_NE(result.err.find("--no-gain: found --seeds too"), std::string::npos) << result.err;
}

}  // namespace
}  // namespace mash
