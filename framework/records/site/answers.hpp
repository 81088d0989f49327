// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "framework/records/boards.hpp"

// The bits that a board may have told of its private part, at most: each answer tells no more than the
// logarithm of the number of different values that could have been told in its place. docs/security.md has
// the formulas.
namespace mash {

// The private part, as far as it bounds what can be told.
struct PrivatePart {
  std::size_t num_pictures = 0, num_classes = 0;
};
// No gain is larger, and none smaller than minus this, in per cent: 100 ln(ln K (E + 2)^2 / (E + 1)) of E
// pictures and K classes. A model that separates all pictures still has a mean loss of 1 / (E + 2), as one
// picture of all is left in doubt, and one that knows nothing has ln K. REQUIRES: pictures, and two classes.
double largest_gain(const PrivatePart& part);
// The bits of its labels: E log2 K.
double bits_of_labels(const PrivatePart& part);

// A gain that was told.
struct ReleasedAnswer {
  double step = 0;                  // in multiples of it
  bool is_stepped = false;          // by a Ladder; else as it was measured
  std::optional<double> best = {};  // that the Ladder had released before
};
// The logarithm of the number of values that could have been told: "nothing to learn", or the best before, or
// a gain that is better by a step (without a best before: any) with the half-width of its interval in steps,
// suspicious or not. Without a Ladder: a gain in units, two digits of its error, and how far both ends of the
// interval are from it, each in units, with any finding.
double bits_of(const ReleasedAnswer& answer, const PrivatePart& part);

// Whether a submission was published, or refused after it had seen private pictures, by one of two sentences.
double bits_of_outcome();

// The number of an entry's others that stood in the pool when it was measured beside them: none to all.
double bits_of_pool(std::size_t num_others);

// Without a Ladder ranks follow from paired losses and are told too: at each measurement every entry has a
// set of ranks and an expected rank to a tenth.
double bits_of_ranks(std::size_t num_measurements, std::size_t num_entries);

// Counts of a version of a board.
struct ToldCounts {
  std::size_t num_shown = 0;         // submissions that private pictures were shown to
  std::size_t num_measurements = 0;  // of entries
  std::size_t num_entries = 0;
  std::vector<ReleasedAnswer> answers = {};
  std::vector<std::size_t> pools = {};  // of each measurement beside others, how many were to stand there
};
Result<ToldCounts> read_told(const RecordsReader& records, const Board& board);

// The parts of the bound.
struct ToldBits {
  double outcomes = 0, gains = 0, ranks = 0;
  double total() const { return outcomes + gains + ranks; }
};
// has_ladder: ranks follow from what is told.
ToldBits told_bits(const ToldCounts& counts, bool has_ladder, const PrivatePart& part);

}  // namespace mash
