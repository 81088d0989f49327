// SPDX-License-Identifier: Apache-2.0
// From an empty folder to a plugin, by `mash heuristic new` and `mash heuristic build`.
#include "sdk/classic/mash/detail/default_names.h"
#include "tests/cli/own_heuristic.hpp"
#include "tests/support/places.hpp"

namespace mash {
namespace {

using testing::file_content;
using testing::kMeanSource;
using testing::run_json;
using testing::run_well;
using testing::Sandbox;
using testing::with;
using testing::write_text;

TEST(HeuristicBuild, AProjectFromNothingToATrainedFamily) {
  Sandbox sandbox;
  run_well(sandbox, {"mash", "heuristic", "new", "row-means", "--dir", "a folder"});
  const auto built =
      run_json(sandbox, {"mash", "heuristic", "build", "a folder/row-means", "--test", "--json"});
  EXPECT_EQ(built["tested"], true);
  EXPECT_EQ(built["plugins"][0]["file"], "a folder/row-means/build/row-means.so");
  EXPECT_EQ(built["plugins"][0]["heuristics"][0]["id"], "row-means");
  EXPECT_EQ(built["plugins"][0]["heuristics"][0]["dim"], 28);
  EXPECT_GT(built["plugins"][0]["heuristics"][0]["microseconds_per_image"], 0.0);
  EXPECT_GT(built["seconds"], 0.0);

  const auto run = run_json(sandbox, {"mash", "run", "demo", "--heuristics", "a folder/row-means/build",
                                      "--set", "dataset.train=300", "--set", "dataset.test=100", "--set",
                                      "booster.rounds=5", "--db", "mine.db", "--json"});
  for (const auto& family : run["families"])
    if (family["name"] == "row-means") {
      EXPECT_EQ(family["faults"], 0);
      return;
    }
  ADD_FAILURE() << run["families"];
}

TEST(HeuristicBuild, AFailingTestFailsTheBuild) {
  Sandbox sandbox;
  run_well(sandbox, {"mash", "heuristic", "new", "row-means"});
  const auto source = sandbox.work() / "row-means/row_means.cpp";
  write_text(source, with(file_content(source), "float(sum) /", "float(i) + float(sum) /"));
  const auto tested = sandbox.run({"mash", "heuristic", "build", "row-means", "--test"});
  EXPECT_EQ(tested.exit_code, 1);
  EXPECT_NE(tested.err.find("heuristic.features(picture, backwards) == "), std::string::npos) << tested.err;
  EXPECT_NE(tested.err.find("mash: row-means: the test fails"), std::string::npos) << tested.err;
  run_well(sandbox, {"mash", "heuristic", "build", "row-means"});
}

TEST(HeuristicBuild, ASingleSourceAndItsTest) {
  Sandbox sandbox;
  run_well(sandbox, {"mash", "heuristic", "new", "row-means"});
  const auto built = run_json(sandbox, {"mash", "heuristic", "build", "row-means/row_means.cpp", "--out",
                                        "lib/mine.so", "--test", "--json"});
  EXPECT_EQ(built["plugins"][0]["file"], "lib/mine.so");
  EXPECT_EQ(built["plugins"][0]["heuristics"][0]["id"], "row-means");
  const auto list =
      run_json(sandbox, {"mash", "heuristic", "show", "row-means", "--heuristics", "lib", "--json"});
  EXPECT_EQ(list["dim"], 28);
}

TEST(HeuristicBuild, ClassicSourceOfEitherStandard) {
  Sandbox sandbox;
  for (const char* name : {"Box_Mean_v3", "old_style"}) {
    std::filesystem::copy_file(std::string(testing::source_folder() + "/tests/sdk/outside/") + name + ".cpp",
                               sandbox.work() / (std::string(name) + ".cpp"));
    run_well(sandbox, {"mash", "heuristic", "build", std::string(name) + ".cpp"});
  }
  const std::string folder = Mash::sdk_detail::DefaultNames(sandbox.work() / "x.cpp").author;
  const auto box = run_json(
      sandbox, {"mash", "heuristic", "show", folder + "/box-mean-v3", "--heuristics", ".", "--json"});
  EXPECT_EQ(box["version"], "3.0.0");
  run_well(sandbox, {"mash", "heuristic", "show", folder + "/old-style", "--heuristics", "."});
}

constexpr const char* kClassicBody = R"(
class Mine : public Heuristic {
 public:
  virtual unsigned int dim() { return 1; }
  virtual scalar_t computeFeature(unsigned int) { return (scalar_t)sizeof(MASH_DATA_DIR); }
};
)";
constexpr const char* kFactory = "extern \"C\" Heuristic* new_heuristic() { return new Mine(); }\n";

// Two sources of one name, whose classic header is included by a header beside them; one has data.
TEST(HeuristicBuild, ClassicSourceThroughAHeaderBesideIt) {
  Sandbox sandbox;
  for (const char* author : {"Alice", "bob"}) {
    const auto folder = sandbox.work() / author;
    std::filesystem::create_directories(folder / "parts");
    write_text(
        folder / "parts/mine.h",
        std::string("#pragma once\n#include <mash/heuristic.h>\nusing namespace Mash;\n") + kClassicBody);
    write_text(folder / "hog.cpp", std::string("#include \"parts/mine.h\"\n") + kFactory);
    run_well(sandbox, {"mash", "heuristic", "build", std::string(author) + "/hog.cpp", "--out",
                       std::string("built/") + author + ".so"});
  }
  const auto list = run_json(sandbox, {"mash", "heuristic", "list", "--heuristics", "built", "--json"});
  std::vector<std::string> ids;
  for (const auto& heuristic : list["heuristics"])
    if (const std::string id = heuristic["id"]; id.ends_with("/hog") || id == "hog") ids.push_back(id);
  EXPECT_EQ(ids, (std::vector<std::string>{"alice/hog", "bob/hog", "hog"}));
}

TEST(HeuristicBuild, AClassicSourceKnowsTheFolderOfItsData) {
  Sandbox sandbox;
  std::filesystem::create_directories(sandbox.work() / "me/data");
  write_text(sandbox.work() / "me/mine.cpp",
             std::string("#include <mash/heuristic.h>\nusing namespace Mash;\n"
                         "static const char place[] = MASH_DATA_DIR \"table.txt\";\n"
                         "char lengths_agree[sizeof place == SIZE ? 1 : -1];\n") +
                 kClassicBody + kFactory);
  const auto size = (sandbox.work() / "me/data/table.txt").string().size() + 1;
  const auto source = file_content(sandbox.work() / "me/mine.cpp");
  write_text(sandbox.work() / "me/mine.cpp", with(source, "SIZE", std::to_string(size)));
  run_well(sandbox, {"mash", "heuristic", "build", "me/mine.cpp"});
}

TEST(HeuristicBuild, SaysThatAClassicSourceHasNoFactory) {
  Sandbox sandbox;
  write_text(sandbox.work() / "mine.cpp",
             std::string("#include <mash/heuristic.h>\nusing namespace Mash;\n") + kClassicBody);
  const auto built = sandbox.run({"mash", "heuristic", "build", "mine.cpp"});
  EXPECT_EQ(built.exit_code, 1);
  EXPECT_NE(built.err.find("mash: mine.cpp: defines no extern \"C\" Heuristic* new_heuristic()"),
            std::string::npos)
      << built.err;
}

TEST(HeuristicBuild, SaysWhatIsWrongAndKeepsTheFormerPlugin) {
  Sandbox sandbox;
  const auto source = sandbox.work() / "mean.cpp";
  const std::vector<std::string> build{"mash", "heuristic", "build", "mean.cpp"};
  write_text(source, kMeanSource);
  run_well(sandbox, build);
  const std::string plugin = file_content(sandbox.work() / "mean.so");

  write_text(source, with(kMeanSource, "return 1;", "return one;"));
  const auto broken = sandbox.run(build);
  EXPECT_EQ(broken.exit_code, 1);
  EXPECT_NE(broken.err.find("mean.cpp:6:"), std::string::npos) << broken.err;
  EXPECT_NE(broken.err.find("‘one’ was not declared"), std::string::npos) << broken.err;
  EXPECT_NE(broken.err.find("\nmash: mean.cpp: does not compile\n"), std::string::npos) << broken.err;
  EXPECT_EQ(file_content(sandbox.work() / "mean.so"), plugin);

  write_text(source, with(kMeanSource, "\"mean\"", "\"My Mean\""));
  const auto refused = sandbox.run(build);
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_NE(refused.err.find("mean.so: heuristic 'My Mean': its id has another form"), std::string::npos)
      << refused.err;

  write_text(source, with(kMeanSource, "value =", "throw std::runtime_error(\"no luck\"); value ="));
  const auto thrown = sandbox.run(build);
  EXPECT_EQ(thrown.exit_code, 1);
  EXPECT_NE(thrown.err.find("no luck"), std::string::npos) << thrown.err;
}

TEST(HeuristicBuild, ReportsValuesThatAreNotFiniteAndViewsThatAreNotTaken) {
  Sandbox sandbox;
  write_text(sandbox.work() / "mean.cpp", with(kMeanSource, "value =", "value = 1 / 0.f *"));
  const auto faulty = run_json(sandbox, {"mash", "heuristic", "build", "mean.cpp", "--json"});
  EXPECT_EQ(faulty["plugins"][0]["heuristics"][0]["faults"], 20);
  write_text(sandbox.work() / "mean.cpp",
             with(kMeanSource, "return 1;", "throw mash::Unsupported(\"the view is too small\");"));
  const auto small = run_json(sandbox, {"mash", "heuristic", "build", "mean.cpp", "--json"});
  EXPECT_TRUE(small["plugins"][0]["heuristics"][0]["dim"].is_null());
  EXPECT_NE(
      small["plugins"][0]["heuristics"][0]["dim_error"].get<std::string>().find("the view is too small"),
      std::string::npos);
}

// All of its heuristics are checked; where one is asked for, they are named.
TEST(HeuristicBuild, AProjectOfTwoHeuristics) {
  Sandbox sandbox;
  std::filesystem::create_directory(sandbox.work() / "two");
  write_text(sandbox.work() / "two/CMakeLists.txt",
             "cmake_minimum_required(VERSION 3.25)\nproject(two LANGUAGES CXX)\nfind_package(mash-sdk "
             "REQUIRED)\nmash_add_heuristic(mean mean.cpp)\nmash_add_heuristic(other other.cpp)\n");
  write_text(sandbox.work() / "two/mean.cpp", kMeanSource);
  write_text(sandbox.work() / "two/other.cpp", with(kMeanSource, "\"mean\"", "\"other\""));
  const auto checked =
      run_json(sandbox, {"mash", "heuristic", "check", "two", "--only", "load.about", "--json"});
  EXPECT_EQ(checked["heuristics"][0]["heuristic"], "mean");
  EXPECT_EQ(checked["heuristics"][1]["heuristic"], "other");
  for (const char* command : {"show", "try"}) {
    const auto shown = sandbox.run({"mash", "heuristic", command, "two"});
    EXPECT_EQ(shown.exit_code, 2);
    EXPECT_NE(shown.err.find("mash: two: has 2 heuristics (mean, other), expected one; give the id of one of "
                             "them, and two/build as a place"),
              std::string::npos)
        << shown.err;
  }
  run_well(sandbox, {"mash", "heuristic", "show", "other", "--heuristics", "two/build"});
}

// The headers are those of the installation that the program belongs to, wherever it was moved to.
TEST(HeuristicBuild, WorksFromAnInstallation) {
  Sandbox sandbox;
  for (const char* component : {"sdk", "mash"})
    run_well(sandbox, {MASH_CMAKE, "--install", testing::binary_folder(), "--component", component,
                       "--prefix", "first"});
  std::filesystem::rename(sandbox.work() / "first", sandbox.work() / "moved");
  const auto header = sandbox.work() / "moved/include/mash-sdk/mash/heuristic.hpp";
  write_text(header, file_content(header) + "\n#define OF_THE_INSTALLATION 1\n");
  const std::string source =
      with(kMeanSource, "namespace {", "static_assert(OF_THE_INSTALLATION);\nnamespace {");
  run_well(sandbox, {"moved/bin/mash", "heuristic", "new", "mean"});
  write_text(sandbox.work() / "mean/mean.cpp", source);
  run_well(sandbox, {"moved/bin/mash", "heuristic", "build", "mean/mean.cpp"});
  run_well(sandbox, {"moved/bin/mash", "heuristic", "build", "mean"});
  EXPECT_EQ(sandbox.run({"mash", "heuristic", "build", "mean/mean.cpp"}).exit_code, 1);
  sandbox.environment["MASH_SDK"] = sandbox.work() / "moved";
  run_well(sandbox, {"mash", "heuristic", "build", "mean/mean.cpp"});
}

// Ctrl-C ends a compiler that works for ever; that is no source that does not compile.
TEST(HeuristicBuild, ASignalStopsTheCompiler) {
  for (const char* command : {"build", "check", "try"}) {
    Sandbox sandbox;
    const auto started = sandbox.work() / "started", compiler = sandbox.work() / "compiler";
    write_text(sandbox.work() / "mine.cpp", kMeanSource);
    write_text(compiler, "#!/bin/sh\n[ \"$1\" = --version ] && exit\n: >started\nsleep 1000 & wait\n");
    std::filesystem::permissions(compiler, std::filesystem::perms::owner_all);
    sandbox.environment["CXX"] = compiler;
    auto program = sandbox.start({"mash", "heuristic", command, "mine.cpp"});
    while (!std::filesystem::exists(started) && !program.has_ended())
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    program.send(SIGINT);
    const testing::ProgramResult result = program.wait();
    EXPECT_EQ(result.exit_code, 1) << command;
    EXPECT_EQ(result.err, fmt::format("mash: stopped while {} ran\n", compiler.filename().string()))
        << command;
    EXPECT_TRUE(std::filesystem::is_empty(sandbox.root() / "temporary")) << command;
  }
}

// The compiler that builds with sanitizers beside the checks goes with them.
TEST(HeuristicBuild, ASignalStopsTheBuildWithSanitizers) {
  Sandbox sandbox;
  const auto started = sandbox.work() / "started", compiler = sandbox.work() / "compiler";
  write_text(sandbox.work() / "mine.cpp", kMeanSource);
  write_text(
      compiler,
      "#!/bin/sh\ncase \" $* \" in *-fsanitize=*) : >started; sleep 1000 & wait;; esac\nexec c++ \"$@\"\n");
  std::filesystem::permissions(compiler, std::filesystem::perms::owner_all);
  sandbox.environment["CXX"] = compiler;
  auto program = sandbox.start({"mash", "heuristic", "check", "mine.cpp", "--only", "values.sanitizers"});
  while (!std::filesystem::exists(started) && !program.has_ended())
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  program.send(SIGINT);
  const testing::ProgramResult result = program.wait();
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_EQ(result.err, "mash: stopped while the sanitizers' build ran\n");
  EXPECT_TRUE(std::filesystem::is_empty(sandbox.root() / "temporary"));
}

// The program that checks run plugins in is found beside mash or in libexec, and missed by name.
TEST(HeuristicBuild, AnInstallationFindsItsWorker) {
  const Sandbox sandbox;
  run_well(sandbox, {MASH_CMAKE, "--install", testing::binary_folder(), "--component", "mash", "--prefix",
                     "installed"});
  const std::vector<std::string> check{"installed/bin/mash",
                                       "heuristic",
                                       "check",
                                       testing::binary_folder() + "/heuristics/identity.so",
                                       "--level",
                                       "load",
                                       "--quiet"};
  run_well(sandbox, check);
  const auto installed = sandbox.work() / "installed";
  std::filesystem::rename(installed / "libexec/mash/mash-worker", installed / "bin/mash-worker");
  run_well(sandbox, check);
  std::filesystem::remove(installed / "bin/mash-worker");
  const testing::ProgramResult result = sandbox.run(check);
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_NE(result.err.find("the program mash-worker"), std::string::npos) << result.err;
  EXPECT_NE(result.err.find((installed / "bin/mash-worker").string()), std::string::npos) << result.err;
}

}  // namespace
}  // namespace mash
