// SPDX-License-Identifier: Apache-2.0
#include "classifiers/builtin.hpp"
#include "tests/cli/end_to_end.hpp"

namespace mash {
namespace {

using testing::run_json;
using testing::Sandbox;

using Arguments = std::vector<std::string>;

// A strategy, as arguments of `mash run`.
struct Strategy {
  std::string name;
  Arguments arguments;

  friend void PrintTo(const Strategy& strategy, std::ostream* out) { *out << strategy.name; }
};

std::vector<Strategy> strategies() {
  std::vector<Strategy> all;
  for (const auto& sampler : builtin_samplers())
    all.push_back({std::string(sampler.name), {"--set", "sampler=" + std::string(sampler.name)}});
  for (const char* setting : {"weak.cuts=exact", "booster.scan=f64", "booster.scan=i8",
                              "booster.loss=logistic", "booster.init=balanced"})
    all.push_back({setting, {"--set", setting}});
  all.push_back({"on demand", {"--store-limit", "0"}});
  return all;
}

class EveryStrategy : public ::testing::TestWithParam<Strategy> {
 protected:
  EveryStrategy() {
    testing::write_text(sandbox_.work() / "e.yaml",
                        "dataset: {name: digits, train: 700, test: 200, size: 16}\n"
                        "heuristics: [hog, lbp, {id: haar-like, count: 300}]\n"
                        "booster: {name: adaboost.mh, rounds: 25}\n"
                        "sampler: laminating\n");
  }

  // Trains with a store of its own; what was printed.
  nlohmann::json train(const std::string& threads) const {
    Arguments arguments{"mash",    "run",         "e.yaml",  "--json",       "--threads", threads,
                        "--store", "s" + threads, "--model", model(threads), "--again"};
    arguments.insert(arguments.end(), GetParam().arguments.begin(), GetParam().arguments.end());
    return run_json(sandbox_, arguments);
  }
  static std::string model(const std::string& threads) { return "model-" + threads + ".json"; }

  Sandbox sandbox_;
};

TEST_P(EveryStrategy, GivesTheSameModelForAnyNumberOfThreads) {
  train("1");
  const std::string expected = testing::file_content(sandbox_.work() / model("1"));
  EXPECT_GT(expected.size(), 1000u);
  for (const char* threads : {"2", "3", "8"}) {
    train(threads);
    EXPECT_TRUE(testing::file_content(sandbox_.work() / model(threads)) == expected) << threads << " threads";
  }
}

// Training looks at codes, prediction at raw values: they must agree on every single example.
TEST_P(EveryStrategy, ModelHasTheTestErrorThatTheRunReported) {
  const nlohmann::json run = train("2");
  const nlohmann::json prediction =
      run_json(sandbox_, {"mash", "predict", model("2"), "--dataset", "digits", "--set", "train=700", "--set",
                          "test=200", "--set", "size=16", "--json"});
  EXPECT_EQ(prediction["test_error"], run["test_error"]);
  EXPECT_EQ(prediction["examples"], 200);
  EXPECT_LT(run["train_error"], 0.55)
      << "a guess is wrong in 9 of 10 cases, the slowest learner (ε-greedy) in half";
}

std::string strategy_name(const ::testing::TestParamInfo<Strategy>& info) {
  std::string name = info.param.name;
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  return name;
}

INSTANTIATE_TEST_SUITE_P(All, EveryStrategy, ::testing::ValuesIn(strategies()), strategy_name);

}  // namespace
}  // namespace mash
