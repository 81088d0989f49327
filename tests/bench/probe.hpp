// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace mash::bench {

// The best that this core can do, measured once in this process: rows of `num_lanes` 16-bit weights that are
// added to sums at random, everything in the first-level cache, per second, with as many features to a pass
// as is fastest. The scan of a dense column adds such rows for each (feature, example) pair, so this bounds
// it, and what the scan reaches of it hardly depends on the machine's mood. num_lanes: 4, 8 or 16.
double added_rows_per_second(std::size_t num_lanes);

// The clock, in cycles per second: sums of which each needs the one before, one a cycle on any processor of
// today.
double cycles_per_second();

// Rows of `num_lanes` 16-bit sums that a core stores per second if it stores one vector a cycle and nothing
// else takes time; as many vectors to a row as the widest of this machine need. Adding to sums in memory
// stores each row, so this limits every way of writing that loop; added_rows_per_second is what one plain way
// reaches. Rows narrower than a vector can do slightly better where two stores go together.
double stored_rows_per_second(std::size_t num_lanes);

// Likewise, how often per second it clears 256 rows of sums, then takes the magnitudes of the differences
// after each: the plain part of a walk over all codes, which a feature needs however few its examples are.
double walks_per_second(std::size_t num_lanes);

}  // namespace mash::bench
