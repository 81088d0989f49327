// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "framework/analysis/sources/tokens.hpp"

// How much of two sources is the same, no matter what their names are: fingerprints of runs of tokens, chosen
// by winnowing (Schleimer, Wilkerson & Aiken, "Winnowing: local algorithms for document fingerprinting",
// SIGMOD 2003), and the parts in which the sources agree. It is evidence, and judges nothing.
namespace mash {

// Tokens of a run that is hashed, and hashes of a window of which the least is a fingerprint. A part of
// kRunTokens + kWindow - 1 = 20 tokens that two sources share has a fingerprint that they share.
inline constexpr std::size_t kRunTokens = 12, kWindow = 9;

struct Fingerprint {
  std::uint64_t hash = 0;
  std::uint32_t first = 0;  // token with which its run begins
  bool operator==(const Fingerprint&) const = default;
};

// A hash of each run of kRunTokens tokens, in their order; none where there are fewer.
std::vector<std::uint64_t> run_hashes(std::span<const SourceToken> tokens);
// The least hash of each window; of equal ones the last; each once. Fewer hashes than a window are one.
std::vector<Fingerprint> winnowed(std::span<const std::uint64_t> hashes, std::size_t window = kWindow);

// A source, prepared to be compared.
struct ReadSource {
  std::vector<SourceToken> tokens = {};
  std::vector<bool> is_common = {};      // of each token: it is in a run that everybody has
  std::vector<Fingerprint> prints = {};  // of runs that not everybody has
  std::size_t num_own = 0;               // tokens that are not common
};

// Runs that say nothing, because everybody has them from a template.
class CommonRuns {
 public:
  explicit CommonRuns(std::span<const std::string_view> templates);
  ReadSource read(std::string_view source) const;

 private:
  std::unordered_set<std::uint64_t> hashes_;
};

// Lines, both included, from 1.
struct LineSpan {
  std::uint32_t first = 0, last = 0;
  bool operator==(const LineSpan&) const = default;
};
// A part that two sources share.
struct EqualPart {
  LineSpan one, other;
  std::size_t num_tokens = 0;
};

struct SourceLikeness {
  std::vector<EqualPart> parts = {};  // in the order of `one`; no token is in two of them
  std::size_t num_equal = 0;          // tokens of all parts
  std::size_t num_prints = 0, num_other_prints = 0, num_shared = 0;  // different fingerprints
};

// Parts begin at shared fingerprints and go as far as both sources agree, outside of what is common; the
// longest are taken first. The work is bounded: of a fingerprint that stands in a source more than 16 times
// the first 16 are looked at.
SourceLikeness source_likeness(const ReadSource& one, const ReadSource& other);

}  // namespace mash
