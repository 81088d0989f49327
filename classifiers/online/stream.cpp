// SPDX-License-Identifier: Apache-2.0
#include "classifiers/online/stream.hpp"

#include <numeric>
#include <span>

#include "framework/base/random.hpp"
#include "framework/base/require.hpp"

namespace mash {

ExampleStream::ExampleStream(std::uint64_t seed, std::uint32_t num_examples, Order order)
    : seed_(seed), order_(order), numbers_(num_examples) {
  require(num_examples >= 1, "ExampleStream: at least one example");
  begin_pass();
}

std::uint32_t ExampleStream::next() {
  if (place_.position == numbers_.size()) {
    place_ = {place_.pass + 1, 0};
    begin_pass();
  }
  return numbers_[place_.position++];
}

std::uint32_t ExampleStream::next_not_held(const std::function<bool(std::uint32_t)>& is_held) {
  std::uint32_t number = next();
  for (std::size_t num_held = 1; is_held(number) && num_held < numbers_.size(); ++num_held) number = next();
  return number;
}

void ExampleStream::go_to(const Place& place) {
  require(place.position <= numbers_.size(), "ExampleStream::go_to: a position within the pass");
  place_ = place;
  begin_pass();
}

void ExampleStream::begin_pass() {
  if (order_ == Order::kPasses) {
    std::iota(numbers_.begin(), numbers_.end(), 0u);
    RandomStream(seed_, "stream.pass", place_.pass).shuffle(std::span(numbers_));
  } else {
    RandomStream draws(seed_, "stream.replacement", place_.pass);
    for (std::uint32_t& number : numbers_) number = std::uint32_t(draws.below(numbers_.size()));
  }
}

}  // namespace mash
