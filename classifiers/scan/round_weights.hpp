// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "classifiers/events/meters.hpp"
#include "classifiers/scan/focused_weights.hpp"
#include "classifiers/scan/row_weigher.hpp"

namespace mash {

// The weights of a round in the form that a search wants: of all examples in focus, which are made once and
// kept, and of drawn ones. What it gives is valid until the next call of the same function, new_round or
// set_focus. phases: gets the seconds spent.
class RoundWeights {
 public:
  RoundWeights(const SignedWeights& weights, const ScanSettings& settings, const Workers& workers);
  RoundWeights(const RoundWeights&) = delete;  // the weigher refers to the weights in focus
  RoundWeights& operator=(const RoundWeights&) = delete;

  // All examples are in focus. seed, round: of the random stream that rounds to 8 bits.
  void new_round(std::uint64_t seed, std::uint32_t round);
  // The data that `focus` points to outlive it.
  void set_focus(const Focus& focus);
  const FocusedWeights& focused() const { return focused_; }

  // The weights of all examples in focus, and whether they are made already.
  const WeighedRows& all(PhaseSeconds& phases);
  bool has_all() const { return has_all_; }
  // The weights of one draw, which has rows.
  const WeighedRows& weigh(const ExampleDraw& draw, PhaseSeconds& phases);
  // Makes `count` draws, the i-th by make(i), with their weights, on all threads. Where make(i) gives no
  // rows, which stands for all examples, there are no weights either.
  std::span<DrawnRows> draw(std::size_t count, const std::function<ExampleDraw(std::size_t)>& make,
                            PhaseSeconds& phases);

 private:
  void run_all_steps(const ExampleDraw& draw, WeighedRows& rows) const;

  const Workers& workers_;
  FocusedWeights focused_;
  std::unique_ptr<RowWeigher> weigher_;
  bool has_all_ = false;
  // Buffers that are used again.
  WeighedRows all_rows_, drawn_rows_;
  std::vector<DrawnRows> draws_;
};

}  // namespace mash
