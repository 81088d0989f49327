// SPDX-License-Identifier: Apache-2.0
#include "classifiers/serving/example_blocks.hpp"

namespace mash {

Status for_example_blocks(std::size_t num_examples, std::size_t block_size, const Workers& workers,
                          Progress& progress, const StopFlag& stop,
                          const std::function<Status(std::size_t, std::size_t)>& task) {
  progress.start("predicting", num_examples, "examples");
  const Status done =
      workers.try_blocks(num_examples, block_size, stop, [&](std::size_t begin, std::size_t end) -> Status {
        MASH_TRY(task(begin, end));
        progress.advance(end - begin);
        return Done{};
      });
  progress.finish();
  return done;
}

}  // namespace mash
