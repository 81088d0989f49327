// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "framework/base/credit_parts.hpp"
#include "framework/records/records.hpp"

namespace mash {

// The pool whose heuristics were credited.
struct CreditedPool {
  std::string dataset_fingerprint;
  std::string together_key;  // family_set_key of all its families
  std::uint32_t rounds = 0;  // of each training
};

// The credit of one heuristic of the pool: how much of the mean log-loss of an example, in nats, its families
// together remove. It is the heuristic's Shapley value among the others.
struct CreditRow {
  std::string heuristic, version;
  double credit = 0;
  std::optional<double> standard_error;  // nothing: not known
  CreditParts parts = {};
};

// Keeps the credits of a pool and replaces its earlier ones.
Status keep_credits(Records& records, const CreditedPool& pool, std::span<const CreditRow> credits);

}  // namespace mash
