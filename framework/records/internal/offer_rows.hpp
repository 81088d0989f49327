// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include "framework/records/offers.hpp"

// Rows of offer tests, for the sources of this folder only.
namespace mash::rows {

// Needs all columns of `offer_tests`.
PastOffer past_offer(SQLite::Statement& row);

}  // namespace mash::rows
