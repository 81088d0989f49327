// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "framework/base/progress.hpp"
#include "framework/records/site/copies.hpp"

namespace mash::server {

// The pairs that are kept: their features are a near copy, or nearly one, by CKA; or a fourth of the shorter
// source, and 60 tokens of it, is in parts that are in both. Of one submission the 20 most alike.
inline constexpr double kKeptCka = .95, kKeptShare = .25;
inline constexpr std::size_t kKeptTokens = 60, kMostKept = 20;

// Whether the likeness of a pair is worth a look.
bool is_kept(const KeptLikeness& likeness);

// Compares the oldest judged submission that is to be compared with those of read_to_compare_with: the
// samples of their features by CKA, where both are of one version of the board, and so of the same pictures;
// and their sources by fingerprints of tokens, in which what the templates of mash heuristic new have counts
// for nothing. Keeps the figures. Returns whether there was one. Errors: the database; kStopped: it begins
// again.
Result<bool> compare_next_submission(Records& records, const StopFlag& stop);

}  // namespace mash::server
