// SPDX-License-Identifier: Apache-2.0
#include "framework/records/board_ranks.hpp"

#include <algorithm>
#include <cmath>
#include <ranges>
#include <string>
#include <tuple>

#include "framework/records/submissions.hpp"

namespace mash {
namespace {

// Both gains as they are shown, as if their errors had nothing in common.
PairDifference shown_difference(const MeasuredGain& one, const MeasuredGain& other) {
  const std::size_t fewest = std::max<std::size_t>(2, std::min(one.num_seeds, other.num_seeds));
  return {one.gain - other.gain, std::hypot(one.standard_error, other.standard_error), double(fewest - 1)};
}

// Submissions with the features of an earlier one, to the bit.
void find_copies(std::span<const BoardEntry> entries, std::vector<EntryRank>& ranks) {
  std::map<std::string, std::int64_t> first;  // by the digest of the features
  for (const BoardEntry& entry : entries)
    if (!entry.features_digest.empty()) {
      const auto [known, is_new] = first.emplace(entry.features_digest, entry.submission_id);
      if (!is_new) known->second = std::min(known->second, entry.submission_id);
    }
  for (std::size_t i = 0; i < entries.size(); ++i)
    if (const auto found = first.find(entries[i].features_digest);
        found != first.end() && found->second != entries[i].submission_id)
      ranks[i].copy_of = found->second;
}

}  // namespace

bool BoardRanks::is_known(std::int64_t submission_id) const {
  return std::ranges::any_of(levels_,
                             [&](const auto& level) { return level.second.places.contains(submission_id); });
}

Status BoardRanks::learn(const RecordsReader& records, std::span<const BoardEntry> entries) {
  for (const BoardEntry& entry : entries) {
    MASH_ASSIGN(const std::vector<std::size_t> measured, read_measured_seeds(records, entry.submission_id));
    for (const std::size_t num_seeds : measured) {
      Level& level = levels_[num_seeds];
      if (level.places.contains(entry.submission_id)) continue;
      MASH_ASSIGN(const LossSums sums, read_loss_sums(records, entry.submission_id, num_seeds));
      if (sums.is_empty()) continue;
      level.places.emplace(entry.submission_id, level.table.size());
      level.table.put(level.table.size(), sums);
    }
  }
  return Done{};
}

PairDifference BoardRanks::difference(std::int64_t one, std::int64_t other) const {
  for (const auto& [num_seeds, level] : std::views::reverse(levels_)) {
    const auto first = level.places.find(one), second = level.places.find(other);
    if (first != level.places.end() && second != level.places.end())
      return level.table.difference(first->second, second->second);
  }
  return {};
}

Result<std::vector<EntryRank>> BoardRanks::ranks(const RecordsReader& records, const Board& board,
                                                 std::span<const BoardEntry> entries) {
  const bool is_withheld = board.ladder_step != 0;
  if (!is_withheld) MASH_TRY(learn(records, entries));
  std::vector<EntryRank> ranks(entries.size());
  find_copies(entries, ranks);
  std::vector<std::size_t> ranked;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    ranks[i].is_measured_before = !is_withheld && !is_known(entries[i].submission_id);
    if (!ranks[i].copy_of && !ranks[i].is_measured_before && entries[i].is_told()) ranked.push_back(i);
  }
  const auto sets = rank_sets(
      ranked.size(),
      [&](std::size_t i, std::size_t j) {
        const BoardEntry &one = entries[ranked[i]], &other = entries[ranked[j]];
        return is_withheld ? shown_difference(one, other)
                           : difference(one.submission_id, other.submission_id);
      },
      // Each doubling of the seeds spends a fifth of it.
      is_withheld ? .05 : .01);
  for (std::size_t i = 0; i < ranked.size(); ++i) {
    ranks[ranked[i]].own = sets[i].own;
    ranks[ranked[i]].together = sets[i].together;
    ranks[ranked[i]].expected = sets[i].expected;
  }
  return ranks;
}

std::optional<std::size_t> least_certain(std::span<const BoardEntry> entries,
                                         std::span<const EntryRank> ranks, std::size_t most_seeds) {
  std::optional<std::size_t> chosen;
  // The larger, the sooner.
  const auto urgency = [&](std::size_t i) {
    const EntryRank& rank = ranks[i];
    const std::int64_t width = rank.own ? rank.own->high - rank.own->low : 0;
    return std::tuple(rank.is_measured_before, rank.is_measured_before ? -entries[i].submission_id : width,
                      -rank.expected);
  };
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const EntryRank& rank = ranks[i];
    const bool is_open = rank.own && rank.own->high > rank.own->low && 2 * entries[i].num_seeds <= most_seeds;
    if (!rank.is_measured_before && !is_open) continue;
    if (!chosen || urgency(i) > urgency(*chosen)) chosen = i;
  }
  return chosen;
}

}  // namespace mash
