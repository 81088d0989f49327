// SPDX-License-Identifier: Apache-2.0
// One grammar of settings: what a file takes, refuses and reads is what an option takes, refuses and reads.
#include <gmock/gmock.h>

#include "framework/operations/experiment/check.hpp"
#include "framework/operations/experiment/experiment.hpp"
#include "framework/operations/experiment/keys.hpp"
#include "framework/operations/experiment/setting_value.hpp"

namespace mash {
namespace {

using ::testing::HasSubstr;

// Texts behind a key; one line adds another.
constexpr const char* kValues[] = {
    "1",
    "7",
    "0.5",
    "1e1",
    "10.0",
    "+1",
    "-1",
    "0x10",
    "010",
    "1_000",
    ".5",
    "1e400",
    ".nan",
    ".inf",
    "inf",
    "nan",
    "NaN",
    "true",
    "false",
    "True",
    "yes",
    "no",
    "on",
    "null",
    "~",
    "",
    "auto",
    "tuned",
    "all",
    "word",
    "two words",
    "a,b",
    "a, b",
    "30 per class",
    "1 per class",
    "\"\"",
    "''",
    "\"1\"",
    "'1'",
    "\"word\"",
    "'it''s'",
    "\"a\\tb\"",
    "\"a\\\"b\"",
    "'a\"b'",
    "\"",
    "'",
    "\"a\" b",
    "[]",
    "[1]",
    "[1, 2]",
    "[a, b]",
    "[\"\"]",
    "['', a]",
    "[\"a,b\"]",
    "[~]",
    "[[1]]",
    "[{a: 1}]",
    "[1, 1]",
    "[a, b",
    "a]",
    "{}",
    "{a: 1}",
    "{width: 8}",
    "{width: 8, height: 8}",
    "{width: {a: 1}}",
    "{width: [8]}",
    "{width: 8, width: 9}",
    "{width: }",
    "{mode: fit}",
    "{size: 8}",
    "{a: 1",
    "a}",
    "?",
    "-",
    ":",
    ",",
    ";",
    "|",
    ">",
    "&a b",
    "*a",
    "@a",
    "%a",
    "`a",
    "!a",
    "!!str 1",
    "!!int 1",
    "#a",
    "a #b",
    "a#b",
    "a: b",
    "a:b",
    "- a",
    "? a",
    "---",
    "...",
    "\\t",
    "\\",
    "/a/b",
    "../a b",
    "~/a",
    "C:\\a",
    "\xc3\xa4",
    "1\xc2\xa0",
    "\x01",
};

// The end of an experiment: all that is read, or the word for refusal.
std::string outcome(const Result<Experiment>& experiment) {
  if (!experiment.ok()) return "refused";
  const Status checked = check_experiment(*experiment, Catalogue());
  return checked.ok() ? to_yaml(*experiment) : "refused";
}

// A file with the part, and what its keys need.
std::string file_with(const ExperimentPart& part, const std::string& key, const std::string& line) {
  std::string yaml = fmt::format("{}:\n  name: {}\n{}", part.section, part.name, line);
  for (const ExperimentKey& other : part.keys)
    if (other.required && other.takes.key != key) yaml += fmt::format("  {}: x\n", other.takes.key);
  if (key == "resize.mode") yaml += "  resize: 64\n";
  return yaml + (part.section == "dataset" ? "seed: 1\n" : "dataset: digits\n");
}

TEST(SettingGrammar, IsThatOfTheFileForEveryKeyOfTheSchema) {
  std::size_t num_read = 0, num_refused = 0;
  for (const ExperimentPart& part : experiment_parts())
    for (const ExperimentKey& key : part.keys)
      for (const std::string value : kValues) {
        const std::string& name = key.takes.key;
        const std::string in_file = outcome(
            parse_experiment(file_with(part, name, fmt::format("  {}: {}\n", name, value)), "e.yaml", {}));
        const Overrides option{{fmt::format("{}.{}={}", part.section, name, value)}, "--set"};
        ASSERT_EQ(outcome(parse_experiment(file_with(part, name, ""), "e.yaml", option)), in_file)
            << option.texts[0] << " of " << part.name;
        ++(in_file == "refused" ? num_refused : num_read);
      }
  EXPECT_GT(num_read, 1000u) << "the values are no longer those that keys take";
  EXPECT_GT(num_refused, 1000u);
}

TEST(SettingGrammar, IsThatOfTheFileForKeysThatAreValues) {
  for (const ExperimentKey& key : experiment_value_keys())
    for (const std::string value : kValues) {
      const std::string data = "dataset: digits\n";
      const std::string line = fmt::format("{}: {}\n", key.takes.key, value);
      EXPECT_EQ(outcome(parse_experiment(data, "e.yaml", {{key.takes.key + "=" + value}})),
                outcome(parse_experiment(line + data, "e.yaml", {})))
          << line;
    }
}

TEST(SettingGrammar, IsThatOfTheFileForOptionsOfDataSets) {
  for (const ExperimentPart& part : experiment_parts())
    for (const ExperimentKey& key : part.keys)
      for (const std::string value : kValues) {
        if (part.section != "dataset") continue;
        const std::string& name = key.takes.key;
        const auto in_file = parse_experiment(
            fmt::format("dataset:\n  name: {}\n  {}: {}\nseed: 1\n", part.name, name, value), "e.yaml", {});
        for (const std::string& text : {name + "=" + value, "dataset." + name + "=" + value}) {
          Experiment with = default_experiment();
          with.dataset.name = part.name;
          const auto given = parse_dataset_settings({{text}, "--set"});
          ASSERT_EQ(given.ok(), in_file.ok()) << text << " of " << part.name;
          if (!given.ok()) continue;
          with.dataset.settings = *given;
          EXPECT_EQ(to_yaml(with), to_yaml(*in_file)) << text << " of " << part.name;
        }
      }
}

TEST(SettingGrammar, AQuoteThatIsNotClosedTakesInNoOtherKeys) {
  for (const std::string quote : {"\"", "'"})
    for (const char* rest : {"", "\n", "\nseed: 7\n", "\nseed: 7"}) {
      const auto read = parse_experiment("dataset: digits\nsampler: " + quote + "full" + rest, "e.yaml", {});
      ASSERT_FALSE(read.ok()) << quote << rest;
      EXPECT_THAT(read.error().message, HasSubstr("a text whose quote is not closed"));
    }
}

TEST(SettingGrammar, SaysWhatIsWrongWithAnOption) {
  const std::pair<const char*, const char*> wrong[] = {
      {"dataset.label=",
       "--set dataset.label=: dataset.label: found nothing, expected a value; an empty text "
       "is written \"\""},
      {"dataset.missing=?",
       "--set dataset.missing=?: not YAML: found a key where none can stand; a text that begins with '?' "
       "needs "
       "quotes"},
      {"dataset.decimal=,", "stands in quotes: \",\""},
      {"dataset.title='",
       "--set dataset.title=': not YAML: found the end of the file in a text whose quote is not "
       "closed"},
      {"dataset.label={a: 1}", "dataset.label: found a mapping, expected a value"},
      {"dataset.resize={}", "dataset.resize: found an empty mapping, expected keys"},
      {"dataset.label=[[a]]", "dataset.label: found a list in the list, expected a value"},
      {"sampler.name=[full]", "found a list, expected a name"},
  };
  for (const auto& [text, message] : wrong) {
    const auto read = parse_experiment("dataset: {name: csv, path: x}\n", "e.yaml", {{text}, "--set"});
    ASSERT_FALSE(read.ok()) << text;
    EXPECT_THAT(read.error().message, HasSubstr(message));
  }
}

// Lists stay lists of the same texts, and single values that are lists are refused.
TEST(SettingGrammar, KeepsTheTextsOfLists) {
  const std::pair<const char*, std::vector<std::string>> lists[] = {
      {"[\"\"]", {""}},     {"\"\"", {""}}, {"[\"a,b\", c]", {"a,b", "c"}},
      {"a, b", {"a", "b"}}, {"[]", {}},     {"\"[a, b]\"", {"a", "b"}},
  };
  for (const auto& [text, items] : lists) {
    auto read = parse_dataset_settings({{fmt::format("missing={}", text)}, "--set"});
    ASSERT_TRUE(read.ok()) << text;
    EXPECT_EQ(*read->list("missing"), items) << text;
  }
  const auto experiment =
      parse_experiment("dataset: digits\nbooster: {name: adaboost.mh, rounds: [10]}\n", "e.yaml", {});
  ASSERT_TRUE(experiment.ok());
  EXPECT_THAT(check_experiment(*experiment, Catalogue()).error().message,
              HasSubstr("e.yaml:2:30: rounds: found '[10]', expected a whole number"));
}

}  // namespace
}  // namespace mash
