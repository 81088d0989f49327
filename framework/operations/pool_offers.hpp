// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "framework/operations/offer_test.hpp"

namespace mash {

// The offer test of every family of a workspace beside the others, all at once. The pool is trained once for
// each seed, with all families; of a family's own test that pool, freed of the family's hypotheses and filled
// up by as many of the others, is the beginning. That takes about a third of the rounds of a test for each by
// itself.
// settings.seconds: of all together; a look at a family that is not begun in time is not taken, but for the
// first. Errors: as run_offer_test. REQUIRES: two families at least.
Result<std::vector<OfferTest>> run_pool_offers(const Workspace& space, const OfferTestSettings& settings,
                                               const WorkContext& work);

}  // namespace mash
