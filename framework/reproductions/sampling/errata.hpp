// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "framework/render/table.hpp"

namespace mash {

// Lemma 1 of Dubout & Fleuret 2014 against simulation: where the printed bound fails and the corrected one
// holds.
Table laminating_errata();

}  // namespace mash
