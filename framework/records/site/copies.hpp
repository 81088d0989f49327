// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "framework/records/submissions.hpp"

// The rule of a board for copies, and the evidence of likeness that its operator sees.
namespace mash {

// kMark: a heuristic with the features of another one, to the bit, stands with it and says whose they are.
// kRefuse: it is rejected, where the other one is not an earlier version of itself.
enum class CopiesRule { kMark, kRefuse };
std::string_view word_of(CopiesRule rule);  // "mark", "refuse"
// Errors (kInput): another word; names those that are known.
Result<CopiesRule> parse_copies_rule(std::string_view word);

// The rule of a board in all its versions; kMark, where none was set.
Result<CopiesRule> read_copies_rule(const RecordsReader& records, const std::string& board);
Status set_copies_rule(Records& records, const std::string& board, CopiesRule rule);

// A part of two sources that is the same except for names, numbers and texts: lines, both included, from 1.
struct LikePart {
  std::uint32_t first = 0, last = 0, other_first = 0, other_last = 0;
  bool operator==(const LikePart&) const = default;
};

// How much a submission is like an earlier one: figures, and no verdict.
struct KeptLikeness {
  std::int64_t submission_id = 0, other_id = 0;  // other_id: the earlier one
  bool is_same = false;            // all features are equal, to the bit; not kept with the others
  bool is_compared = true;         // else nothing but is_same is known
  std::optional<double> cka = {};  // of samples of their features; nothing: one has none, or other pictures
  // Tokens that no template has, of either source; num_equal: of these, in parts that are in both.
  std::size_t num_tokens = 0, num_other_tokens = 0, num_equal = 0;
  // Different fingerprints of them, of either source and of both.
  std::size_t num_prints = 0, num_other_prints = 0, num_shared = 0;
  std::vector<LikePart> parts = {};

  // The equal tokens as a share of those of the shorter source.
  double share_equal() const;
};

// The oldest submission that was judged and is to be compared: it was not yet, or has a sample since;
// nothing: there is none.
Result<std::optional<std::int64_t>> next_to_compare(const RecordsReader& records);
// Submissions of other heuristics with which it is compared: those that were handed in before it, and later
// ones that were compared already, so that each pair has its turn once. Those of its own version of the
// board; and of other versions, whose sources alone can be compared, the ones that did not run again on this
// one. What runs again itself has been compared with these. The oldest first.
Result<std::vector<std::int64_t>> read_to_compare_with(const RecordsReader& records,
                                                       std::int64_t submission_id);
// Empty: it has none.
Result<FeatureSample> read_feature_sample(const RecordsReader& records, std::int64_t submission_id);

// Keeps what comparing it with the others came to, in the place of what was kept of these pairs, and of it
// and earlier ones, before. likenesses: of two of which it is one.
Status keep_likenesses(Records& records, std::int64_t submission_id, std::span<const std::int64_t> others,
                       std::span<const KeptLikeness> likenesses);
// Those between submissions of any version of a board, of which none was removed, and those whose features
// are the same to the bit; the latest first.
Result<std::vector<KeptLikeness>> read_likenesses(const RecordsReader& records, const std::string& board);
// That of two submissions, in either order; nothing: they are not compared, or too little is alike.
Result<std::optional<KeptLikeness>> find_likeness(const RecordsReader& records, std::int64_t one,
                                                  std::int64_t other);
// How many of a board's judged submissions wait to be compared.
Result<std::size_t> num_to_compare(const RecordsReader& records, const std::string& board);

}  // namespace mash
