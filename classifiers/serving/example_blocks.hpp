// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>

#include "framework/base/parallel.hpp"
#include "framework/base/progress.hpp"
#include "framework/base/result.hpp"

namespace mash {

// Predicts: calls task(begin, end) for blocks of block_size examples, and tells the progress of them. Errors:
// as Workers::try_blocks.
Status for_example_blocks(std::size_t num_examples, std::size_t block_size, const Workers& workers,
                          Progress& progress, const StopFlag& stop,
                          const std::function<Status(std::size_t begin, std::size_t end)>& task);

}  // namespace mash
