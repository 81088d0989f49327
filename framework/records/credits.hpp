// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "framework/records/records.hpp"

namespace mash {

// The pool of which heuristics were credited.
struct CreditedPool {
  std::string dataset_fingerprint;
  std::string together_key;  // family_set_key of all its families
  std::uint32_t rounds = 0;  // of each training
};

// The part of the mean log-loss of an example, in nats, that a heuristic of it with all its families removes:
// its Shapley value among the others.
struct CreditRow {
  std::string heuristic, version;
  double credit = 0;
  std::optional<double> standard_error;  // nothing: not known
};

// Keeps the credits of a pool in the place of those before.
Status keep_credits(Records& records, const CreditedPool& pool, std::span<const CreditRow> credits);

}  // namespace mash
