// SPDX-License-Identifier: Apache-2.0
#include "classifiers/serving/known_examples.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <span>

#include "framework/base/hash.hpp"

namespace mash {
namespace {

// A digest of the pixels, or of the values of a row; every number of 48 bits has a place in JSON.
std::uint64_t digest_of(const Model& model, const Split& side, std::size_t n) {
  constexpr int kDroppedBits = 16;
  const std::size_t num_columns = model.column_names().size();
  if (model.shape().width > 0) return checksum(std::as_bytes(side.image(n, model.shape()))) >> kDroppedBits;
  const auto row = std::span(side.values).subspan(n * num_columns, num_columns);
  std::vector<float> values(row.begin(), row.end());
  for (float& value : values) {
    if (std::isnan(value)) value = std::numeric_limits<float>::quiet_NaN();
    if (value == 0) value = 0;  // of -0
  }
  return checksum(std::as_bytes(std::span(values))) >> kDroppedBits;
}

}  // namespace

KnownExamples known_examples(const Model& model, const Split& train) {
  std::set<std::uint64_t> digests;
  for (std::size_t n = 0; n < train.num_examples; ++n) {
    digests.insert(digest_of(model, train, n));
    if (digests.size() > kMostDigests) digests.erase(std::prev(digests.end()));
  }
  return {train.num_examples, {digests.begin(), digests.end()}};
}

SeenExamples seen_examples(const Model& model, const Split& side) {
  SeenExamples seen;
  const auto& known = model.head().trained_on;
  if (!known || known->digests.empty()) return seen;
  // Those above the largest of a part may have been left out.
  const std::uint64_t last =
      known->has_all() ? std::numeric_limits<std::uint64_t>::max() : known->digests.back();
  for (std::size_t n = 0; n < side.num_examples; ++n) {
    const std::uint64_t digest = digest_of(model, side, n);
    seen.num_told += digest <= last;
    seen.num_seen += std::ranges::binary_search(known->digests, digest);
  }
  return seen;
}

}  // namespace mash
