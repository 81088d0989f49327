// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace mash {

// Makes the matrix library divide its products as on a machine with caches of usual size. Otherwise the order
// of its sums, and so their last bits, would depend on this machine's caches. Must be called before the
// library is used. [any thread]
void fix_cache_sizes();

}  // namespace mash
