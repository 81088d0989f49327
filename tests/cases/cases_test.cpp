// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>
#include <regex>
#include <stdexcept>

#include "tests/cases/case_file.hpp"
#include "tests/cases/json_check.hpp"
#include "tests/cases/set_up.hpp"
#include "tests/support/box.hpp"
#include "tests/support/places.hpp"
#include "tests/support/program.hpp"

namespace mash::cases {
namespace {

namespace fs = std::filesystem;
using testing::file_content;

// The files below a folder with their content.
std::map<std::string, std::string> snapshot(const fs::path& folder) {
  std::map<std::string, std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    files[entry.path().lexically_relative(folder)] =
        entry.is_regular_file() ? file_content(entry.path()) : "";
  return files;
}

// "" when the lines of a `stdout` or `stderr` step hold for `text`.
std::string check_text(const std::string& text, const Step& step) {
  if (step.argument == "empty") return text.empty() ? "" : "it is not empty\n";
  std::string wrong;
  for (const std::string& line : step.body) {
    const bool is_wanted = !line.starts_with("! ");
    const std::string pattern = is_wanted ? line : line.substr(2);
    const bool is_regex = pattern.size() > 2 && pattern.front() == '/' && pattern.back() == '/';
    const bool is_found = is_regex
                              ? std::regex_search(text, std::regex(pattern.substr(1, pattern.size() - 2)))
                              : text.find(pattern) != std::string::npos;
    if (is_found != is_wanted) wrong += fmt::format("{}: {}\n", is_wanted ? "not found" : "found", pattern);
  }
  return wrong;
}

// One case as it is played.
class Player {
 public:
  void play(const Step& step) {
    if (step.verb == "run")
      run(step);
    else if (step.verb == "env")
      set_variable(step);
    else if (!check(step) && !set_up(step, sandbox_.work()))
      throw std::runtime_error("unknown step " + step.verb);
  }

  // Whether each run's exit code was checked.
  bool is_settled() const { return !result_ || exit_checked_; }

  std::string substitute(std::string text) const {
    const std::pair<std::string, std::string> variables[] = {
        {"${heuristics}", testing::binary_folder() + "/heuristics"},
        {"${plugins}", MASH_TEST_PLUGIN_DIR},
        {"${work}", sandbox_.work().string()},
        {"${source}", testing::source_folder()},
        {"${mash}", testing::binary_folder() + "/bin/mash"},
        {"${make_pictures}", testing::binary_folder() + "/bin/make_pictures"}};
    for (const auto& [name, value] : variables)
      for (std::size_t place; (place = text.find(name)) != std::string::npos;)
        text.replace(place, name.size(), value);
    return text;
  }

 private:
  void set_variable(const Step& step) {
    const auto equals = step.argument.find('=');
    sandbox_.environment[step.argument.substr(0, equals)] = step.argument.substr(equals + 1);
  }

  void run(const Step& step) {
    if (!is_settled()) throw std::runtime_error("the run before has no exit");
    before_ = snapshot(sandbox_.work());
    result_ = sandbox_.run(split_words(step.argument));
    exit_checked_ = false;
    for (const auto& [path, content] : snapshot(sandbox_.root()))
      EXPECT_FALSE(path.ends_with(".tmp")) << path << " was left behind";
  }

  bool check(const Step& step) {
    if (step.verb == "absent" || step.verb == "exists") {
      EXPECT_EQ(fs::exists(sandbox_.work() / step.argument), step.verb == "exists") << step.argument;
      return true;
    }
    if (step.verb == "same") {
      const auto words = split_words(step.argument);
      EXPECT_TRUE(fs::exists(sandbox_.work() / words.at(0))) << words[0];
      EXPECT_EQ(file_content(sandbox_.work() / words[0]), file_content(sandbox_.work() / words.at(1)));
      return true;
    }
    if (step.verb != "exit" && step.verb != "json" && step.verb != "stdout" && step.verb != "stderr")
      return false;
    if (!result_) throw std::runtime_error(step.verb + " stands before any run");
    const std::string& text = step.verb == "stderr" ? result_->err : result_->out;
    if (step.verb == "exit")
      check_exit(std::stoi(step.argument));
    else
      EXPECT_EQ(step.verb == "json" ? check_json(text, step.body) : check_text(text, step), "") << text;
    return true;
  }

  void check_exit(int expected) {
    exit_checked_ = true;
    EXPECT_EQ(result_->exit_code, expected) << result_->out << result_->err;
    if (expected != 2) return;
    EXPECT_EQ(result_->out, "") << "stdout after bad input";
    // A library may have had its say before.
    EXPECT_TRUE(("\n" + result_->err).find("\nmash: ") != std::string::npos) << result_->err;
    EXPECT_EQ(result_->err.find("unexpected:"), std::string::npos) << result_->err;
    EXPECT_TRUE(before_ == snapshot(sandbox_.work())) << "bad input changed files";
  }

  testing::Sandbox sandbox_;
  std::map<std::string, std::string> before_;
  std::optional<testing::ProgramResult> result_;
  bool exit_checked_ = false;
};

class Case : public ::testing::TestWithParam<fs::path> {};

TEST_P(Case, Holds) {
  const CaseFile file = read_case(GetParam());
  Player player;
  for (Step step : file.steps) {
    SCOPED_TRACE(fmt::format("{}:{}: {} {}\n{}", GetParam().string(), step.line, step.verb, step.argument,
                             file.description));
    step.argument = player.substitute(step.argument);
    for (std::string& line : step.body) line = player.substitute(line);
    if (step.verb == "needs" && step.argument == "box") {
      if (!testing::has_box()) GTEST_SKIP() << testing::kNoBox;
      continue;
    }
    if (step.verb == "needs" && step.argument == "sanitizers") {
#if defined(__SANITIZE_THREAD__)
      GTEST_SKIP() << "a program with the thread sanitizer loads no other sanitizer";
#endif
      continue;
    }
    ASSERT_NO_THROW(player.play(step));
  }
  EXPECT_TRUE(player.is_settled()) << GetParam() << ": the last run has no exit";
}

std::vector<fs::path> all_cases() {
  std::vector<fs::path> cases;
  for (const auto& entry : fs::recursive_directory_iterator(MASH_CASES_DIR))
    if (entry.path().extension() == ".case") cases.push_back(entry.path());
  std::sort(cases.begin(), cases.end());
  return cases;
}

// "data/idx-truncated.case" as data_idx_truncated
std::string case_name(const ::testing::TestParamInfo<fs::path>& info) {
  std::string name = info.param.lexically_relative(MASH_CASES_DIR).replace_extension().string();
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  return name;
}

INSTANTIATE_TEST_SUITE_P(All, Case, ::testing::ValuesIn(all_cases()), case_name);

}  // namespace
}  // namespace mash::cases
