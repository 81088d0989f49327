// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

namespace mash {

// The numbers of examples, one after the other without end, in random order. Each pass of N numbers has
// random numbers of its own, so that a stream goes on from a place as it would have come there.
class ExampleStream {
 public:
  enum class Order {
    kPasses,   // every example once in each pass
    kEndless,  // the passes are of 0 ... N-1, N ... 2N-1 and so on: none comes twice until about 2^32 have
  };
  // The next number is the one at `position` of the pass.
  struct Place {
    std::uint64_t pass = 0, position = 0;
    bool operator==(const Place&) const = default;
  };

  // The numbers below num_examples (at least 1), or these (at least one). kEndless: REQUIRES the former.
  ExampleStream(std::uint64_t seed, std::uint32_t num_examples, Order order = Order::kPasses);
  ExampleStream(std::uint64_t seed, std::vector<std::uint32_t> examples, Order order = Order::kPasses);

  bool is_endless() const { return order_ == Order::kEndless; }
  // In a pass.
  std::uint32_t num_examples() const { return std::uint32_t(numbers_.size()); }
  std::uint32_t next();
  // The next that the caller does not hold already; those that it holds are passed over. Where N in a row are
  // held, the last of them all the same. (A caller who wants more examples at a time than there are asks
  // next() instead.)
  std::uint32_t next_not_held(const std::function<bool(std::uint32_t example_idx)>& is_held);

  Place place() const { return place_; }
  // Where it is after num_numbers numbers.
  Place place_after(std::uint64_t num_numbers) const {
    return {num_numbers / numbers_.size(), num_numbers % numbers_.size()};
  }
  // REQUIRES: place.position <= num_examples().
  void go_to(const Place& place);

 private:
  void begin_pass();

  std::uint64_t seed_;
  Order order_;
  Place place_;
  std::vector<std::uint32_t> examples_;  // of the first pass, in their own order
  std::vector<std::uint32_t> numbers_;   // of the current pass
};

}  // namespace mash
