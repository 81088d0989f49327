// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "classifiers/scan/edge_search.hpp"
#include "classifiers/scan/ledger.hpp"
#include "classifiers/scan/round_weights.hpp"

namespace mash {

// The scan by which samplers and weak learners see the data. It finds best stumps with the weights of the
// round and notes the costs in the ledger. Training evaluates features through the scan alone.
//
// Its life as a regular expression over its calls:
//
//   ( new_round  look*  ( focus  look*  ( focus  look* )*  end_focus  look* )* )*
//   look = draw | evaluate | extend | refit
//
// This gives five rules. A call that breaks one throws std::logic_error, which names the call and the state
// of the scan:
//   1. no look and no focus comes before the first new_round;
//   2. no new_round comes between focus and end_focus;
//   3. end_focus comes only after a focus;
//   4. drawn rows are those of the last draw, with only looks between the draw and their use;
//   5. the booster changes its weights between rounds: no look and no focus comes after a change before the
//      next new_round.
class StumpScan {
 public:
  // weights: the booster's, of the training examples of `features`. All outlive the scan.
  // Throws std::logic_error where the mode rounds weights and the criterion has no integer kernel.
  StumpScan(const FeatureSet& features, const SignedWeights& weights, const ScanSettings& settings,
            const Workers& workers);

  // seed, round: of the random stream that rounds 8-bit weights.
  void new_round(std::uint64_t seed, std::uint32_t round);

  // Until end_focus, all calls use these examples with these weights. What `focus` points to outlives it.
  void focus(const Focus& focus);
  void end_focus();

  // Makes `count` draws with their weights; make(i) makes the i-th draw. The draws are made side by side on
  // all threads, so that a tournament need not wait for each of its small draws. make: called once for each
  // i, in any order, by several threads at once.
  std::span<const DrawnRows> draw(std::size_t count, const std::function<ExampleDraw(std::size_t)>& make);

  // For each feature (increasing), the edge of its best stump on the drawn examples, and the merit that the
  // ranking of the settings gives it. The signed weights are count * G_nl / (num_draws * w_n), with which a
  // cut's expected edge is its edge on all examples. A draw without rows means all examples with their own
  // weights.
  std::vector<Candidate> evaluate(std::span<const std::uint32_t> features, const ExampleDraw& draw = {},
                                  Charge charge = Charge::kCost);
  std::vector<Candidate> evaluate(std::span<const std::uint32_t> features, const DrawnRows& drawn);

  // As evaluate, but noted in the ledger as a pass that extends the last one (Ledger::extended).
  std::vector<Candidate> extend(std::span<const std::uint32_t> features, const DrawnRows& drawn);

  // The feature's best stump on all examples in focus, to the last bit of the weights.
  StumpFit refit(std::uint32_t feature);
  // The same for several features. With cuts at codes this takes less time than one after the other.
  std::vector<StumpFit> refit(std::span<const std::uint32_t> features);

  const FeatureSet& features() const { return features_; }
  // The weights in focus, and through them the booster's.
  const FocusedWeights& weights() const { return weights_.focused(); }
  const Workers& workers() const { return workers_; }
  Ledger& ledger() { return ledger_; }

 private:
  enum class State { kNew, kInRound, kInFocus };

  // Throws where the call is not legal in this state.
  void require(bool is_legal, std::string_view call) const;
  // Throws where no round has begun, or where the weights have changed since it began.
  void require_round(std::string_view call) const;
  void require_last_draw(const DrawnRows& drawn, std::string_view call) const;
  void change_weights(State state);
  LookedAt looked_at(const ExampleDraw& draw) const { return {draw.rows, weights().num_examples()}; }
  // The edges and merits; counts no costs. drawn: the draw's weights; null: they are made here.
  std::vector<Candidate> look(std::span<const std::uint32_t> features, const ExampleDraw& draw,
                              const WeighedRows* drawn = nullptr);
  std::vector<Candidate> edges(std::span<const std::uint32_t> features, const ExampleDraw& draw,
                               const WeighedRows* drawn);

  const FeatureSet& features_;
  const Workers& workers_;
  RoundWeights weights_;
  std::unique_ptr<EdgeSearch> search_;
  Ranking* ranking_;
  Ledger ledger_;
  State state_ = State::kNew;
  std::uint64_t num_weight_changes_ = 0;  // when the round began
  std::uint64_t num_draw_calls_ = 0;
  std::uint64_t valid_draw_call_ = 0;  // whose rows may be looked at; 0: none
  std::optional<StumpFit> kept_fit_;   // of a feature that was evaluated alone: the next refit wants it
};

}  // namespace mash
