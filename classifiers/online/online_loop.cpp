// SPDX-License-Identifier: Apache-2.0
#include "classifiers/online/online_loop.hpp"

#include <algorithm>

#include "classifiers/model/strong_classifier.hpp"
#include "framework/base/random.hpp"
#include "framework/base/require.hpp"

namespace mash {
namespace {

// Examples whose values are fetched at once, so that threads need not meet after each. Boosters that change
// their features have to be asked for them after every example.
constexpr std::size_t kBlockSize = 64;

}  // namespace

std::uint64_t problem_seed(std::uint64_t seed, std::uint32_t problem) {
  return RandomStream(seed, "online.problem", problem).next_u64();
}

OnlineLoop::OnlineLoop(const OnlineData& data, std::vector<std::unique_ptr<OnlineBooster>> boosters,
                       ExampleStream stream)
    : data_(data), stream_(std::move(stream)), block_size_(kBlockSize), column_of_(data.num_features) {
  require(!boosters.empty(), "OnlineLoop: at least one booster");
  for (auto& booster : boosters) {
    if (!booster->keeps_features()) block_size_ = 1;
    problems_.push_back({std::move(booster), {}, {}});
  }
  gather_features();
}

void OnlineLoop::run(std::uint64_t num_examples, std::uint64_t report_every,
                     const std::function<void(const OnlineCounts&)>& report, const Workers& workers,
                     const StopFlag& stop) {
  require(report_every >= 1, "OnlineLoop: reports every 1 or more examples");
  while (counts_.num_learned < num_examples && !stop.raised()) {
    const std::uint64_t to_report = report_every - counts_.num_learned % report_every,
                        to_end = num_examples - counts_.num_learned;
    learn_block(std::size_t(std::min({std::uint64_t(block_size_), to_report, to_end})), workers);
    if (counts_.num_learned % report_every == 0 || counts_.num_learned == num_examples) report(counts_);
  }
}

void OnlineLoop::gather_features() {
  features_.clear();
  num_uses_.assign(data_.num_features, 0);
  for (Problem& problem : problems_) {
    const auto features = problem.booster->features();
    problem.features.assign(features.begin(), features.end());
    problem.values.resize(features.size());
    for (const std::uint32_t feature : features) add_use(feature);
  }
}

// Boosters name many more features than they change.
void OnlineLoop::follow_changes() {
  for (Problem& problem : problems_)
    for (const std::uint32_t place : problem.booster->changed_places()) {
      drop_use(problem.features[place]);
      problem.features[place] = problem.booster->features()[place];
      add_use(problem.features[place]);
    }
}

void OnlineLoop::add_use(std::uint32_t feature) {
  require(feature < data_.num_features, "OnlineLoop: the boosters' features are below num_features");
  if (num_uses_[feature]++ > 0) return;
  column_of_[feature] = std::uint32_t(features_.size());
  features_.push_back(feature);
}

void OnlineLoop::drop_use(std::uint32_t feature) {
  if (--num_uses_[feature] > 0) return;
  const std::uint32_t column = column_of_[feature], last = features_.back();
  features_[column] = last;
  column_of_[last] = column;
  features_.pop_back();
}

void OnlineLoop::learn_block(std::size_t num_examples, const Workers& workers) {
  examples_.resize(num_examples);
  values_.resize(num_examples * features_.size());
  scores_.resize(num_examples * problems_.size());
  for (std::size_t i = 0; i < num_examples; ++i) {
    examples_[i] = stream_.next();
    data_.values(examples_[i], features_, std::span(values_).subspan(i * features_.size(), features_.size()));
  }
  workers.for_ranges(problems_.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t problem = begin; problem < end; ++problem) learn_problem(problem);
  });
  for (std::size_t i = 0; i < num_examples; ++i)
    counts_.num_wrong +=
        is_wrong(examples_[i], std::span(scores_).subspan(i * problems_.size(), problems_.size()));
  counts_.num_learned += num_examples;
  follow_changes();
}

void OnlineLoop::learn_problem(std::size_t problem) {
  auto& [booster, features, values] = problems_[problem];
  for (std::size_t i = 0; i < examples_.size(); ++i) {
    const auto row = std::span(values_).subspan(i * features_.size(), features_.size());
    for (std::size_t k = 0; k < features.size(); ++k) values[k] = row[column_of_[features[k]]];
    scores_[i * problems_.size() + problem] = booster->score(values);
    booster->learn(values, sign(examples_[i], problem), 1);
  }
}

int OnlineLoop::sign(std::uint32_t example_idx, std::size_t problem) const {
  return data_.label(example_idx) == (problems_.size() == 1 ? 1 : problem) ? 1 : -1;
}

bool OnlineLoop::is_wrong(std::uint32_t example_idx, std::span<const double> scores) const {
  const std::size_t guess = scores.size() == 1 ? scores[0] > 0 : predicted_class(scores);
  return guess != data_.label(example_idx);
}

OnlineState OnlineLoop::state() const {
  OnlineState state{stream_.place(), counts_, {}};
  for (const Problem& problem : problems_) state.boosters.push_back(problem.booster->state());
  return state;
}

void OnlineLoop::restore(const OnlineState& state) {
  require(state.boosters.size() == problems_.size(), "OnlineLoop: a state for each booster");
  stream_.go_to(state.place);
  counts_ = state.counts;
  for (std::size_t problem = 0; problem < problems_.size(); ++problem)
    problems_[problem].booster->restore(state.boosters[problem]);
  gather_features();
}

}  // namespace mash
