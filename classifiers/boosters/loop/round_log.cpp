// SPDX-License-Identifier: Apache-2.0
#include "classifiers/boosters/loop/round_log.hpp"

#include <cmath>
#include <limits>
#include <utility>

#include "framework/base/require.hpp"

namespace mash {
namespace {

constexpr unsigned kBits = 7;
constexpr std::uint8_t kMore = 1u << kBits;  // the number goes on in the next byte

// Reads numbers as RoundLog::put writes them.
class CountReader {
 public:
  explicit CountReader(std::span<const std::uint8_t> counts) : counts_(counts) {}
  std::uint64_t next() {
    std::uint64_t count = 0;
    for (unsigned shift = 0;; shift += kBits) {
      require(place_ < counts_.size(), "RoundLog: counts of each round");
      const std::uint8_t byte = counts_[place_++];
      count |= std::uint64_t(byte & (kMore - 1)) << shift;
      if (byte < kMore) return count;
    }
  }

 private:
  std::span<const std::uint8_t> counts_;
  std::size_t place_ = 0;
};

}  // namespace

RoundLog::RoundLog(std::size_t num_families, std::vector<double> numbers, std::vector<std::uint8_t> counts)
    : num_families_(num_families), numbers_(std::move(numbers)), counts_(std::move(counts)) {
  last_ = costs(std::uint32_t(size()));
}

void RoundLog::put(std::uint64_t count, std::uint64_t& last) {
  std::uint64_t rest = count - std::exchange(last, count);
  for (; rest >= kMore; rest >>= kBits) counts_.push_back(std::uint8_t(rest | kMore));
  counts_.push_back(std::uint8_t(rest));
}

void RoundLog::add(std::uint32_t round, const RoundChange& change, const Meters& meters,
                   std::span<const FamilyLooks> looks) {
  require(looks.size() == num_families_, "RoundLog::add: looks of each family");
  if (round != size() + 1 || numbers_.size() * sizeof(double) + counts_.size() >= kMostBytes) return;
  numbers_.push_back(change.loss_change_log10);
  numbers_.push_back(change.train_error.value_or(std::numeric_limits<double>::quiet_NaN()));
  for (const Phase& phase : kPhases) numbers_.push_back(meters.phases.*phase.seconds);
  last_.looks.resize(num_families_);
  put(meters.ops, last_.ops);
  put(meters.ue, last_.ue);
  put(meters.once, last_.once);
  for (std::size_t k = 0; k < num_families_; ++k) {
    put(looks[k].offered, last_.looks[k].offered);
    put(looks[k].evaluated, last_.looks[k].evaluated);
  }
}

RoundChange RoundLog::change(std::uint32_t round) const {
  const double* numbers = &numbers_[(round - 1) * kNumbers];
  return {numbers[0], std::isnan(numbers[1]) ? std::nullopt : std::optional(numbers[1])};
}

RoundCosts RoundLog::costs(std::uint32_t round) const {
  RoundCosts costs;
  costs.looks.resize(num_families_);
  CountReader counts(counts_);
  for (std::uint32_t i = 0; i < round; ++i) {
    for (std::uint64_t* sum : {&costs.ops, &costs.ue, &costs.once}) *sum += counts.next();
    for (FamilyLooks& looks : costs.looks) {
      looks.offered += counts.next();
      looks.evaluated += counts.next();
    }
  }
  if (round == 0) return costs;
  const double* seconds = &numbers_[(round - 1) * kNumbers + 2];
  for (std::size_t i = 0; i < kPhases.size(); ++i) costs.phases.*kPhases[i].seconds = seconds[i];
  return costs;
}

}  // namespace mash
