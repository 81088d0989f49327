// SPDX-License-Identifier: Apache-2.0
// docs/experiment-file.md names exactly what the program reads, with the defaults that it takes.
#include <fmt/ranges.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "classifiers/builtin.hpp"
#include "tests/support/places.hpp"

namespace mash {
namespace {

std::string document() {
  std::ifstream file(testing::source_folder() + "/docs/experiment-file.md");
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

// Texts between backticks.
std::vector<std::string> code_in(const std::string& text) {
  std::vector<std::string> pieces;
  for (std::size_t open = text.find('`'); open != std::string::npos;) {
    const std::size_t close = text.find('`', open + 1);
    if (close == std::string::npos) {
      ADD_FAILURE() << "a backtick without its other half: " << text;
      break;
    }
    pieces.push_back(text.substr(open + 1, close - open - 1));
    open = text.find('`', close + 1);
  }
  return pieces;
}

// The cells of each row of the section's table whose first cell is in code, without the blanks around them.
std::vector<std::vector<std::string>> table_rows(const std::string& section) {
  std::vector<std::vector<std::string>> rows;
  for (std::size_t row = section.find("\n| `"); row != std::string::npos;
       row = section.find("\n| `", row + 1)) {
    std::vector<std::string>& cells = rows.emplace_back();
    const std::size_t end = section.find('\n', row + 1);
    for (std::size_t bar = row + 1, next; (next = section.find('|', bar + 1)) < end; bar = next) {
      const std::string cell = section.substr(bar + 1, next - bar - 1);
      const std::size_t first = cell.find_first_not_of(' ');
      cells.push_back(
          first == std::string::npos ? "" : cell.substr(first, cell.find_last_not_of(' ') + 1 - first));
    }
  }
  return rows;
}

// Keys with their defaults.
using Defaults = std::map<std::string, std::string>;

// "features: auto|N, budget: 10": the first of several values is the default.
Defaults defaults_named(std::string_view settings) {
  Defaults defaults;
  for (std::size_t begin = 0; begin < settings.size();) {
    const std::size_t colon = settings.find(':', begin),
                      end = std::min(settings.find(", ", colon), settings.size());
    const std::string_view value = settings.substr(colon + 2, end - colon - 2);
    defaults.emplace(settings.substr(begin, colon - begin), value.substr(0, value.find('|')));
    begin = end + 2;
  }
  return defaults;
}

// Defaults that the row's function asks for where the user says nothing.
template <class Row>
Defaults defaults_read(const Row& row) {
  Settings settings;
  EXPECT_TRUE(make_plain(row, settings).ok()) << row.name;
  Defaults defaults;
  for (const Settings::Known& known : settings.known()) defaults.emplace(known.key, known.fallback);
  if (row.tuning.by_default) defaults[std::string(row.tuning.key)] = kTuned;
  return defaults;
}

TEST(ExperimentFileDocument, NamesEveryBoosterWithExactlyItsKeysAndDefaults) {
  for (const auto& row : builtin_boosters()) {
    const std::string text = section("booster: " + std::string(row.name));
    EXPECT_FALSE(text.empty()) << "docs/experiment-file.md has no section '## booster: " << row.name << "'";
    Defaults named;
    for (const auto& cells : table_rows(text)) {
      ASSERT_EQ(cells.size(), 3u) << row.name;
      const auto in_code = code_in(cells[2]);
      named.emplace(code_in(cells[0]).at(0), in_code.empty() ? cells[2] : in_code[0]);
    }
    EXPECT_EQ(named, defaults_read(row)) << "docs/experiment-file.md, '## booster: " << row.name << "'";
  }
}

TEST(ExperimentFileDocument, NamesEveryLossInItsRow) {
  const auto rows = table_rows(section("booster: adaboost.mh"));
  const auto losses =
      std::find_if(rows.begin(), rows.end(), [](const auto& cells) { return cells[0] == "`loss`"; });
  ASSERT_NE(losses, rows.end());
  for (const LossRow& row : builtin_losses())
    EXPECT_TRUE(names_in_code(losses->at(1), row.name))
        << "docs/experiment-file.md does not name `" << row.name
        << "` in '## booster: adaboost.mh', row `loss`";
}

// The keys and defaults of each part in the table of a section. The last cell has them in code, or names the
// row that has the same: "as `ucb`, and `ratio: 1`".
std::map<std::string, Defaults> defaults_by_name(const std::string& heading) {
  std::map<std::string, Defaults> parts;
  for (const auto& cells : table_rows(section(heading))) {
    EXPECT_EQ(cells.size(), 3u) << cells[0];
    Defaults defaults;
    for (const std::string& piece : code_in(cells.back())) {
      const bool is_name = piece.find(':') == std::string::npos;
      EXPECT_TRUE(!is_name || parts.contains(piece))
          << cells[0] << " is as " << piece << ", which is not above it";
      for (const auto& [key, value] : is_name ? parts[piece] : defaults_named(piece)) defaults[key] = value;
    }
    for (const std::string& name : code_in(cells[0])) parts[name] = defaults;
  }
  return parts;
}

template <class Row>
std::map<std::string, Defaults> defaults_by_name(std::span<const Row> rows) {
  std::map<std::string, Defaults> parts;
  for (const Row& row : rows) parts.emplace(row.name, defaults_read(row));
  return parts;
}

TEST(ExperimentFileDocument, NamesExactlyTheWeakLearnersWithTheirKeysAndDefaults) {
  EXPECT_EQ(defaults_by_name("weak"), defaults_by_name(builtin_weak_learners()))
      << "the table of docs/experiment-file.md under '## weak', and classifiers/builtin.cpp";
}

TEST(ExperimentFileDocument, NamesExactlyTheSamplersWithTheirKeysAndDefaults) {
  EXPECT_EQ(defaults_by_name("sampler"), defaults_by_name(builtin_samplers()))
      << "the table of docs/experiment-file.md under '## sampler', and classifiers/builtin.cpp";
}

}  // namespace
}  // namespace mash
