// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "classifiers/learners/iteration_limits.hpp"
#include "classifiers/learners/tuned_training.hpp"
#include "framework/base/work_context.hpp"

namespace mash {

// A search in steps, as TunedTraining solves it. Search is a value with these functions: begin(value,
// weights, limits, workers); iterate(workers); has_ended(); num_iterations(); classes(examples, workers);
// note(), a few words on how far it is; keep(writer) and take_back(reader).
template <class Search>
class IteratedSearch {
 public:
  IteratedSearch(Search search, const IterationLimits& limits)
      : search_(std::move(search)), limits_(limits), now_(limits) {}

  void begin(double value, std::span<const double> weights, bool is_coarse, const Workers& workers) {
    now_ = limits_;
    if (is_coarse)
      now_ = {std::min(limits_.tolerance * kCoarser, 1.0),
              (limits_.num_iterations + kCoarser - 1) / kCoarser};
    search_.begin(value, weights, now_, workers);
  }
  Result<bool> go_on(double most_seconds, const WorkContext& work) {
    const Stopwatch watch;
    while (!search_.has_ended() && watch.seconds() < most_seconds) {
      if (work.stop.raised()) return stopped_by_user();
      search_.iterate(work.workers);
      work.progress.advance(1);
      work.progress.note(search_.note());
    }
    return search_.has_ended();
  }
  std::size_t most_steps() const { return now_.num_iterations - search_.num_iterations(); }
  std::vector<std::uint16_t> classes(std::span<const std::uint32_t> examples, const Workers& workers) const {
    return search_.classes(examples, workers);
  }
  void keep(StateWriter& writer) const { search_.keep(writer); }
  void take_back(StateReader& reader) { search_.take_back(reader); }

  const Search& search() const { return search_; }

 private:
  Search search_;
  IterationLimits limits_, now_;  // those of the user, and of the search
};

}  // namespace mash
