// SPDX-License-Identifier: Apache-2.0
#include "classifiers/online/stream.hpp"

#include <numeric>
#include <span>

#include "framework/base/random.hpp"
#include "framework/base/require.hpp"

namespace mash {
namespace {

std::vector<std::uint32_t> numbers_below(std::uint32_t count) {
  std::vector<std::uint32_t> numbers(count);
  std::iota(numbers.begin(), numbers.end(), 0u);
  return numbers;
}

}  // namespace

ExampleStream::ExampleStream(std::uint64_t seed, std::uint32_t num_examples, Order order)
    : ExampleStream(seed, numbers_below(num_examples), order) {}

ExampleStream::ExampleStream(std::uint64_t seed, std::vector<std::uint32_t> examples, Order order)
    : seed_(seed), order_(order), examples_(std::move(examples)), numbers_(examples_.size()) {
  require(!examples_.empty(), "ExampleStream: at least one example");
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
  numbers_ = examples_;
  if (is_endless())
    for (std::uint32_t& number : numbers_) number += std::uint32_t(place_.pass * examples_.size());
  RandomStream(seed_, "stream.pass", place_.pass).shuffle(std::span(numbers_));
}

}  // namespace mash
