// SPDX-License-Identifier: Apache-2.0
// Numbers that every combination of sampler, weak learner, loss and scan mode gave when they were last
// changed on purpose: one row of expected_models.csv each. A difference is either a mistake, or a change that
// is meant. A change that is meant raises kTrainingRevision
// (classifiers/boosters/loop/training_revision.hpp), for unfinished and finished runs of before are no longer
// what this program would train; then the table is made again, and the commit says why its numbers changed.
// New rows alone need no new revision.
//
//   MASH_WRITE_EXPECTED=1 build/dev/bin/test_contract --gtest_filter='*ExpectedModels*'
#include <fmt/ranges.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "classifiers/boosters/loop/training_revision.hpp"
#include "classifiers/builtin.hpp"
#include "framework/base/hash.hpp"
#include "tests/contract/run_comparison.hpp"
#include "tests/support/places.hpp"
#include "tests/support/training.hpp"

namespace mash {
namespace {

using testing::FakeFamily;
using testing::SettingList;
using testing::Training;
using testing::WatchingLearner;
using testing::World;

const std::string kTable = testing::source_folder() + "/tests/contract/expected_models.csv";
constexpr std::string_view kRevision = "# training revision ";
constexpr const char* kHeader =
    "sampler,weak,loss or booster,scan,model_sha256,"
    "loss_log10_at_10,test_error_at_10,loss_log10_at_50,test_error_at_50";

constexpr const char* kHowToWrite =
    "rows are written and taken out by MASH_WRITE_EXPECTED=1 build/dev/bin/test_contract "
    "--gtest_filter='*ExpectedModels*'";

// A weak learner with the settings that tell its forms apart.
struct Weak {
  std::string label;
  std::string name;
  SettingList settings;
};
const Weak kStump{"stump", "stump", {}};
// Settings with which a weak learner takes less time than with its defaults.
const std::map<std::string, SettingList> kSmaller{{"product", {{"max_cycles", "4"}}},
                                                  {"tree", {{"leaves", "4"}}}};

std::vector<Weak> all_weak() {
  std::vector<Weak> all;
  for (const std::string& name : testing::names_of(builtin_weak_learners())) {
    const auto smaller = kSmaller.find(name);
    all.push_back({name, name, smaller == kSmaller.end() ? SettingList() : smaller->second});
  }
  return all;
}

// With one sampler each: other ways through the same code.
const std::vector<Weak> kOtherForms{{"stump:exact", "stump", {{"cuts", "exact"}}},
                                    {"product:first", "product", {{"stop", "first"}}},
                                    {"product:exact", "product", {{"cuts", "exact"}, {"terms", "2"}}},
                                    {"tree:factorised", "tree", {{"votes", "factorised"}, {"leaves", "5"}}},
                                    {"tree:exact", "tree", {{"cuts", "exact"}, {"leaves", "3"}}}};

const std::vector<std::pair<ScanMode, const char*>> kModes{
    {ScanMode::kI16, "i16"}, {ScanMode::kI8, "i8"}, {ScanMode::kF64, "f64"}};

// Five classes, four families of different sizes; a feature in three says a little, one value in 53 is
// missing.
std::vector<FakeFamily> families() {
  const auto value = [](std::uint32_t salt) {
    return [salt](std::uint32_t n, std::uint32_t j) {
      const std::uint32_t noise = (n * 2654435761u ^ (j * 40503u + salt * 977u) * 2246822519u) >> 9;
      if (noise % 53 == 0) return std::numeric_limits<float>::quiet_NaN();
      return float(noise % 40 + (j % 3 == 0 ? (n + j) % 5 * (3 + j % 4) : 0));
    };
  };
  return {{"a", 4, value(1)}, {"b", 12, value(2)}, {"c", 30, value(3)}, {"d", 7, value(4)}};
}

Dataset examples() {
  std::vector<std::uint16_t> train(240), test(400);
  for (std::size_t n = 0; n < train.size(); ++n) train[n] = std::uint16_t(n % 5);
  for (std::size_t n = 0; n < test.size(); ++n) test[n] = std::uint16_t((train.size() + n) % 5);
  return testing::numbered_images(train, test, 5);
}

template <class Number>
void add_bits(Sha256& hash, Number number) {
  hash.update(std::as_bytes(std::span(&number, 1)));
}

// The bits of all cuts, votes and coefficients of the model that a reader of its file gets.
std::string model_sha256(const TrainingResult& result) {
  const auto model = parse_model(serialise(result.model));
  if (!model.ok()) throw std::runtime_error(model.error().message);
  Sha256 hash;
  for (const Hypothesis& hypothesis : model->additive()->hypotheses) {
    add_bits(hash, hypothesis.alpha);
    for (const Cut& cut : hypothesis.cuts) {
      add_bits(hash, cut.family_idx);
      add_bits(hash, cut.feature_idx);
      add_bits(hash, cut.threshold);
    }
    for (const Branches& branches : hypothesis.branches) {
      add_bits(hash, branches.below);
      add_bits(hash, branches.above);
    }
    for (const double vote : hypothesis.votes) add_bits(hash, vote);
  }
  return hash.hex();
}

class ExpectedModels : public ::testing::TestWithParam<std::string> {
 protected:
  static void SetUpTestSuite() { world_ = new World(examples(), families(), 1, true); }
  static void TearDownTestSuite() {
    delete world_;
    world_ = nullptr;
  }

  // The part of a row of the table after its first four columns.
  static std::string numbers(Training training, const Weak& weak) {
    training.sampler = GetParam();
    training.weak = WatchingLearner(weak.name, weak.settings);
    const TrainingResult result = training.run(*world_);
    std::string text = model_sha256(result);
    for (const CurvePoint& point : result.curve)
      if (point.round == 10 || point.round == 50)
        text += fmt::format(",{},{}", point.train_loss_log10, point.test_error);
    return text;
  }
  static std::string numbers(const Weak& weak, const Loss& loss, ScanMode mode) {
    Training training;
    training.booster.num_rounds = 50;
    training.booster.loss = &loss;
    training.booster.scan = mode;
    return numbers(std::move(training), weak);
  }
  // The same for a booster that has no choice of losses and modes.
  static std::string numbers(const BoosterRow& booster, const Weak& weak) {
    testing::SettingList settings = testing::smaller_settings(booster.name);
    settings.emplace_back("rounds", "50");
    Training training;
    training.other_booster = testing::booster_maker(booster.name, settings);
    return numbers(std::move(training), weak);
  }

  static World* world_;
};
World* ExpectedModels::world_ = nullptr;

bool is_writing() { return std::getenv("MASH_WRITE_EXPECTED") != nullptr; }

struct Table {
  int revision = 0;
  std::map<std::string, std::string> rows;  // numbers by the first four columns
};

Table read_table() {
  std::ifstream file(kTable);
  Table table;
  std::string line;
  std::getline(file, line);
  if (line.starts_with(kRevision)) table.revision = std::stoi(line.substr(kRevision.size()));
  std::getline(file, line);
  while (std::getline(file, line)) {
    std::size_t comma = 0;
    for (int column = 0; column < 4; ++column) comma = line.find(',', comma) + 1;
    table.rows[line.substr(0, comma - 1)] = line.substr(comma);
  }
  return table;
}

void write_table(const Table& table) {
  std::ofstream file(kTable);
  file << kRevision << table.revision << '\n' << kHeader << '\n';
  for (const auto& [key, numbers] : table.rows) file << key << ',' << numbers << '\n';
}

// Hash and errors are equal; losses nearly, as the table has them from logarithms of a C library, whose last
// bits differ.
bool are_same(const std::string& found, const std::string& expected) {
  const auto fields_of = [](const std::string& row) {
    std::vector<std::string> fields;
    std::istringstream stream(row);
    for (std::string field; std::getline(stream, field, ',');) fields.push_back(field);
    return fields;
  };
  const auto a = fields_of(found), b = fields_of(expected);
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const bool is_loss = i == 1 || i == 3;  // after the hash, each followed by an error
    if (is_loss ? std::abs(std::stod(a[i]) - std::stod(b[i])) > 1e-12 : a[i] != b[i]) return false;
  }
  return true;
}

bool is_of(std::string_view sampler, const std::string& key) {
  return key.starts_with(fmt::format("{},", sampler));
}

TEST_P(ExpectedModels, AreThoseOfTheTable) {
  Table table = read_table();
  std::map<std::string, std::string> found;
  const auto run = [&](const Weak& weak) {
    for (const LossRow& loss : builtin_losses())
      for (const auto& [mode, mode_name] : kModes)
        found[fmt::format("{},{},{},{}", GetParam(), weak.label, loss.name, mode_name)] =
            numbers(weak, loss.loss(), mode);
  };
  for (const Weak& weak : all_weak()) run(weak);
  if (GetParam() == "laminating")
    for (const Weak& weak : kOtherForms) run(weak);
  for (const BoosterRow& booster : builtin_boosters())
    if (booster.name != "adaboost.mh")
      found[fmt::format("{},stump,{},", GetParam(), booster.name)] = numbers(booster, kStump);
  const bool writes = is_writing();
  std::vector<std::string> without_row, left_over;
  for (const auto& [key, numbers] : found) {
    const auto row = table.rows.find(key);
    if (row == table.rows.end()) {
      without_row.push_back(key);
    } else if (!writes || table.revision == kTrainingRevision) {
      EXPECT_TRUE(are_same(numbers, row->second))
          << key << ": found " << numbers << ", expected " << row->second
          << ". Is that meant? Then raise kTrainingRevision; the head of " << __FILE__ << " says what else";
    }
  }
  for (const auto& [key, numbers] : table.rows)
    if (is_of(GetParam(), key) && !found.contains(key)) left_over.push_back(key);
  if (!writes) {
    EXPECT_THAT(without_row, ::testing::IsEmpty()) << "not in " << kTable << "; " << kHowToWrite;
    EXPECT_THAT(left_over, ::testing::IsEmpty())
        << "in " << kTable
        << ", and nothing computes them: is a row of classifiers/builtin.cpp missing? If they "
        << "are to go, " << kHowToWrite;
  }
  if (!writes || HasFailure()) return;
  std::erase_if(table.rows, [](const auto& row) { return is_of(GetParam(), row.first); });
  table.rows.merge(found);
  if (GetParam() == builtin_samplers().back().name) table.revision = kTrainingRevision;  // now all are new
  write_table(table);
}

TEST(ExpectedModelsTable, IsOfThisRevisionAndHasNoOtherSamplers) {
  if (is_writing()) GTEST_SKIP() << "the table is being made";
  const Table table = read_table();
  EXPECT_EQ(table.revision, kTrainingRevision) << "make the table anew: the head of " << __FILE__;
  std::set<std::string> unknown;
  EXPECT_FALSE(table.rows.empty()) << kTable;
  for (const auto& [key, numbers] : table.rows) unknown.insert(key.substr(0, key.find(',')));
  for (const auto& row : builtin_samplers()) unknown.erase(std::string(row.name));
  EXPECT_TRUE(unknown.empty()) << fmt::format(
      "{} has rows of {}, which kSamplers of classifiers/builtin.cpp lacks", kTable,
      fmt::join(unknown, ", "));
}

INSTANTIATE_TEST_SUITE_P(Samplers, ExpectedModels, ::testing::ValuesIn(testing::names_of(builtin_samplers())),
                         testing::test_name);

}  // namespace
}  // namespace mash
