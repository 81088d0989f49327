// SPDX-License-Identifier: Apache-2.0
// Promises of every row of the table of learners that are no boosters, and the numbers of their models, which
// stand in expected_learners.csv. MASH_WRITE_EXPECTED=1 writes that table.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "classifiers/builtin.hpp"
#include "classifiers/model/model_file.hpp"
#include "classifiers/serving/predictor.hpp"
#include "framework/base/number.hpp"
#include "tests/contract/run_comparison.hpp"
#include "tests/support/places.hpp"
#include "tests/support/settings_list.hpp"
#include "tests/support/world.hpp"

namespace mash {
namespace {

namespace fs = std::filesystem;
using testing::World;

constexpr const char* kLearnerHeader =
    "learner,settings,largest_score,train_error,test_error,score_sum,score_squares";

// The settings with which the rows of the table are trained.
const std::map<std::string, std::vector<testing::SettingList>>& forms() {
  static const std::map<std::string, std::vector<testing::SettingList>> found{
      {"c4.5",
       {{},
        {{"inputs", "values"}},
        {{"criterion", "gain"}, {"confidence", "1"}, {"features", "5"}, {"depth", "4"}},
        {{"least_leaf", "20"}, {"confidence", "0.1"}}}},
      {"constant", {{}}},
      {"k-nn",
       {{},
        {{"inputs", "values"}, {"k", "3"}},
        {{"k", "5"}, {"p", "1"}, {"features", "5"}},
        {{"inputs", "values"}, {"k", "2"}, {"p", "3.5"}}}},
      {"linear-svm",
       {{},
        {{"inputs", "values"}, {"C", "0.1"}},
        {{"loss", "hinge"}, {"C", "0.01,0.05"}, {"features", "5"}}}},
      {"logistic-regression",
       {{},
        {{"inputs", "values"}, {"C", "0.1"}},
        {{"features", "5"}, {"C", "0.01,0.05"}, {"iterations", "20"}}}},
      {"naive-bayes", {{}, {{"inputs", "values"}}, {{"features", "5"}, {"smallest_variance", "0.1"}}}},
      {"perceptron",
       {{},
        {{"inputs", "values"}, {"average", "false"}, {"passes", "7"}},
        {{"updates", "batch"}, {"features", "5"}, {"decay", "0.9"}, {"passes", "12"}}}},
      {"ridge",
       {{},
        {{"inputs", "values"}},
        {{"lambda", "20"}},
        {{"features", "5"}, {"lambda", "0.5,5"}},
        {{"solver", "conjugate_gradients"}},
        {{"solver", "conjugate_gradients"}, {"inputs", "values"}, {"lambda", "0.5,5"}, {"iterations", "4"}}}},
      {"svm",
       {{},
        {{"inputs", "values"}, {"kernel", "linear"}, {"C", "0.1"}},
        {{"kernel", "polynomial"}, {"degree", "2"}, {"offset", "1"}, {"features", "5"}},
        {{"C", "20"}, {"gamma", "0.001"}, {"iterations", "40"}}}}};
  return found;
}

class LearnerTableRow : public ::testing::TestWithParam<std::string> {
 protected:
  std::unique_ptr<const Learner> learner(const testing::SettingList& list) const {
    const auto row = find_learner(GetParam());
    Settings settings = testing::settings_of(list);
    auto made = (*row)->make(settings);
    if (!made.ok()) throw std::runtime_error(made.error().message);
    if (const Status known = settings.finish(GetParam()); !known.ok())
      throw std::runtime_error(known.error().message);
    return *std::move(made);
  }

  Result<TrainingResult> try_run(const testing::SettingList& list, int num_threads, std::uint64_t seed = 1,
                                 Purpose purpose = Purpose::kResult) {
    return try_run_until(list, no_progress(), stop, num_threads, seed, purpose);
  }
  Result<TrainingResult> try_run_until(const testing::SettingList& list, Progress& progress,
                                       const StopFlag& flag, int num_threads = 2, std::uint64_t seed = 1,
                                       Purpose purpose = Purpose::kResult) {
    const Workers workers(num_threads);
    Observer nobody;
    return learner(list)->train(seed, {.dataset = world.dataset,
                                       .features = world.features(),
                                       .work = {workers, progress, no_remarks(), flag},
                                       .observer = nobody,
                                       .checkpoint = checkpoint,
                                       .run_key = "key",
                                       .left_out = left_out,
                                       .purpose = purpose});
  }
  TrainingResult run(const testing::SettingList& list, int num_threads = 1, std::uint64_t seed = 1) {
    auto result = try_run(list, num_threads, seed);
    if (!result.ok()) throw std::runtime_error(result.error().message);
    return *std::move(result);
  }
  std::vector<testing::SettingList> all_forms() const {
    const auto found = forms().find(GetParam());
    return found == forms().end() ? std::vector<testing::SettingList>{} : found->second;
  }

  World world{testing::learnable_table(300, 12, 4, 3), 1, true};
  StopFlag stop;
  std::filesystem::path checkpoint;
  std::vector<std::uint32_t> left_out;
};

// Raises a flag when the work has advanced `num_advances` times.
class StopsAfter final : public Progress {
 public:
  StopsAfter(int num_advances, StopFlag& stop) : left_(num_advances), stop_(stop) {}
  void start(std::string, std::size_t, std::string) override {}
  void advance(std::size_t) override {
    if (--left_ == 0) stop_.raise();
  }
  void note(std::string) override {}
  void finish() override {}

 private:
  std::atomic<int> left_;
  StopFlag& stop_;
};

TEST_P(LearnerTableRow, IsNoBoosterAndSaysSo) {
  ASSERT_FALSE(all_forms().empty()) << "give it a row of forms()";
  for (const auto& list : all_forms()) {
    EXPECT_FALSE(learner(list)->traits().adds_hypotheses);
    EXPECT_EQ(learner(list)->num_rounds(4), std::nullopt);
    const TrainingResult result = run(list);
    EXPECT_EQ(result.status, TrainingStatus::kComplete);
    EXPECT_EQ(result.num_rounds, 0u);
    EXPECT_EQ(result.curve.size(), 1u) << "errors without rounds";
    EXPECT_EQ(result.curve[0].round, 0u);
    EXPECT_EQ(result.families.size(), world.features().num_families());
  }
}

TEST_P(LearnerTableRow, TellsMoreMemoryForMoreExamples) {
  for (const auto& list : all_forms()) {
    const auto bytes = [&](std::uint64_t num_train) {
      return learner(list)->training_bytes({num_train, 100, 1000, 10});
    };
    EXPECT_GE(bytes(1000), 1100u * 10 * sizeof(double)) << "the scores";
    EXPECT_GE(bytes(1'000'000), bytes(1000) + 999'000 * 10 * sizeof(double));
  }
}

TEST_P(LearnerTableRow, SameModelForAnyNumberOfThreadsAndTwice) {
  for (const auto& list : all_forms()) {
    const std::string expected = serialise(run(list, 1).model);
    for (const int num_threads : {1, 2, 3, 8}) EXPECT_EQ(serialise(run(list, num_threads).model), expected);
  }
}

TEST_P(LearnerTableRow, ModelComesBackFromItsFileAndPredictsTheScoresOfTraining) {
  for (const auto& list : all_forms()) {
    testing::expect_scores_of_training(run(list, 2), world.dataset);
  }
}

TEST_P(LearnerTableRow, OfAModelAloneNobodyLooksAtTheTestSide) {
  for (const auto& list : all_forms()) {
    const auto result = try_run(list, 1, 1, Purpose::kModel);
    ASSERT_TRUE(result.ok());
    EXPECT_TRUE(result->test_scores.empty());
    EXPECT_TRUE(result->curve.empty());
    EXPECT_EQ(result->model, run(list).model);
  }
}

TEST_P(LearnerTableRow, LabelsOfExamplesThatAreLeftOutChangeNothing) {
  left_out = {0, 1, 7, 100, 299};
  for (const auto& list : all_forms()) {
    const TrainingResult before = run(list);
    for (const std::uint32_t example : left_out)
      world.dataset.train.labels[example] = std::uint16_t((world.dataset.train.labels[example] + 1) % 4);
    const TrainingResult after = run(list);
    EXPECT_EQ(after.model, before.model);
    EXPECT_EQ(after.curve[0].train_error, before.curve[0].train_error);
  }
}

TEST_P(LearnerTableRow, StopsWithoutAModelWhenItIsStopped) {
  stop.raise();
  for (const auto& list : all_forms()) {
    const auto result = try_run(list, 2);
    ASSERT_FALSE(result.ok());
    EXPECT_EQ(result.error().kind, ErrorKind::kStopped);
  }
}

TEST_P(LearnerTableRow, StoppedAnywhereItEndsInTheSameModel) {
  for (const auto& list : all_forms()) {
    checkpoint.clear();
    const std::string expected = serialise(run(list, 2).model);
    checkpoint = world.folder / "learner.ckpt";
    for (int num_advances = 1;; ++num_advances) {
      fs::remove(checkpoint);
      StopFlag raised_later;
      StopsAfter progress(num_advances, raised_later);
      const auto stopped = try_run_until(list, progress, raised_later);
      if (stopped.ok()) break;
      EXPECT_EQ(stopped.error().kind, ErrorKind::kStopped);
      EXPECT_EQ(serialise(run(list, 3).model), expected) << num_advances;
    }
  }
}

std::string text_of(const testing::SettingList& list) {
  std::string text;
  for (const auto& [key, value] : list) text += fmt::format("{}{}={}", text.empty() ? "" : " ", key, value);
  for (char& c : text)
    if (c == ',') c = '|';
  return text;
}

std::string path_of_table() { return testing::source_folder() + "/tests/contract/expected_learners.csv"; }

std::map<std::string, std::string> read_rows() {
  std::ifstream file(path_of_table());
  std::map<std::string, std::string> rows;
  std::string line;
  std::getline(file, line);
  EXPECT_EQ(line, kLearnerHeader);
  while (std::getline(file, line)) {
    const std::size_t end = line.find(',', line.find(',') + 1);
    rows[line.substr(0, end)] = line.substr(end + 1);
  }
  return rows;
}

bool are_near(const std::string& found, const std::string& expected) {
  std::istringstream a(found), b(expected);
  std::string x, y;
  while (std::getline(a, x, ',')) {
    if (!std::getline(b, y, ',')) return false;
    const auto one = number_in<double>(x), other = number_in<double>(y);
    if (!one || !other || std::abs(*one - *other) > 1e-9 * std::max(1.0, std::abs(*other))) return false;
  }
  return !std::getline(b, y, ',');
}

// Sums of matrices are added in the order that suits an instruction set, so the last bits are the machine's.
TEST_P(LearnerTableRow, NumbersAreThoseOfTheTable) {
  std::map<std::string, std::string> found;
  for (const auto& list : all_forms()) {
    const TrainingResult result = run(list);
    double sum = 0, squares = 0;
    for (const double score : result.test_scores) {
      sum += score;
      squares += score * score;
    }
    found[GetParam() + "," + text_of(list)] =
        fmt::format("{},{},{},{},{}", result.model.score_bound(), result.curve[0].train_error,
                    result.curve[0].test_error, sum, squares);
  }
  std::map<std::string, std::string> rows = read_rows();
  if (std::getenv("MASH_WRITE_EXPECTED") != nullptr) {
    std::erase_if(rows, [&](const auto& row) { return row.first.starts_with(GetParam() + ","); });
    rows.merge(found);
    std::ofstream file(path_of_table());
    file << kLearnerHeader << '\n';
    for (const auto& [key, numbers] : rows) file << key << ',' << numbers << '\n';
    return;
  }
  for (const auto& [key, numbers] : found)
    EXPECT_TRUE(are_near(numbers, rows[key]))
        << key << ": found " << numbers << ", expected " << rows[key]
        << "; MASH_WRITE_EXPECTED=1 test_contract --gtest_filter='*LearnerTableRow*' writes the table";
  for (const auto& [key, numbers] : rows)
    EXPECT_TRUE(!key.starts_with(GetParam() + ",") || found.contains(key)) << "nothing computes " << key;
}

INSTANTIATE_TEST_SUITE_P(All, LearnerTableRow, ::testing::ValuesIn(testing::names_of(builtin_learners())),
                         testing::test_name);

TEST(LearnerTable, HasNoRowsOfOtherLearners) {
  for (const auto& [key, numbers] : read_rows())
    EXPECT_TRUE(find_learner(key.substr(0, key.find(','))).ok()) << key;
}

}  // namespace
}  // namespace mash
