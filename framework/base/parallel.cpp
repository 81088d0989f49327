// SPDX-License-Identifier: Apache-2.0
#include "framework/base/parallel.hpp"

#include <oneapi/tbb/global_control.h>

#include <algorithm>
#include <thread>

namespace mash {
namespace {

int resolve(int num_threads) {
  return num_threads > 0 ? num_threads : std::max(1, int(std::thread::hardware_concurrency()));
}

}  // namespace

Workers::Workers(int num_threads) : num_threads_(resolve(num_threads)), arena_(num_threads_) {
  // The library's default limit is the number of cores; asking for more threads than cores must give them.
  static oneapi::tbb::global_control limit(oneapi::tbb::global_control::max_allowed_parallelism,
                                           std::size_t(std::max(64, resolve(0))));
}

}  // namespace mash
