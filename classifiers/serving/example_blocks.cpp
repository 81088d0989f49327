// SPDX-License-Identifier: Apache-2.0
#include "classifiers/serving/example_blocks.hpp"

#include <atomic>
#include <mutex>
#include <optional>

namespace mash {

Status for_example_blocks(std::size_t num_examples, std::size_t block_size, const Workers& workers,
                          Progress& progress, const StopFlag& stop,
                          const std::function<Status(std::size_t, std::size_t)>& task) {
  std::mutex mutex;
  std::optional<Error> error;
  std::atomic<bool> failed{false};
  progress.start("predicting", num_examples, "examples");
  workers.for_blocks(num_examples, block_size, [&](std::size_t, std::size_t begin, std::size_t end) {
    if (failed) return;
    const Status status =
        stop.raised() ? Status(Error{ErrorKind::kStopped, "stopped by the user"}) : task(begin, end);
    progress.advance(end - begin);
    if (status.ok()) return;
    failed = true;
    const std::lock_guard lock(mutex);
    if (!error) error = status.error();
  });
  progress.finish();
  if (error) return *error;
  return Done{};
}

}  // namespace mash
