// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "framework/families/extraction.hpp"

namespace mash {

// Features of a heuristic that did not come with this program are computed again for a part of the pictures,
// of both sides, by other processes, in another order and in tiles of other sizes. Where a bit differs they
// follow from more than the picture, and are refused: an error (kInput) that names the first value. Pictures
// are drawn by a secret of their own.

// Pictures that are compared: a twentieth of them, at least kFewestComparedAgain (all, where there are
// fewer).
inline constexpr std::size_t kFewestComparedAgain = 256, kComparedAgainPart = 20;

// Compares with what is in `values`. Ends the idle workers of the host, so that others compute. Errors also:
// the heuristic's own; kStopped.
Status compare_computed_again(const FamilySpec& spec, const ExtractionContext& context,
                              const ValuesFile& values);

// The same for a family whose values are not stored: kFewestComparedAgain pictures, or fewer where that would
// be more than 2^24 values, are computed twice.
Status compare_computed_twice(const FamilySpec& spec, std::uint32_t dim, const ExtractionContext& context);

// The same for pictures of the training side alone, where a value that is not finite is an error too.
// Processes that have seen no others: its errors may be told where the test side is hidden.
Status try_on_training_side(const FamilySpec& spec, std::uint32_t dim, const ExtractionContext& context);

}  // namespace mash
