// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "framework/base/child_process.hpp"
#include "framework/base/progress.hpp"
#include "framework/base/result.hpp"
#include "framework/isolation/shared_block.hpp"
#include "framework/isolation/worker_messages.hpp"
#include "framework/isolation/worker_process.hpp"
#include "framework/isolation/worker_words.hpp"

namespace mash {

// How often something is tried that a worker was killed in by somebody else, perhaps for want of memory.
inline constexpr int kWorkerTries = 2;

// Limits of a heuristic in its worker: the budgets of the original MASH. Seconds are those of the wall less
// the waits for a processor, and of all processors together, whichever are more.
struct WorkerBudget {
  double init_seconds = 2;         // of each call that is not about a picture, loading among them
  double pixel_seconds = 1e-6;     // of a picture, a pixel, times log2 of their number
  double feature_seconds = 10e-6;  // of a picture, a feature
  double bank_seconds = 1;         // what a call or a tile may take beyond that
  std::uint64_t memory_bytes = std::uint64_t(200) << 20;

  // Seconds that one picture may take.
  double picture_seconds(double num_pixels, double num_features) const;
  // The same limits with the seconds times `patience`.
  WorkerBudget times(double patience) const {
    return {patience * init_seconds, patience * pixel_seconds, patience * feature_seconds,
            patience * bank_seconds, memory_bytes};
  }
};

// How long a request may take.
struct RequestLimits {
  double call_seconds = 0;         // one call of the plugin
  double total_seconds = 0;        // until the reply
  const StopFlag* stop = nullptr;  // raised: the worker is ended at once; null: nobody stops it
};

// The end of a request without a reply.
struct WorkerEnd {
  std::string call;          // in progress: one of kWorkerCalls
  std::uint32_t image = 0;   // of the tile
  std::string end;           // in words: "signal 11 (SEGV)"
  std::string errors;        // the last that it wrote to stderr
  bool was_killed = false;   // by SIGKILL, and not by us
  bool was_stopped = false;  // by us, for RequestLimits::stop
};

// A reply that has been read.
struct WorkerAnswer {
  WorkerReply reply;
  WorkerWords words = {};

  // The error that it tells of, as an error of the heuristic (kInput).
  Status status() const { return words.error ? Status(Error{ErrorKind::kInput, *words.error}) : Done{}; }
};

// The reply to a request that a worker's message is; nothing where it is none. Words that cannot be read are
// its error. output: the block, which the worker may change all the while.
std::optional<WorkerAnswer> read_answer(std::span<const std::byte> message, const WorkerRequest& request,
                                        std::span<const std::byte> output);
// The call and the image that a worker is in.
WorkerEnd read_place(std::span<const std::byte> output);

// A worker with one plugin, as its host sees it. The input is written before ask, the results are read after.
class PluginWorker {
 public:
  virtual ~PluginWorker() = default;
  virtual std::span<std::byte> input() = 0;
  // The values of the images that a reply says are done, or, once it has ended, of those before the one it
  // ended in.
  virtual std::span<const float> results(std::size_t num_values) = 0;
  // Nothing once it has ended; end() then says why.
  virtual std::optional<WorkerAnswer> ask(const WorkerRequest& request, const RequestLimits& limits) = 0;
  virtual const WorkerEnd& end() const = 0;
  // Seconds of processor time that it has taken, of all its threads; 0 where nobody counts them.
  virtual double processor_seconds() const { return 0; }
};

// plugin: a sealed file. Errors (kFailure): no worker program, no process, no memory; it does not start.
using StartWorker = std::function<Result<std::unique_ptr<PluginWorker>>(
    const OwnedDescriptor& plugin, const WorkerBudget& budget, const WorkerPlace& place)>;

// One worker process.
//
//   1. start runs it, up to its first word: no code of the plugin has run.
//   2. ask, as worker_messages.hpp has it.
//   3. Once ask has given no answer the worker is gone.
//   4. The destructor ends it.
class HeuristicWorker final : public PluginWorker {
 public:
  // A StartWorker.
  static Result<std::unique_ptr<PluginWorker>> start(const OwnedDescriptor& plugin,
                                                     const WorkerBudget& budget, const WorkerPlace& place);

  std::span<std::byte> input() override { return input_.bytes(); }
  std::span<const float> results(std::size_t num_values) override {
    return results_in(output_.bytes(), num_values);
  }
  std::optional<WorkerAnswer> ask(const WorkerRequest& request, const RequestLimits& limits) override;
  const WorkerEnd& end() const override { return end_; }
  double processor_seconds() const override { return processor_seconds_of(pid_); }

 private:
  class Watch;

  // The process, which has said nothing yet.
  static Result<std::unique_ptr<HeuristicWorker>> launch(const OwnedDescriptor& plugin,
                                                         const WorkerBudget& budget,
                                                         const WorkerPlace& place);
  HeuristicWorker(ChildProcess process, bool is_boxed, OwnedDescriptor channel, SharedBlock input,
                  SharedBlock output);
  Status hear_hello();
  const WorkerStatus& status() const {
    return *reinterpret_cast<const WorkerStatus*>(output_.bytes().data());
  }
  // Notes why there is no answer, and ends the process. how: "" where it ended by itself.
  std::nullopt_t give_up(std::string how);

  ChildProcess process_;
  bool is_boxed_;
  OwnedDescriptor channel_;
  SharedBlock input_, output_;
  int pid_ = 0;  // of the worker, which a box makes another than the process that was started
  WorkerEnd end_;
};

}  // namespace mash
