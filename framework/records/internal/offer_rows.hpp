// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <cstdint>
#include <map>

#include "framework/base/loss_sums.hpp"
#include "framework/records/offers.hpp"

// Rows of offer tests, for the sources of this folder only.
namespace mash::rows {

// Needs all columns of `offer_tests`.
PastOffer past_offer(SQLite::Statement& row);

// The kept sums of a test by the number of seeds; none where none are kept.
std::map<std::size_t, GainSums> offer_sums(SQLite::Database& database, std::int64_t offer_id);

}  // namespace mash::rows
