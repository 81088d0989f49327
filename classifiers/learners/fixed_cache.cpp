// SPDX-License-Identifier: Apache-2.0
#include "classifiers/learners/fixed_cache.hpp"

#include <Eigen/Core>
#include <mutex>

namespace mash {

void fix_cache_sizes() {
  static std::once_flag once;
  std::call_once(once, [] { Eigen::setCpuCacheSizes(32 << 10, 512 << 10, 8 << 20); });
}

}  // namespace mash
