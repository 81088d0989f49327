// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "classifiers/events/meters.hpp"
#include "classifiers/scan/ledger.hpp"

namespace mash {

// The changes of a round, beside its hypothesis and its event.
struct RoundChange {
  double loss_change_log10 = 0;
  // The training error after the round, where it does not follow from the hypotheses.
  std::optional<double> train_error = {};
};

// The costs of a training up to and with some round, without those that the event of the round has.
struct RoundCosts {
  std::uint64_t ops = 0, ue = 0, once = 0;
  PhaseSeconds phases;
  std::vector<FamilyLooks> looks;  // per family
};

// All that is needed to cut a training off after any of its rounds as if it had never had more: the changes
// and costs of each round. The log takes some 100 bytes a round, and two for each family; it ends at
// kMostBytes.
class RoundLog {
 public:
  static constexpr std::size_t kMostBytes = std::size_t(32) << 20;

  explicit RoundLog(std::size_t num_families = 0) : num_families_(num_families) {}
  // As numbers() and counts() of another log gave it.
  RoundLog(std::size_t num_families, std::vector<double> numbers, std::vector<std::uint8_t> counts);

  // Adds a round, from 1, with what all rounds so far have cost. Nothing is added where the round does not
  // follow the last one, or where the log is full.
  void add(std::uint32_t round, const RoundChange& change, const Meters& meters,
           std::span<const FamilyLooks> looks);

  // The number of rounds.
  std::size_t size() const { return numbers_.size() / kNumbers; }
  // The record of a round, from 1. REQUIRES: at most size().
  RoundChange change(std::uint32_t round) const;
  RoundCosts costs(std::uint32_t round) const;

  std::span<const double> numbers() const { return numbers_; }
  std::span<const std::uint8_t> counts() const { return counts_; }

 private:
  static constexpr std::size_t kNumbers = 2 + kPhases.size();  // doubles a round

  void put(std::uint64_t count, std::uint64_t& last);

  std::size_t num_families_;
  std::vector<double> numbers_;  // of each round: its change, then the seconds of each phase until then
  std::vector<std::uint8_t>
      counts_;  // of each round: its costs less those of the round before, seven bits a byte
  RoundCosts last_;
};

}  // namespace mash
