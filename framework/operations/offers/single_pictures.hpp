// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "framework/operations/offers/run_offer.hpp"

namespace mash {

// Pictures that judge, of which copies are made: at most, and at least, or nothing is looked at.
inline constexpr std::size_t kMostCopied = 1000, kFewestCopied = 100;

// Whether a newcomer knows single pictures: whether most rounds that it won were won by features that tell,
// on copies of the pictures that judge, less than half of what they tell of the class on these pictures
// themselves. There are two kinds of copies: all are shifted by a pixel, or one in about twenty samples is
// changed by one grey level. An honest feature tells as much of a class there; one that looks pictures up
// does not find them. False where too few pictures judge, and for tables. test: of this newcomer, after a
// look. Errors: the heuristic's own (kInput); kStopped.
Result<bool> knows_single_pictures(Workspace& space, const FamilyGroup& newcomer, const OfferTest& test,
                                   const WorkContext& work);

}  // namespace mash
