// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "classifiers/events/meters.hpp"
#include "classifiers/scan/drawn_rows.hpp"
#include "classifiers/scan/hamming_criterion.hpp"
#include "classifiers/scan/signed_weights.hpp"
#include "classifiers/scan/sorted_columns.hpp"
#include "framework/base/parallel.hpp"
#include "framework/base/random.hpp"
#include "framework/families/feature_set.hpp"

namespace mash {

enum class ScanMode {
  kI16,  // weights rounded to 16 bits: the default
  kI8,   // 8 bits, rounded up or down at random in proportion (to nearest, training stalls)
  kF64,  // no rounding: the reference
};

enum class Cuts {
  kCodes,  // at the thresholds of the store
  kExact,  // between any two values of the examples looked at; needs the values in the store
};

struct ScanSettings {
  ScanMode mode = ScanMode::kI16;
  Cuts cuts = Cuts::kCodes;
  const Criterion* criterion = &hamming_criterion();  // what the best stump is; outlives the scan
};

// The edge of a candidate's best stump on the examples that it was shown.
struct Candidate {
  std::uint32_t feature = 0;
  double edge = 0;
};

// The best stump of a feature on all examples in focus, in double precision.
struct StumpFit {
  std::uint32_t feature = 0;
  float threshold = kConstant;
  double edge = 0;                  // >= 0, by the criterion
  std::vector<double> class_edges;  // K: sum_n G_nl phi(x_n)
  std::vector<double> cell_votes;   // 2 x K, by the criterion: below the threshold, then from it on
  std::vector<std::uint8_t> above;  // of each example in focus 0 or 1: phi(x_n) = +1

  // K votes, where phi = +1.
  std::span<const double> votes_above() const { return std::span(cell_votes).last(class_edges.size()); }
};

// What the scan looks at, unless it is all examples with the booster's weights: the examples that reach a
// node of a tree, or all with the signs that the other terms of a product leave.
struct Focus {
  std::span<const std::uint32_t> rows;      // numbers of examples, increasing; empty: all
  double share = 1;                         // > 0: of all weight, by which theirs is divided
  std::span<const std::uint8_t> negated{};  // 1: the example's weights change sign; empty: none do
};

// Whether evaluations are part of the cost (candidates, probes) or of a stock kept beside it (Tasting).
enum class Charge { kCost, kStock };

// How much of a family was looked at.
struct FamilyLooks {
  std::uint64_t offered = 0;    // features that were candidates
  std::uint64_t evaluated = 0;  // feature x example evaluations
};

// Finds best stumps and counts what that costs: the one place where features are evaluated in training.
class StumpScan {
 public:
  // weights: those of the round in progress, changed by the booster between rounds; new_round tells of it.
  // Throws std::logic_error where the mode rounds weights and the criterion cannot do with sums of integers.
  StumpScan(const FeatureSet& features, const SignedWeights& weights, const ScanSettings& settings,
            const Workers& workers);

  // seed, round: of the random stream that rounds 8-bit weights. Ends a focus.
  void new_round(std::uint64_t seed, std::uint32_t round);

  // From now on all is about these examples with these weights. What `focus` points to outlives it.
  void focus(const Focus& focus);
  void end_focus();

  // For each feature (increasing) the edge of its best stump on the drawn examples, with the signed weights
  // count * G_nl / (num_draws * w_n), whose expectation is the edge on all examples; or on all with their
  // own.
  std::vector<Candidate> evaluate(std::span<const std::uint32_t> features, const ExampleDraw& draw = {},
                                  Charge charge = Charge::kCost);

  // Makes `count` draws, the i-th by make(i), with their weights: side by side on all threads, so that a
  // tournament need not wait for each of its small draws. Valid until the next call. make: called once for
  // each i, in any order, by several threads at once.
  std::span<const DrawnRows> draw(std::size_t count, const std::function<ExampleDraw(std::size_t)>& make);
  // As evaluate of the draw.
  std::vector<Candidate> evaluate(std::span<const std::uint32_t> features, const DrawnRows& drawn);

  // As evaluate, for a later pass over some of the features of the last call on more examples: those which it
  // had are not looked at again, and not counted again as cost. What does not extend the last call is counted
  // whole.
  std::vector<Candidate> extend(std::span<const std::uint32_t> features, const DrawnRows& drawn);

  // Counts features as offered for this round. Samplers call it once with the candidates they propose.
  void offer(std::span<const std::uint32_t> features);

  // The feature's best stump on all examples, to the last bit of the weights.
  StumpFit refit(std::uint32_t feature);

  // 0 or 1 for each example of the split: x >= threshold, for a threshold that refit gave.
  std::vector<std::uint8_t> above(Side side, std::uint32_t feature, float threshold) const;

  // The signed weights summed by cell: num_cells x K, cells[n] that of example n in focus. The sums have the
  // same bits for any number of threads.
  std::vector<double> class_sums(std::span<const std::uint8_t> cells, std::size_t num_cells) const;

  const FeatureSet& features() const { return features_; }
  // The booster's, whatever is in focus.
  const SignedWeights& weights() const { return weights_; }
  std::size_t num_classes() const { return weights_.num_classes(); }
  // In focus: how many examples, their weights w_n (which add up to 1) and their share of all weight.
  std::size_t num_examples() const { return example_weights().size(); }
  std::span<const double> example_weights() const {
    return focus_.rows.empty() ? weights_.example_weights()
                               : std::span<const double>(focused_example_weights_);
  }
  double share() const { return focus_.share; }
  // The signed weights in focus, num_examples() x K; `buffer` holds them where they are not the booster's
  // own.
  std::span<const double> focused_weights(std::vector<double>& buffer) const;
  const Workers& workers() const { return workers_; }
  Meters& meters() { return meters_; }
  std::vector<FamilyLooks>& looks() { return looks_; }

 private:
  using Examples = std::span<const std::uint32_t>;  // numbers of training examples; empty: all

  // The examples that a draw stands for: numbers of training examples, or all where it is empty.
  Examples examples_of(const ExampleDraw& draw, std::vector<std::uint32_t>& kept) const;
  // Whether weights are rounded to integers.
  bool rounds() const { return settings_.mode != ScanMode::kF64 && settings_.cuts == Cuts::kCodes; }
  // The weights of the draw's examples, in three steps. Where they are rounded, the second is the long one: a
  // call for each of rows.tasks, by any threads. Else the first does everything, and there are no tasks.
  void start_filling(const ExampleDraw& draw, RoundedRows& rows) const;
  void fill_task(const ExampleDraw& draw, std::size_t task, RoundedRows& rows) const;
  void end_filling(const ExampleDraw& draw, RoundedRows& rows) const;
  void fill(const ExampleDraw& draw, RoundedRows& rows) const;  // all three
  StumpFit fit(std::uint32_t feature) const;
  double largest_weight(const ExampleDraw& draw) const;
  // Makes all_rows_ those of the examples in focus.
  void weigh_all();
  template <class Integer>
  void start_rounding(const ExampleDraw& draw, AlignedVector<Integer>& integers, RoundedRows& rows) const;
  template <class Integer>
  void round_task(const ExampleDraw& draw, std::size_t task, AlignedVector<Integer>& integers,
                  RoundedRows& rows) const;
  // The edges, nothing counted.
  std::vector<Candidate> look(std::span<const std::uint32_t> features, const ExampleDraw& draw,
                              const RoundedRows* weights = nullptr);
  void count_evaluation(std::span<const std::uint32_t> features, const ExampleDraw& draw, Charge charge);
  std::size_t num_rows(const ExampleDraw& draw) const;
  // num_new: of the rows, those that count as cost.
  void count(std::span<const std::uint32_t> features, std::size_t num_rows, std::size_t num_new);
  void scan_codes(std::span<const std::uint32_t> features, Examples examples, const RoundedRows& rows,
                  std::span<Candidate> out);
  // gather_seconds: set to what fetching the codes took.
  void scan_group(std::span<const std::uint32_t> features, Examples examples, const RoundedRows& rows,
                  std::span<Candidate> out, double& gather_seconds) const;
  void scan_values(std::span<const std::uint32_t> features, Examples examples, const RoundedRows& rows,
                   std::span<Candidate> out) const;
  // Of an example in focus: its number, the booster's weights, and what they are multiplied by.
  std::uint32_t number_of(std::size_t i) const {
    return focus_.rows.empty() ? std::uint32_t(i) : focus_.rows[i];
  }
  std::span<const double> row(std::size_t i) const { return weights_.row(number_of(i)); }
  double factor_of(std::size_t i) const {
    return focus_.negated.empty() || focus_.negated[i] == 0 ? unit_ : -unit_;
  }
  // The codes of a feature for the examples in focus.
  FeatureColumn focused_codes(std::uint32_t feature) const;
  // The values of a feature for these examples, which are increasing.
  std::shared_ptr<const SortedColumn> sorted_column(std::uint32_t feature, Examples examples) const;

  const FeatureSet& features_;
  const SignedWeights& weights_;
  Focus focus_;
  double unit_ = 1;  // what the booster's weights are multiplied by: those in focus then add up to 1
  std::vector<double> focused_example_weights_;  // of focus_.rows
  ScanSettings settings_;
  const Workers& workers_;
  Strips strips_;
  Meters meters_;
  std::vector<FamilyLooks> looks_;
  std::uint64_t seed_ = 0;
  std::uint32_t round_ = 0;
  // What the last evaluation that was part of the cost looked at; no row stands for all.
  std::vector<std::uint32_t> seen_features_, seen_rows_;
  RoundedRows all_rows_, drawn_rows_;
  std::vector<DrawnRows> draws_;  // of the last call of draw
  bool all_rows_valid_ = false;
  mutable SortedColumns sorted_;      // for exact cuts
  std::optional<StumpFit> kept_fit_;  // of a feature that was evaluated alone: the next refit wants it
};

}  // namespace mash
