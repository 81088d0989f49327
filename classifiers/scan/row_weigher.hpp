// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>

#include "classifiers/scan/drawn_rows.hpp"
#include "classifiers/scan/focused_weights.hpp"
#include "classifiers/scan/scan_settings.hpp"

namespace mash {

// Gives drawn examples the weights count * G_nl / (num_draws * w_n), in the form that one scan mode needs.
// Over draws by weight, the expectation of these is the booster's weights. The weights of a draw are made in
// three steps, so that the weights of many draws can be made side by side: start; run_task for each of
// rows.tasks; finish. run_task is the long step, and several threads may call it at once. A draw without rows
// stands for all examples with their own weights.
class RowWeigher {
 public:
  virtual ~RowWeigher() = default;
  // seed, round: of the random stream that rounds to 8 bits.
  virtual void new_round(std::uint64_t /*seed*/, std::uint32_t /*round*/) {}
  virtual void start(const ExampleDraw& draw, WeighedRows& rows) const = 0;
  virtual void run_task(const ExampleDraw& draw, std::size_t task, WeighedRows& rows) const = 0;
  virtual void finish(const ExampleDraw& draw, WeighedRows& rows) const = 0;
};

// weights: outlives it.
std::unique_ptr<RowWeigher> make_row_weigher(const ScanSettings& settings, const FocusedWeights& weights);

}  // namespace mash
