// SPDX-License-Identifier: Apache-2.0
#include "framework/families/secret_order.hpp"

#include <numeric>

#include "framework/base/random.hpp"

namespace mash {

std::vector<std::uint32_t> secret_order(std::size_t count, const std::function<bool(std::size_t)>& follows,
                                        std::uint64_t secret) {
  std::vector<std::uint32_t> begins;  // of sequences
  for (std::size_t i = 0; i < count; ++i)
    if (i == 0 || !follows(i)) begins.push_back(std::uint32_t(i));
  std::vector<std::uint32_t> sequences(begins.size());
  std::iota(sequences.begin(), sequences.end(), 0u);
  RandomStream(secret, "order of pictures").shuffle(std::span(sequences));
  begins.push_back(std::uint32_t(count));
  std::vector<std::uint32_t> order;
  order.reserve(count);
  for (const std::uint32_t k : sequences)
    for (std::uint32_t i = begins[k]; i < begins[k + 1]; ++i) order.push_back(i);
  return order;
}

std::vector<std::uint32_t> secret_order(const Dataset& dataset, std::uint64_t secret) {
  const std::size_t num_train = dataset.train.num_examples;
  const auto follows = [&](std::size_t i) {
    const Split& split = i < num_train ? dataset.train : dataset.test;
    return !split.frames.empty() && split.frames[i < num_train ? i : i - num_train].place > 0;
  };
  return secret_order(num_train + dataset.test.num_examples, follows, secret);
}

std::vector<std::uint32_t> secret_order(const Split& split, std::span<const std::uint32_t> rows,
                                        std::uint64_t secret) {
  const auto follows = [&](std::size_t i) {
    return !split.frames.empty() && rows[i] == rows[i - 1] + 1 && split.frames[rows[i]].place > 0;
  };
  return secret_order(rows.size(), follows, secret);
}

}  // namespace mash
