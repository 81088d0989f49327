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

// The weights of a round in the form that a search needs. Those of all examples in focus are made once and
// kept; those of drawn examples are made for each draw. A returned reference is valid until the next call of
// the same function, new_round or set_focus. phases: gets the seconds spent.
class RoundWeights {
 public:
  RoundWeights(const SignedWeights& weights, const ScanSettings& settings, const Workers& workers);
  RoundWeights(const RoundWeights&) = delete;  // the weigher refers to the weights in focus
  RoundWeights& operator=(const RoundWeights&) = delete;

  // Begins a round, with all examples in focus. seed, round: of the random stream that rounds to 8 bits.
  void new_round(std::uint64_t seed, std::uint32_t round);
  // The data that `focus` points to outlive it.
  void set_focus(const Focus& focus);
  const FocusedWeights& focused() const { return focused_; }

  // The weights of all examples in focus, and whether they are made already.
  const WeighedRows& all(PhaseSeconds& phases);
  bool has_all() const { return has_all_; }
  // The weights of one draw, which has rows.
  const WeighedRows& weigh(const ExampleDraw& draw, PhaseSeconds& phases);
  // Makes `count` draws with their weights on all threads; make(i) makes the i-th draw. A draw without rows
  // stands for all examples and gets no weights.
  std::span<DrawnRows> draw(std::size_t count, const std::function<ExampleDraw(std::size_t)>& make,
                            PhaseSeconds& phases);

 private:
  void run_all_steps(const ExampleDraw& draw, WeighedRows& rows) const;

  const Workers& workers_;
  FocusedWeights focused_;
  std::unique_ptr<RowWeigher> weigher_;
  bool has_all_ = false;
  // Buffers, used again for each draw.
  WeighedRows all_rows_, drawn_rows_;
  std::vector<DrawnRows> draws_;
};

}  // namespace mash
