// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/experiment/keys.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>

#include "framework/operations/experiment/check.hpp"
#include "framework/operations/experiment/experiment.hpp"
#include "framework/operations/experiment/schema.hpp"
#include "tests/support/places.hpp"

namespace mash {
namespace {

using Json = nlohmann::ordered_json;

TEST(ExperimentKeys, EachHasAMeaningAndEachMeaningAKey) {
  std::set<const KeyMeaning*> used;
  for (const ExperimentPart& part : experiment_parts())
    for (const ExperimentKey& key : part.keys) {
      EXPECT_NE(key.meaning, nullptr) << "framework/operations/experiment/key_meanings.cpp has no row of "
                                      << part.section << ", " << part.name << ": " << key.takes.key;
      used.insert(key.meaning);
    }
  for (const ExperimentKey& key : experiment_value_keys()) {
    EXPECT_NE(key.meaning, nullptr) << key.takes.key;
    used.insert(key.meaning);
  }
  for (const char* key : {"dataset", "heuristics", "booster", "weak", "sampler", "classifier"})
    used.insert(find_key_meaning("", "", key));
  for (const KeyMeaning& meaning : key_meanings())
    EXPECT_TRUE(used.contains(&meaning)) << "no key is " << meaning.section << ": " << meaning.key
                                         << ", in framework/operations/experiment/key_meanings.cpp";
}

// The line of a part's keys in the help.
std::string line_of(std::string_view section, std::string_view name) {
  for (const ExperimentPart& part : experiment_parts())
    if (part.section == section && part.name == name) return keys_in_a_line(part.keys);
  return "no such part";
}

TEST(ExperimentKeys, InALineHaveTheirDefaultsFirst) {
  EXPECT_EQ(line_of("weak", "product"), "terms: 3, stop: cycle|first, max_cycles: 20, cuts: codes|exact");
  EXPECT_EQ(line_of("sampler", "laminating"),
            "features: auto|N, examples: auto|N, budget: 10, family_balanced: false|true");
  EXPECT_EQ(line_of("sampler", "best-family"), "family: tuned|TEXT, features: 10");
  EXPECT_EQ(line_of("sampler", "full"), "");
  EXPECT_THAT(line_of("booster", "budgeted"), ::testing::HasSubstr("costs: 1|random|TEXT, "));
  EXPECT_THAT(line_of("dataset", "csv"),
              ::testing::AllOf(::testing::StartsWith("path, test_path, delimiter: ',', "),
                               ::testing::HasSubstr(", label: last, "), ::testing::EndsWith(", title")));
}

// All that is wrong with an experiment, except its heuristics.
std::string problems_of(const std::string& yaml) {
  const auto experiment = parse_experiment(yaml, "e.yaml", {});
  if (!experiment.ok()) return experiment.error().message;
  const Status checked = check_experiment(*experiment, Catalogue());
  return checked.ok() ? "" : checked.error().message;
}

// An experiment that chooses the part with this setting beside what it cannot do without.
std::string experiment_with(const ExperimentPart& part, std::string_view key, std::string_view value) {
  std::string yaml = fmt::format("{}:\n  name: {}\n  {}: {}\n", part.section, part.name, key, value);
  for (const ExperimentKey& other : part.keys)
    if (other.required && other.takes.key != key) yaml += fmt::format("  {}: x\n", other.takes.key);
  if (key == "resize.mode") yaml += "  resize: 64\n";
  const bool has_learners = std::any_of(part.keys.begin(), part.keys.end(), [](const ExperimentKey& other) {
    return other.takes.key == "learners";
  });
  if (has_learners && (key == "draws" || key == "gamma")) yaml += "  learners: updated\n";
  const std::pair<std::string_view, const char*> needs[] = {{"cost_seed", "costs: random"},
                                                            {"kappa", "rule: hybrid"},
                                                            {"uses_per_setup", "cost_mode: amortised"},
                                                            {"drawn", "examples: fixed"},
                                                            {"step_on", "examples: by_weight"},
                                                            {"test_skip_lines", "test_path: x"},
                                                            {"uniform_weights", "keep: wsam"}};
  for (const auto& [idle, other] : needs)  // without which the key has no effect
    if (key == idle) yaml += fmt::format("  {}\n", other);
  return part.section == "dataset" ? yaml : yaml + "dataset: digits\n";
}

TEST(ExperimentKeys, TakeTheirExamples) {
  for (const ExperimentPart& part : experiment_parts()) {
    for (const ExperimentKey& key : part.keys) {
      if (!key.meaning || key.takes.key == "costs") continue;  // a file, which is not there
      EXPECT_EQ(problems_of(experiment_with(part, key.takes.key, key.meaning->example)), "");
    }
  }
}

TEST(ExperimentKeys, RefuseWhatIsJustOutsideTheirRange) {
  for (const ExperimentPart& part : experiment_parts())
    for (const ExperimentKey& key : part.keys) {
      const bool is_whole = key.takes.kind == Settings::Kind::kInteger;
      if (!is_whole && key.takes.kind != Settings::Kind::kReal) continue;
      const double step = is_whole ? 1 : 1e-6 * std::max(1.0, key.takes.maximum);
      for (const double value : {key.takes.minimum - step, key.takes.maximum + step}) {
        const std::string yaml = experiment_with(part, key.takes.key, fmt::format("{}", value));
        EXPECT_THAT(problems_of(yaml), ::testing::HasSubstr(key.takes.key + ": found '")) << yaml;
      }
    }
}

TEST(ExperimentSchema, HasExactlyTheKeysThatAreRead) {
  const Json schema = experiment_schema();
  for (const ExperimentPart& part : experiment_parts()) {
    const Json& choices = schema["properties"][std::string(part.section)]["anyOf"];
    const auto of_part = std::find_if(choices.begin(), choices.end(), [&](const Json& choice) {
      return choice.value("title", "") == part.name;
    });
    ASSERT_NE(of_part, choices.end()) << part.name;
    std::vector<std::string> expected{"name"}, found;
    for (const ExperimentKey& key : part.keys) expected.push_back(key.takes.key);
    for (const auto& [key, value] : (*of_part)["properties"].items()) found.push_back(key);
    EXPECT_EQ(found, expected) << part.name;
  }
}

TEST(ExperimentSchema, HasTypeRangeDefaultAndMeaning) {
  const Json schema = experiment_schema();
  const Json& choices = schema["properties"]["sampler"]["anyOf"];
  const auto laminating = std::find_if(choices.begin(), choices.end(), [](const Json& choice) {
    return choice.value("title", "") == "laminating";
  });
  ASSERT_NE(laminating, choices.end());
  const Json& features = (*laminating)["properties"]["features"];
  EXPECT_EQ(features["anyOf"], Json::parse(R"([{"enum": ["auto"]},
                                 {"type": "integer", "minimum": 1, "maximum": 1073741824}])"));
  EXPECT_EQ(features["default"], "auto");
  EXPECT_FALSE(features["description"].get<std::string>().empty());
  const Json& budget = (*laminating)["properties"]["budget"];
  EXPECT_EQ(budget["type"], "number");
  EXPECT_EQ(budget["default"], 10);
  EXPECT_EQ(schema["required"], Json::array({"dataset"}));
  EXPECT_EQ(schema["additionalProperties"], false);
  EXPECT_EQ(schema["properties"]["runs"]["maximum"], 100000);
  EXPECT_FALSE(schema["properties"]["seed"].contains("maximum")) << "2^63 - 1 is no number of JavaScript's";
}

TEST(ExperimentSchema, KnowsTheHeuristicsItIsGiven) {
  HeuristicInfo info;
  info.id = "edges";
  info.parameters = {{"cell", "side of a cell", ParameterInfo::Type::kInteger, 4, 1, 9, {}},
                     {"kind", "which", ParameterInfo::Type::kChoice, 1, 0, 1, {"soft", "hard"}}};
  const Json schema = experiment_schema(std::vector{info});
  const Json& items = schema["properties"]["heuristics"]["anyOf"][1]["items"]["anyOf"];
  EXPECT_EQ(items[0]["enum"], Json::array({"all", "edges"}));
  EXPECT_EQ(items[1]["title"], "columns");
  const Json& cell = items[2]["properties"]["cell"];
  EXPECT_EQ(cell["default"], 4);
  EXPECT_EQ(cell["anyOf"][0]["maximum"], 9);
  EXPECT_EQ(cell["anyOf"][1]["items"]["maximum"], 9);
  EXPECT_EQ(items[2]["properties"]["kind"]["default"], "hard");
}

TEST(ExperimentFileDocument, HasAllKeysAsTheProgramPrintsThem) {
  std::ifstream file(testing::source_folder() + "/docs/experiment-file.md");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  EXPECT_THAT(text, ::testing::HasSubstr(experiment_key_tables()))
      << "the section 'All keys' of docs/experiment-file.md is what `mash schema experiment --markdown` "
         "prints";
}

}  // namespace
}  // namespace mash
