// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "classifiers/online/online_booster.hpp"
#include "classifiers/online/stream.hpp"
#include "framework/base/parallel.hpp"
#include "framework/base/progress.hpp"

namespace mash {

// A seed of its own for each binary problem of several.
std::uint64_t problem_seed(std::uint64_t seed, std::uint32_t problem);

// Fills in the values of these features for one example. features: distinct, in any order.
// REQUIRES: as many values as features.
using ExampleValues = std::function<void(std::uint32_t example_idx, std::span<const std::uint32_t> features,
                                         std::span<float> values)>;

// The class of an example, below the number of classes.
using ExampleLabel = std::function<std::uint16_t(std::uint32_t example_idx)>;

// Data to learn from. All of it outlives the loop.
struct OnlineData {
  const ExampleLabel& label;
  std::uint32_t num_features = 0;
  const ExampleValues& values;
};

// How often the class of an example was guessed wrong before the example was learned (the "prequential"
// error).
struct OnlineCounts {
  std::uint64_t num_learned = 0, num_wrong = 0;
  double error() const { return num_learned > 0 ? double(num_wrong) / double(num_learned) : 0; }
  bool operator==(const OnlineCounts&) const = default;
};

struct OnlineState {
  ExampleStream::Place place;
  OnlineCounts counts;
  std::vector<std::vector<double>> boosters;
};

// Shows examples of a stream to the boosters, one at a time: guesses its class, compares, learns, forgets.
// One booster has two classes: 1 (its +1, guessed where its score is above 0) and 0. Each of several has the
// class of its own number as +1 and all others as -1; the class of the largest score is guessed, ties to the
// lowest. The boosters run side by side, and any number of threads gives the same bits.
class OnlineLoop {
 public:
  // REQUIRES: at least one booster.
  OnlineLoop(const OnlineData& data, std::vector<std::unique_ptr<OnlineBooster>> boosters,
             ExampleStream stream);

  // Goes on until num_examples have been learned in all, or `stop` is raised, which is looked at every few
  // examples. report: called whenever another report_every examples (at least 1) have been learned, and after
  // the last.
  void run(std::uint64_t num_examples, std::uint64_t report_every,
           const std::function<void(const OnlineCounts&)>& report, const Workers& workers,
           const StopFlag& stop);

  const OnlineCounts& counts() const { return counts_; }
  std::size_t num_boosters() const { return problems_.size(); }
  const OnlineBooster& booster(std::size_t problem) const { return *problems_[problem].booster; }

  // A loop over the same data and boosters that is given the state goes on with the same bits.
  OnlineState state() const;
  // REQUIRES: the state of such a loop.
  void restore(const OnlineState& state);

 private:
  struct Problem {
    std::unique_ptr<OnlineBooster> booster;
    std::vector<std::uint32_t> features;  // as it named them before the current block
    std::vector<float> values;            // of these, for one example
  };
  void gather_features();
  void follow_changes();
  void add_use(std::uint32_t feature);
  void drop_use(std::uint32_t feature);
  void learn_block(std::size_t num_examples, const Workers& workers);
  void learn_problem(std::size_t problem);
  int sign(std::uint32_t example_idx, std::size_t problem) const;
  bool is_wrong(std::uint32_t example_idx, std::span<const double> scores) const;

  OnlineData data_;
  std::vector<Problem> problems_;
  ExampleStream stream_;
  OnlineCounts counts_;
  std::size_t block_size_;
  // Features of an example that the boosters want: each once; and of each feature of the data how often it is
  // named, and, where it is, its column.
  std::vector<std::uint32_t> features_;
  std::vector<std::uint32_t> num_uses_, column_of_;
  // The current block: its examples, their values (an example's features side by side) and scores.
  std::vector<std::uint32_t> examples_;
  std::vector<float> values_;
  std::vector<double> scores_;
};

}  // namespace mash
