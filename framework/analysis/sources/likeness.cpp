// SPDX-License-Identifier: Apache-2.0
#include "framework/analysis/sources/likeness.hpp"

#include <algorithm>
#include <string>
#include <tuple>
#include <unordered_map>

namespace mash {
namespace {

constexpr std::size_t kMostPlaces = 16;  // of one fingerprint in one source

// FNV-1a over the kinds of a run.
std::uint64_t hash_of(std::span<const SourceToken> run) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const SourceToken& token : run)
    for (int shift = 0; shift < 32; shift += 8) hash = (hash ^ (token.kind >> shift & 0xff)) * 0x100000001b3u;
  return hash;
}

// Tokens [one, one + count) and [other, other + count) agree.
struct TokenPart {
  std::size_t one = 0, other = 0, count = 0;
};

// Runs of tokens that two sources share, as long as they go.
class PartFinder {
 public:
  PartFinder(const ReadSource& one, const ReadSource& other)
      : one_(one), other_(other), is_taken_(one.tokens.size()), is_other_taken_(other.tokens.size()) {}

  std::vector<TokenPart> run() {
    std::vector<TokenPart> found = candidates();
    std::ranges::sort(found, [](const TokenPart& a, const TokenPart& b) {
      return std::tuple(b.count, a.one, a.other) < std::tuple(a.count, b.one, b.other);
    });
    std::vector<TokenPart> parts;
    for (const TokenPart& part : found)
      if (take(part)) parts.push_back(part);
    std::ranges::sort(parts, {}, &TokenPart::one);
    return parts;
  }

 private:
  std::vector<TokenPart> candidates() const {
    std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> places;
    for (const Fingerprint& print : other_.prints)
      if (auto& known = places[print.hash]; known.size() < kMostPlaces) known.push_back(print.first);
    std::unordered_map<std::uint64_t, std::size_t> num_seen;
    // Where the last part of each difference of places ends: it holds the runs that begin before its end.
    std::unordered_map<std::int64_t, std::size_t> ends;
    std::vector<TokenPart> found;
    for (const Fingerprint& print : one_.prints) {
      const auto shared = places.find(print.hash);
      if (shared == places.end() || ++num_seen[print.hash] > kMostPlaces) continue;
      for (const std::uint32_t place : shared->second) {
        std::size_t& end = ends[std::int64_t(print.first) - std::int64_t(place)];
        if (print.first < end) continue;
        const TokenPart part = extended(print.first, place);
        end = part.one + part.count;
        if (part.count >= kRunTokens) found.push_back(part);
      }
    }
    return found;
  }

  bool agrees(std::size_t i, std::size_t j) const {
    return one_.tokens[i].kind == other_.tokens[j].kind && !one_.is_common[i] && !other_.is_common[j];
  }
  // The part around a run of kRunTokens tokens, the first of which may be common.
  TokenPart extended(std::size_t i, std::size_t j) const {
    std::size_t skipped = 0;
    while (skipped + 1 < kRunTokens && !agrees(i + skipped, j + skipped)) ++skipped;
    TokenPart part{i + skipped, j + skipped, 0};
    while (part.one > 0 && part.other > 0 && agrees(part.one - 1, part.other - 1)) {
      --part.one;
      --part.other;
    }
    while (part.one + part.count < one_.tokens.size() && part.other + part.count < other_.tokens.size() &&
           agrees(part.one + part.count, part.other + part.count))
      ++part.count;
    return part;
  }

  // Where none of its tokens is in another part.
  bool take(const TokenPart& part) {
    for (std::size_t i = 0; i < part.count; ++i)
      if (is_taken_[part.one + i] || is_other_taken_[part.other + i]) return false;
    for (std::size_t i = 0; i < part.count; ++i)
      is_taken_[part.one + i] = is_other_taken_[part.other + i] = true;
    return true;
  }

  const ReadSource &one_, &other_;
  std::vector<bool> is_taken_, is_other_taken_;
};

std::unordered_set<std::uint64_t> hashes_in(std::span<const Fingerprint> prints) {
  std::unordered_set<std::uint64_t> hashes;
  for (const Fingerprint& print : prints) hashes.insert(print.hash);
  return hashes;
}

LineSpan lines_of(std::span<const SourceToken> tokens, std::size_t first, std::size_t count) {
  return {tokens[first].line, tokens[first + count - 1].line};
}

}  // namespace

std::vector<std::uint64_t> run_hashes(std::span<const SourceToken> tokens) {
  std::vector<std::uint64_t> hashes;
  for (std::size_t i = 0; i + kRunTokens <= tokens.size(); ++i)
    hashes.push_back(hash_of(tokens.subspan(i, kRunTokens)));
  return hashes;
}

std::vector<Fingerprint> winnowed(std::span<const std::uint64_t> hashes, std::size_t window) {
  std::vector<Fingerprint> prints;
  const std::size_t num_windows =
      hashes.size() < window ? std::min<std::size_t>(hashes.size(), 1) : hashes.size() - window + 1;
  for (std::size_t i = 0; i < num_windows; ++i) {
    const auto inside = hashes.subspan(i, std::min(window, hashes.size() - i));
    std::size_t least = 0;
    for (std::size_t k = 1; k < inside.size(); ++k)
      if (inside[k] <= inside[least]) least = k;
    const Fingerprint print{inside[least], std::uint32_t(i + least)};
    if (prints.empty() || prints.back() != print) prints.push_back(print);
  }
  return prints;
}

CommonRuns::CommonRuns(std::span<const std::string_view> templates) {
  for (const std::string_view text : templates) {
    // The words that a new project replaces are names in it.
    std::string source(text);
    std::ranges::replace(source, '@', '_');
    for (const std::uint64_t hash : run_hashes(source_tokens(source))) hashes_.insert(hash);
  }
}

ReadSource CommonRuns::read(std::string_view source) const {
  ReadSource read;
  read.tokens = source_tokens(source);
  read.is_common.resize(read.tokens.size());
  const std::vector<std::uint64_t> hashes = run_hashes(read.tokens);
  for (std::size_t i = 0; i < hashes.size(); ++i)
    if (hashes_.contains(hashes[i]))
      std::fill_n(read.is_common.begin() + std::ptrdiff_t(i), kRunTokens, true);
  read.num_own = std::size_t(std::ranges::count(read.is_common, false));
  read.prints = winnowed(hashes);
  std::erase_if(read.prints, [&](const Fingerprint& print) { return hashes_.contains(print.hash); });
  return read;
}

SourceLikeness source_likeness(const ReadSource& one, const ReadSource& other) {
  SourceLikeness likeness;
  const auto hashes = hashes_in(one.prints), other_hashes = hashes_in(other.prints);
  likeness.num_prints = hashes.size();
  likeness.num_other_prints = other_hashes.size();
  likeness.num_shared = std::size_t(
      std::ranges::count_if(hashes, [&](std::uint64_t hash) { return other_hashes.contains(hash); }));
  if (likeness.num_shared == 0) return likeness;
  for (const TokenPart& part : PartFinder(one, other).run()) {
    likeness.parts.push_back({lines_of(one.tokens, part.one, part.count),
                              lines_of(other.tokens, part.other, part.count), part.count});
    likeness.num_equal += part.count;
  }
  return likeness;
}

}  // namespace mash
