// SPDX-License-Identifier: Apache-2.0
// docs/experiment-file.md and the settings texts of the tables name exactly what the program reads.
#include <fmt/ranges.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <vector>

#include "classifiers/builtin.hpp"

namespace mash {
namespace {

using Names = std::set<std::string>;

std::string document() {
  std::ifstream file(MASH_SOURCE_DIR "/docs/experiment-file.md");
  return {std::istreambuf_iterator<char>(file), {}};
}

// From the heading to the next of its level.
std::string section(const std::string& heading) {
  const std::string text = document();
  const std::size_t begin = text.find("\n## " + heading + "\n");
  if (begin == std::string::npos) return "";
  return text.substr(begin, text.find("\n## ", begin + 1) - begin);
}

bool names_in_code(const std::string& text, std::string_view name) {
  return text.find(fmt::format("`{}`", name)) != std::string::npos;
}

// "features: auto|N, budget: 10": features, budget.
Names keys_named(std::string_view settings) {
  Names keys;
  for (std::size_t begin = 0; begin < settings.size();) {
    const std::size_t colon = settings.find(':', begin);
    keys.emplace(settings.substr(begin, colon - begin));
    begin = std::min(settings.find(", ", colon), settings.size() - 2) + 2;
  }
  return keys;
}

// The keys that the row's function asked for: "...; known: features, budget".
template <class Row>
Names keys_read(const Row& row) {
  Settings settings;
  EXPECT_TRUE(row.make(settings).ok()) << row.name;
  settings.add("bogus", "1", "");
  const std::string message = settings.finish("part").error().message;
  const std::string known = message.substr(message.find("known: ") + 7);
  Names keys;
  for (std::size_t begin = 0; begin < known.size() && known != "none";) {
    const std::size_t end = std::min(known.find(", ", begin), known.size());
    keys.insert(known.substr(begin, end - begin));
    begin = end + 2;
  }
  return keys;
}

TEST(SettingsTexts, NameExactlyTheKeysThatAreRead) {
  for (const auto& row : builtin_boosters()) EXPECT_EQ(keys_named(row.settings), keys_read(row)) << row.name;
  for (const auto& row : builtin_weak_learners())
    EXPECT_EQ(keys_named(row.settings), keys_read(row)) << row.name;
  for (const auto& row : builtin_samplers()) EXPECT_EQ(keys_named(row.settings), keys_read(row)) << row.name;
}

TEST(SettingsTexts, OfTheBoosterNameEveryLoss) {
  const std::string_view settings = (*find_booster("adaboost.mh"))->settings;
  std::vector<std::string_view> losses;
  for (const LossRow& row : builtin_losses()) losses.push_back(row.name);
  const std::string expected = fmt::format("loss: {},", fmt::join(losses, "|"));
  EXPECT_NE(settings.find(expected), std::string_view::npos) << expected;
}

TEST(ExperimentFileDocument, NamesEveryBoosterWithItsKeys) {
  for (const auto& row : builtin_boosters()) {
    const std::string text = section("booster: " + std::string(row.name));
    EXPECT_FALSE(text.empty()) << "docs/experiment-file.md has no section '## booster: " << row.name << "'";
    for (const std::string& key : keys_named(row.settings))
      EXPECT_TRUE(names_in_code(text, key)) << row.name << ": " << key;
  }
}

TEST(ExperimentFileDocument, NamesEveryLoss) {
  for (const LossRow& row : builtin_losses())
    EXPECT_TRUE(names_in_code(section("booster: adaboost.mh"), row.name)) << row.name;
}

TEST(ExperimentFileDocument, NamesEveryWeakLearnerWithItsKeys) {
  const std::string text = section("weak");
  for (const auto& row : builtin_weak_learners()) {
    EXPECT_TRUE(names_in_code(text, row.name)) << row.name;
    for (const std::string& key : keys_named(row.settings))
      EXPECT_NE(text.find(key + ":"), std::string::npos) << row.name << ": " << key;
  }
}

TEST(ExperimentFileDocument, NamesEverySamplerWithItsKeys) {
  const std::string text = section("sampler");
  for (const auto& row : builtin_samplers()) {
    EXPECT_TRUE(names_in_code(text, row.name)) << row.name;
    for (const std::string& key : keys_named(row.settings))
      EXPECT_NE(text.find(key), std::string::npos) << row.name << ": " << key;
  }
}

// A name in the tables of the document that is none of the program's.
TEST(ExperimentFileDocument, NamesNothingElse) {
  const auto first_columns = [](const std::string& text) {
    Names names;
    for (std::size_t row = text.find("\n| `"); row != std::string::npos; row = text.find("\n| `", row + 1)) {
      const std::string cell = text.substr(row + 3, text.find(" |", row + 3) - row - 3);
      for (std::size_t open = cell.find('`'); open != std::string::npos;
           open = cell.find('`', cell.find('`', open + 1) + 1))
        names.insert(cell.substr(open + 1, cell.find('`', open + 1) - open - 1));
    }
    return names;
  };
  Names samplers, learners;
  for (const auto& row : builtin_samplers()) samplers.emplace(row.name);
  for (const auto& row : builtin_weak_learners()) learners.emplace(row.name);
  EXPECT_EQ(first_columns(section("sampler")), samplers);
  EXPECT_EQ(first_columns(section("weak")), learners);
  for (const auto& row : builtin_boosters())
    EXPECT_EQ(first_columns(section("booster: " + std::string(row.name))), keys_named(row.settings));
}

}  // namespace
}  // namespace mash
