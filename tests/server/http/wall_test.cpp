// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cstdio>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "tests/records/sample.hpp"

namespace mash {
namespace {

using ::testing::IsEmpty;

struct Output {
  int exit_code = -1;
  std::string text;  // of stdout
};

Output run(const std::string& command) {
  Output output;
  FILE* pipe = ::popen(command.c_str(), "r");
  if (pipe == nullptr) return output;
  std::array<char, 4096> block;
  for (std::size_t n = 0; (n = std::fread(block.data(), 1, block.size(), pipe)) > 0;)
    output.text.append(block.data(), n);
  output.exit_code = WEXITSTATUS(::pclose(pipe));
  return output;
}

// Names that no program that strangers talk to may hold: trainers, plugins, and what loads them.
const std::vector<std::string> kForbidden = {"mash::Catalogue",    "mash::FeatureSet", "mash::HeuristicHost",
                                             "mash::Plugin",       "mash::StumpScan",  "mash::Sampler",
                                             "mash::WeakLearner",  "mash::Booster",    "mash::find_booster",
                                             "mash::train_rounds", "mash::Workspace",  " U dlopen"};

// The forbidden words among the symbols of a program, its own and those that it takes from shared libraries.
std::vector<std::string> found_in(const std::string& program) {
  const std::string symbols_of = "nm -C '" + program + "' && nm -CD '" + program + "'";
  // Records have the names of a booster's parts, which are no booster.
  const Output symbols = run("{ " + symbols_of + "; } | sed 's/mash::BoosterParts//g'");
  EXPECT_EQ(symbols.exit_code, 0);
  EXPECT_NE(symbols.text.find("mash::"), std::string::npos) << program << " has no symbols of ours";
  std::vector<std::string> found;
  for (const std::string& word : kForbidden)
    if (symbols.text.find(word) != std::string::npos) found.push_back(word);
  return found;
}

bool has_nm() { return run("nm --version 2>/dev/null").exit_code == 0; }

TEST(ServerWall, TheReaderShowsALeaderboardAndMakesNoFile) {
  const sample::Folder folder;
  {
    Result<Records> records = Records::open(folder / "mash.db");
    ASSERT_TRUE(records.ok());
    ASSERT_TRUE(sample::record(*records, sample::start(), sample::dataset(),
                               {sample::family("hog"), sample::family("lbp")},
                               {sample::use(1), sample::use(3)}, 2)
                    .ok());
  }
  const Output output = run("'" SERVER_READER "' '" + (folder / "mash.db").string() + "'");
  EXPECT_EQ(output.exit_code, 0);
  EXPECT_EQ(output.text, "1 lbp\n2 hog\n");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1);
  EXPECT_EQ(run("'" SERVER_READER "' /nowhere/mash.db 2>/dev/null").exit_code, 2);
}

TEST(ServerWall, TheReaderHoldsNoTrainerAndLoadsNoPlugin) {
  if (!has_nm()) GTEST_SKIP() << "no nm: install binutils";
  EXPECT_THAT(found_in(SERVER_READER), IsEmpty());
  EXPECT_THAT(found_in(MASH_SERVER), IsEmpty());
}

// A word that no program has any more would forbid nothing.
TEST(ServerWall, EachWordIsFoundInAProgramThatTrains) {
  if (!has_nm()) GTEST_SKIP() << "no nm: install binutils";
  EXPECT_THAT(found_in(MASH_PROGRAM), ::testing::ContainerEq(kForbidden));
}

}  // namespace
}  // namespace mash
