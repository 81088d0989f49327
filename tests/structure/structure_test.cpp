// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "tests/structure/source_tree.hpp"

namespace mash {
namespace {

namespace fs = std::filesystem;
using testing::kProgramTrees;
using testing::kSource;
using testing::kSourceTrees;
using testing::lines_of;
using testing::sources;
using testing::text_of;

// Folders that a folder may include beside itself: these folders and, through them, what they may.
const std::map<std::string, std::vector<std::string>> kFlow{
    {"sdk/include", {}},
    {"framework/base", {"sdk/include"}},
    {"framework/commandline", {"framework/base"}},
    {"framework/dataset/decoders", {"framework/base"}},
    {"framework/dataset", {"framework/dataset/decoders"}},
    {"framework/dataset/generators", {"framework/dataset"}},
    {"framework/dataset/tables", {"framework/dataset"}},
    {"framework/dataset/readers", {"framework/dataset/generators", "framework/dataset/tables"}},
    {"framework/render", {"framework/dataset"}},
    {"framework/extractors", {"framework/dataset"}},
    {"framework/isolation", {"framework/extractors"}},
    {"framework/checks", {"framework/isolation", "framework/dataset/generators"}},
    {"framework/isolation/worker", {"framework/checks"}},
    {"framework/families/by_content", {"framework/dataset"}},
    {"framework/families/columns", {"framework/dataset"}},
    {"framework/families",
     {"framework/isolation", "framework/families/by_content", "framework/families/columns"}},
    {"classifiers/model/rows", {"framework/base"}},
    {"classifiers/model", {"framework/dataset", "classifiers/model/rows"}},
    {"classifiers/events", {"classifiers/model"}},
    {"classifiers/budget", {"classifiers/model"}},
    {"classifiers/serving", {"classifiers/budget", "framework/families"}},
    {"classifiers/losses", {"framework/base"}},
    {"classifiers/reservoir", {"framework/base"}},
    {"classifiers/online", {"classifiers/losses", "classifiers/model"}},
    {"classifiers/scan/kernels", {"framework/base"}},
    {"classifiers/scan",
     {"classifiers/events", "classifiers/losses", "classifiers/scan/kernels", "classifiers/serving"}},
    {"classifiers/samplers", {"classifiers/scan"}},
    {"classifiers/weak", {"classifiers/samplers"}},
    {"classifiers/learners", {"classifiers/events", "classifiers/serving", "framework/families"}},
    {"classifiers/baselines", {"classifiers/learners"}},
    {"classifiers/boosters/loop", {"classifiers/learners", "classifiers/weak", "classifiers/online"}},
    {"classifiers/boosters/whole_side", {"classifiers/boosters/loop", "classifiers/budget"}},
    {"classifiers/boosters/one_vs_all", {"classifiers/boosters/loop", "classifiers/reservoir"}},
    {"classifiers/boosters/online", {"classifiers/boosters/one_vs_all"}},
    {"classifiers/offers", {"classifiers/boosters/whole_side"}},
    {"classifiers",
     {"classifiers/baselines", "classifiers/boosters/whole_side", "classifiers/boosters/online"}},
    {"framework/records", {"classifiers/events", "framework/render"}},
    {"framework/records/site", {"framework/records"}},
    {"framework/analysis", {"framework/records", "classifiers/serving"}},
    {"framework/analysis/sources", {"framework/base"}},
    {"framework/analysis/answers", {"framework/analysis"}},
    {"framework/analysis/tuning", {"framework/analysis"}},
    {"framework/reports", {"framework/analysis/answers", "framework/analysis/tuning"}},
    {"framework/reports/heuristic", {"framework/reports"}},
    {"framework/reports/run", {"framework/reports/heuristic"}},
    {"framework/reports/comparison", {"framework/reports"}},
    {"framework/net", {"framework/base"}},
    {"framework/operations/common", {"framework/isolation", "framework/records"}},
    {"framework/operations/workshop",
     {"framework/operations/common", "framework/checks", "framework/families"}},
    {"framework/operations/experiment",
     {"framework/operations/common", "framework/dataset/readers", "classifiers"}},
    {"framework/operations/upkeep",
     {"framework/operations/workshop", "framework/reports", "classifiers/scan/kernels"}},
    {"framework/operations/training",
     {"framework/operations/experiment", "framework/operations/upkeep", "framework/analysis/answers"}},
    {"framework/operations/prediction", {"framework/operations/experiment"}},
    {"framework/operations/bundle", {"framework/operations/prediction", "framework/operations/workshop"}},
    {"framework/operations/offers",
     {"framework/operations/training", "classifiers/offers", "framework/reports/heuristic"}},
    {"framework/operations/reporting",
     {"framework/operations/offers", "framework/operations/prediction", "framework/reports/run",
      "framework/reports/comparison"}},
    {"framework/operations/data",
     {"framework/operations/training", "framework/operations/prediction", "framework/net"}},
    {"framework/operations/site",
     {"framework/operations/experiment", "framework/net", "framework/records/site"}},
    {"framework/reproductions/common", {"framework/operations/training"}},
    {"framework/reproductions/bandits", {"framework/reproductions/common"}},
    {"framework/reproductions/sampling", {"framework/reproductions/bandits"}},
    {"framework/reproductions/reservoir", {"framework/reproductions/common"}},
    {"framework/reproductions/budget", {"framework/reproductions/common", "framework/operations/prediction"}},
    {"framework/reproductions/contribution",
     {"framework/reproductions/common", "framework/operations/offers"}},
    {"framework/reproductions",
     {"framework/reproductions/sampling", "framework/reproductions/reservoir",
      "framework/reproductions/budget", "framework/reproductions/contribution"}},
    {"framework/cli",
     {"framework/reproductions", "framework/operations/reporting", "framework/operations/data",
      "framework/operations/bundle", "framework/operations/site", "framework/commandline"}},
    {"framework/python", {"framework/operations/data", "framework/operations/offers"}},
    {"server/runner",
     {"framework/operations/reporting", "framework/commandline", "framework/records/site",
      "framework/analysis/sources"}},
    {"server/http/wire", {"framework/base"}},
    {"server/http/frame", {"server/http/wire", "framework/records/site"}},
    {"server/http/boards", {"server/http/frame"}},
    {"server/http/accounts", {"server/http/frame"}},
    {"server/http/heuristics", {"server/http/boards"}},
    {"server/http/api", {"server/http/boards"}},
    {"server/http/about", {"server/http/boards"}},
    {"server/http/submissions", {"server/http/heuristics"}},
    {"server/http",
     {"server/http/accounts", "server/http/api", "server/http/about", "server/http/submissions",
      "framework/commandline"}},
};

void add_allowed(const std::string& folder, std::set<std::string>& allowed) {
  if (!allowed.insert(folder).second) return;
  for (const std::string& left : kFlow.at(folder)) add_allowed(left, allowed);
}

// The records and what is internal to them include each other, and have one place.
std::string place_in_flow(const std::string& folder) {
  const std::string records = "framework/records";
  return folder.starts_with(records + "/internal") ? records : folder;
}

// The folder that an include names: "framework/base/file.hpp" is of framework/base, "mash/abi/image.h" of the
// SDK.
std::string included_folder(const std::string& include) {
  if (include.rfind("mash/", 0) == 0) return "sdk/include";
  return place_in_flow(fs::path(include).parent_path().string());
}

// The folder of each header that a file includes from the project.
std::vector<std::string> included_folders(const fs::path& file) {
  const std::regex pattern("^\\s*#include \"([^\"]+)\"");
  std::vector<std::string> folders;
  for (const std::string& line : lines_of(file)) {
    std::smatch match;
    if (std::regex_search(line, match, pattern)) folders.push_back(included_folder(match[1]));
  }
  return folders;
}

TEST(Structure, IncludesPointLeft) {
  std::size_t num_includes = 0;
  for (const fs::path& file : sources(kProgramTrees)) {
    const std::string folder = place_in_flow(fs::relative(file.parent_path(), kSource).string());
    ASSERT_TRUE(kFlow.contains(folder)) << folder << " has no place in the flow";
    std::set<std::string> allowed;
    add_allowed(folder, allowed);
    for (const std::string& included : included_folders(file)) {
      ++num_includes;
      EXPECT_TRUE(allowed.contains(included)) << fs::relative(file, kSource) << " includes a header of "
                                              << included << ", which is not left of it";
    }
  }
  EXPECT_GT(num_includes, 100u) << "the test looks in the wrong place";
}

TEST(Structure, TrainingKnowsNoDatabaseAndNoYaml) {
  const std::regex forbidden("#include <(SQLiteCpp|sqlite3|yaml-cpp|CLI)");
  for (const fs::path& file : sources({"classifiers", "framework/families", "framework/base"}))
    for (const std::string& line : lines_of(file))
      EXPECT_FALSE(std::regex_search(line, forbidden)) << fs::relative(file, kSource) << ": " << line;
}

// All SQL is in framework/records; everybody else calls its functions, and sees no header that shows SQLite.
// Text is printed from what an operation gave. Documents are read where they come from somewhere else: from
// another program, or from a site.
TEST(Structure, CommandsDoNotReadTheirOwnDocuments) {
  const std::set<std::string> read_those_of_others{"background_offer.cpp", "heuristic_watch.cpp",
                                                   "status.cpp", "submission_wait.cpp", "submit.cpp"};
  const std::regex reads(
      "\\[\"\\w+\"\\]\\)?\\.(get<|value\\(|size\\(|empty\\(|is_null\\(|begin\\()|"
      ": \\w+\\[\"\\w+\"\\]\\)|[jJ]son\\w*\\.(at|value|contains)\\(\"");
  std::set<std::string> found;
  for (const fs::path& file : sources({"framework/cli"}))
    if (std::regex_search(text_of(file), reads)) found.insert(file.filename().string());
  EXPECT_EQ(found, read_those_of_others);
}

// Words for people are no signals: who wants to know how far work is gives a callback that says so.
TEST(Structure, NothingButTheBarLooksAtTheWordsOfProgress) {
  const std::regex takes_the_unit(
      "\\bstart\\(std::string ?\\w*,\\s*std::size_t ?\\w*,\\s*std::string \\w+\\)( override)? \\{");
  const std::regex compares_the_title(
      "\\b(task|title)_?\\s*[!=]=|[!=]=\\s*(task|title)_?\\b|"
      "\\b(task|title)_?\\.(starts_with|ends_with|find|contains|compare)\\(");
  std::size_t num_listeners = 0;
  for (const fs::path& file : sources(kProgramTrees)) {
    const std::string name = testing::name_in_tree(file), text = text_of(file);
    if (name == "framework/cli/terminal.cpp") continue;
    EXPECT_FALSE(std::regex_search(text, takes_the_unit)) << name << ": the unit of a task is for the bar";
    if (text.find("public Progress {") == std::string::npos) continue;
    ++num_listeners;
    EXPECT_FALSE(std::regex_search(text, compares_the_title)) << name << ": compares the titles of tasks";
  }
  EXPECT_EQ(num_listeners, 3u) << "that of nobody, that of a part, and that of the runner";
}

TEST(Structure, OnlyRecordsSpeakSql) {
  const std::regex forbidden(
      "SQLite|sqlite3_|#include \"framework/records/internal/|"
      "\\b(SELECT|INSERT|UPDATE|DELETE|PRAGMA) ");
  std::size_t num_in_records = 0;
  for (const fs::path& file : sources(kProgramTrees)) {
    const bool in_records = testing::name_in_tree(file).starts_with("framework/records/");
    for (const std::string& line : lines_of(file)) {
      const bool is_found = std::regex_search(line, forbidden);
      num_in_records += in_records && is_found;
      EXPECT_TRUE(in_records || !is_found) << fs::relative(file, kSource) << ": " << line;
    }
  }
  EXPECT_GT(num_in_records, 30u) << "the test looks for the wrong words";
}

// Callers hear of what happens through Remarks, and nobody through a log of the program's own.
// A stream that cannot be written would end the program by an exception: print_error_text of program_end.hpp.
TEST(Structure, NothingThrowsThatWritesToStderr) {
  const std::regex forbidden("print\\(\\s*stderr|fprintf|std::cerr");
  for (const fs::path& file : sources({"framework", "classifiers", "server"}))
    for (const std::string& line : lines_of(file))
      EXPECT_FALSE(std::regex_search(line, forbidden)) << fs::relative(file, kSource) << ": " << line;
}

TEST(Structure, NobodyLogs) {
  const std::regex forbidden("#include [<\"]spdlog");
  for (const fs::path& file : sources(kProgramTrees))
    for (const std::string& line : lines_of(file))
      EXPECT_FALSE(std::regex_search(line, forbidden)) << fs::relative(file, kSource) << ": " << line;
}

// Work runs on the threads that it is given: --threads holds for all of it, and no loop makes its own.
TEST(Structure, OnlyProgramsMakeThreads) {
  const std::regex made(
      "\\bWorkers(\\s+\\w+)?\\s*[({;]|<Workers>|\\bstd::j?thread\\b(?!::)|\\bstd::async\\b");
  const std::set<std::string> makers{
      // Programs, which say how many there are.
      "framework/cli/options.hpp",
      "framework/python/work.hpp",  // and one to work while Python hears signals
      "server/runner/main.cpp",
      "server/runner/beat.hpp",  // one that tells that the runner lives
      // The threads that are given, divided among trainings beside one another.
      "framework/operations/offers/seeds.cpp", "framework/operations/training/subset_trainer.cpp",
      // The thread that calls, alone: what is timed, too short to be divided, or one of many at a time.
      "classifiers/boosters/whole_side/round.cpp", "framework/dataset/readers/formats.cpp",
      "framework/operations/prediction/budget_curve.cpp", "framework/reproductions/budget/reproduce_time.cpp",
      "framework/reproductions/budget/repetition.cpp",
      // Others.
      "framework/base/parallel.cpp", "framework/base/parallel.hpp",
      "framework/checks/step_service.cpp",                  // in a worker: a heuristic on several threads
      "framework/operations/workshop/sanitized_build.cpp",  // waits for a compiler
  };
  for (const fs::path& file : sources({"framework", "classifiers", "server"})) {
    const std::string name = testing::name_in_tree(file);
    const auto lines = lines_of(file);
    const auto found = std::find_if(lines.begin(), lines.end(), [&](const std::string& line) {
      return std::regex_search(line.substr(0, line.find("//")), made);
    });
    EXPECT_EQ(found != lines.end(), makers.contains(name))
        << name << ": " << (found != lines.end() ? *found : "makes none, and is listed here");
  }
}

// A server calls operations too: the caller decides what is printed, and how work is stopped.
TEST(Structure, OperationsParseNoCommandLineAndPrintNothing) {
  const std::regex forbidden(
      "#include "
      "<(CLI|iostream|csignal|cstdio)|std::(cout|cerr|clog)|\\bf?printf|\\bf?puts\\(|fmt::print|"
      "stderr|stdout|signal\\(|setenv|chdir|current_path\\(");
  for (const fs::path& file : sources({"framework/operations", "framework/reproductions"}))
    for (const std::string& line : lines_of(file))
      EXPECT_FALSE(std::regex_search(line, forbidden)) << fs::relative(file, kSource) << ": " << line;
}

// How the program's options are called is the command line's affair; a server has names of its own for
// settings.
TEST(Structure, OperationsNameNoOptionsOfTheCommandLine) {
  const std::regex option("\"[^\"]*--[a-z]");
  const std::set<std::string> others{
      "framework/operations/offers/commands.cpp",    // commands to be shown
      "framework/operations/reporting/compare.cpp",  // what a command to be shown lacks
      "framework/operations/reporting/run.cpp",      // a command to be shown
      "framework/operations/workshop/compile.cpp",   // options of compilers, CMake and CTest
      "framework/operations/workshop/sdk.cpp",       // a command of CMake, to be shown
      "framework/operations/site/serve.cpp",         // a command of CMake, to be shown
      "framework/operations/site/settings.cpp",      // options of mash-server and mash-runner
  };
  for (const fs::path& file : sources({"framework/operations", "framework/reproductions"})) {
    const std::string name = testing::name_in_tree(file);
    const auto lines = lines_of(file);
    const bool is_found = std::any_of(
        lines.begin(), lines.end(), [&](const std::string& line) { return std::regex_search(line, option); });
    EXPECT_EQ(is_found, others.contains(name)) << name;
  }
}

// "mash_module(mash_scan classifiers/scan mash_base ...)", over any number of lines: folder and linked
// modules.
struct Module {
  std::string folder;
  std::set<std::string> links;  // folders of other modules
};

std::map<std::string, Module> modules() {
  std::map<std::string, Module> modules;
  std::map<std::string, std::vector<std::string>> words;
  for (const std::string& folder : kProgramTrees) {
    std::string text;
    for (const std::string& line : lines_of(kSource / folder / "CMakeLists.txt")) text += line + " ";
    const std::regex call("mash_module\\(([^)]*)\\)"), word("[^ ]+");
    for (std::sregex_iterator found(text.begin(), text.end(), call), end; found != end; ++found) {
      const std::string arguments = (*found)[1];
      std::vector<std::string> list;
      for (std::sregex_iterator w(arguments.begin(), arguments.end(), word); w != end; ++w)
        list.push_back(w->str());
      words[list.at(0)] = list;
      modules[list.at(0)].folder = list.at(1);
    }
  }
  modules["mash_builtin"].folder = "classifiers";
  for (const auto& [name, list] : words)
    for (std::size_t i = 2; i < list.size(); ++i)
      if (modules.contains(list[i])) modules[name].links.insert(modules[list[i]].folder);
  return modules;
}

// Modules lend each other nothing that they link, so what a module includes is what its list in CMake names.
// That the flow allows it is tested above.
TEST(Structure, ModulesLinkWhatTheyInclude) {
  const auto all = modules();
  EXPECT_GE(all.size(), 20u);
  for (const auto& [name, module] : all) {
    if (name == "mash_builtin") continue;  // one file beside the folders
    std::set<std::string> folders, included;
    for (const auto& [other_name, other] : all) folders.insert(other.folder);
    for (const fs::path& file : sources({module.folder})) {
      if (file.filename() == "main.cpp") continue;  // of a program
      for (fs::path folder : included_folders(file)) {
        while (!folder.empty() && !folders.contains(folder))
          folder = folder.parent_path();  // a folder within
        if (!folder.empty() && folder != module.folder) included.insert(folder);
      }
    }
    EXPECT_EQ(module.links, included) << name;
  }
}

// The parts of the tables of classifiers/builtin.cpp: each has a header, a source and a test of its own.
TEST(Structure, EveryPartHasAHeaderASourceAndATest) {
  const std::regex include(
      "^#include \"classifiers/(baselines|boosters/\\w+|losses|samplers|weak)/(\\w+)\\.hpp\"");
  std::size_t num_parts = 0;
  for (const std::string& line : lines_of(kSource / "classifiers" / "builtin.cpp")) {
    std::smatch match;
    if (!std::regex_search(line, match, include)) continue;
    ++num_parts;
    const std::string folder = match[1], name = match[2];
    for (const fs::path& file : {fs::path("classifiers") / folder / (name + ".cpp"),
                                 fs::path("tests") / folder / (name + "_test.cpp")})
      EXPECT_TRUE(fs::exists(kSource / file))
          << "missing: " << file << ", of a part in classifiers/builtin.cpp";
  }
  EXPECT_GE(num_parts, 15u);
}

// A loop keeps the last of the references that lead to what it goes over: in `for (x : f()->all)` and in
// `for (x : *f())` what f gives is gone before the first turn.
TEST(Structure, LoopsGoOverNothingThatIsGone) {
  const std::regex forbidden("\\bfor \\(.*[^:]: (\\*[\\w:]+\\(|[\\w:]+\\(.*\\)->|[\\w:]+\\([^()]+\\)\\[)");
  EXPECT_TRUE(std::regex_search("for (const Entry& entry : find_all(folder, films)->train)", forbidden));
  EXPECT_TRUE(std::regex_search("for (const Finding& finding : *read_all(records))", forbidden));
  EXPECT_TRUE(std::regex_search("for (const Json& check : run_checks(plugin, 0)[\"checks\"])", forbidden));
  EXPECT_FALSE(std::regex_search("for (const Entry& entry : (*table)->entries)", forbidden));
  for (const fs::path& file : sources(kSourceTrees)) {
    if (file.filename() == "structure_test.cpp") continue;
    for (const std::string& line : lines_of(file))
      EXPECT_FALSE(std::regex_search(line, forbidden)) << testing::name_in_tree(file) << ": " << line;
  }
}

// Numbers and addresses are read and written in one way.
TEST(Structure, TextBecomesNumbersAndAddressesInBaseOnly) {
  const std::regex forbidden(
      "from_chars\\(|\\b(strto|ato|sto)(d|f|i|ld|l|ll|ul|ull)\\(|sscanf|lexical_cast|%\\{:02X\\}");
  const std::set<std::string> here{"framework/base/number.hpp", "framework/base/number.cpp",
                                   "framework/base/percent.cpp"};
  for (const fs::path& file : sources({"framework", "classifiers", "server"})) {
    const std::string name = testing::name_in_tree(file);
    std::size_t num_found = 0;
    for (const std::string& line : lines_of(file)) {
      num_found += std::regex_search(line, forbidden);
      EXPECT_TRUE(here.contains(name) || !std::regex_search(line, forbidden)) << name << ": " << line;
    }
    EXPECT_TRUE(!here.contains(name) || num_found > 0) << name << ": the test looks for the wrong words";
  }
}

// Parts that headers offer to the tables are in them: without its row the suites do not see a part.
TEST(Structure, EveryPartIsInATable) {
  const std::regex offer("^const Loss& (\\w+)\\(\\);|^Result<.*> (make_\\w+)\\(Settings&");
  const std::string builtin = text_of(kSource / "classifiers" / "builtin.cpp");
  std::size_t num_parts = 0;
  for (const fs::path& file : sources({"classifiers/baselines", "classifiers/boosters", "classifiers/losses",
                                       "classifiers/samplers", "classifiers/weak"}))
    for (const std::string& line : lines_of(file)) {
      std::smatch match;
      if (file.extension() != ".hpp" || !std::regex_search(line, match, offer)) continue;
      ++num_parts;
      const std::string function = match[match[1].matched ? 1 : 2];
      EXPECT_TRUE(std::regex_search(builtin, std::regex("\\b" + function + "\\b")))
          << fs::relative(file, kSource) << " offers " << function << ", which no row of builtin.cpp takes";
    }
  EXPECT_GE(num_parts, 25u);
}

// Models have the same bits on every machine.
TEST(Structure, TrainingCallsNoMathematicsOfTheCLibrary) {
  const std::regex forbidden(
      "std::(a?(sin|cos|tan)h?|atan2|cbrt|erfc?|exp2?|expm1|hypot|[lt]gamma|log(10|1p|2)?|pow)\\(");
  for (const fs::path& file : sources({"classifiers"}))
    for (const std::string& line : lines_of(file))
      EXPECT_FALSE(std::regex_search(line, forbidden))
          << fs::relative(file, kSource) << ": " << line
          << "\nuse framework/base/elementary.hpp, or +, -, *, / and std::sqrt";
}

TEST(Structure, EveryFuzzTargetIsBuilt) {
  const std::string list = text_of(kSource / "tests/fuzz/CMakeLists.txt");
  for (const fs::path& file : sources({"tests/fuzz"})) {
    const std::string name = file.stem().string();
    if (file.extension() != ".cpp" || name == "libfuzzer" || name == "replay") continue;
    EXPECT_NE(list.find("mash_fuzz_target(" + name + " "), std::string::npos)
        << "no line for tests/fuzz/" << name << ".cpp in tests/fuzz/CMakeLists.txt";
  }
}

TEST(Structure, TheSdkNeedsNothingOfTheFramework) {
  const std::regex forbidden("#include [<\"](boost|fmt|framework|classifiers|spdlog|nlohmann)");
  for (const fs::path& file : sources({"sdk", "heuristics"}))
    for (const std::string& line : lines_of(file))
      EXPECT_FALSE(std::regex_search(line, forbidden)) << fs::relative(file, kSource) << ": " << line;
}

TEST(Structure, EveryHeuristicIsAFolderWithSourceAndReadme) {
  std::size_t num_heuristics = 0;
  for (const auto& entry : fs::directory_iterator(kSource / "heuristics")) {
    if (!entry.is_directory() || entry.path().filename() == "common") continue;
    ++num_heuristics;
    EXPECT_TRUE(fs::exists(entry.path() / "heuristic.cpp")) << entry.path();
    EXPECT_TRUE(fs::exists(entry.path() / "README.md")) << entry.path();
  }
  EXPECT_GE(num_heuristics, 26u);
}

// Beside the contract, which says nothing of what the numbers are: a test that asks for the heuristic by its
// id.
TEST(Structure, EveryHeuristicHasATestOfItsNumbers) {
  std::string tests;
  for (const fs::path& file : sources({"tests/heuristics"})) tests += text_of(file);
  for (const auto& entry : fs::directory_iterator(kSource / "heuristics")) {
    if (!fs::exists(entry.path() / "heuristic.cpp")) continue;
    const std::string id = entry.path().filename().string();
    EXPECT_TRUE(tests.find('"' + id + '"') != std::string::npos)
        << "no file in tests/heuristics has a test of " << id;
  }
}

TEST(Structure, EveryFileSaysItsLicence) {
  for (const fs::path& file : sources(kSourceTrees)) {
    const auto lines = lines_of(file);
    ASSERT_FALSE(lines.empty()) << file;
    const bool outside_example = file.string().find("tests/sdk/outside") != std::string::npos;
    EXPECT_TRUE(outside_example || lines[0].find("SPDX-License-Identifier: Apache-2.0") != std::string::npos)
        << fs::relative(file, kSource);
  }
}

// The column limit of .clang-format, and some more for SQL and CSS, which it does not fold.
TEST(Structure, LinesAreShortAndHaveNoTabs) {
  for (const fs::path& file : sources(kSourceTrees))
    for (const std::string& line : lines_of(file))
      EXPECT_TRUE(line.size() <= 130 && line.find('\t') == std::string::npos)
          << fs::relative(file, kSource) << ": " << line;
}

}  // namespace
}  // namespace mash
