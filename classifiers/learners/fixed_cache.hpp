// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace mash {

// Has the library of matrices divide its products as on a machine with caches of usual size, whatever this
// one has: the order of its sums, and so their last bits, would depend on the machine. To be called before it
// is used. [any thread]
void fix_cache_sizes();

}  // namespace mash
