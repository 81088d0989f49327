// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "framework/base/work_context.hpp"
#include "framework/extractors/in_process_host.hpp"
#include "framework/isolation/worker_messages.hpp"

namespace mash {

// The work on a request: the plugin's side of worker_messages.hpp, without the socket.
class WorkerService {
 public:
  // Loads the plugin when it is asked to.
  using Load = std::function<Result<std::shared_ptr<const Plugin>>()>;

  // output: kOutputBytes. Both outlive this.
  WorkerService(std::span<const std::byte> input, std::span<std::byte> output, Load load);
  ~WorkerService();

  // Every request has a reply.
  WorkerReply answer(const WorkerRequest& request);

 private:
  // Notes in the output which call of the plugin is made.
  class Calls;
  // Keeps what the heuristic logs until the next reply.
  class Log;

  Status carry_out(const WorkerRequest& request, WorkerReply& reply);
  Status load();
  Status create(const WorkerRequest& request);
  Status extract(const WorkerRequest& request, WorkerReply& reply);
  Result<std::vector<mash_image_t>> images_of(const WorkerRequest& request) const;
  void add_faults(WorkerReply& reply);
  // Puts text_ into the output; gives its size.
  std::uint32_t write_text();

  std::span<const std::byte> input_;
  std::span<std::byte> output_;
  Load load_;
  std::unique_ptr<Calls> calls_;
  std::unique_ptr<Log> log_;
  std::shared_ptr<const Plugin> plugin_;
  std::unique_ptr<HeuristicInstance> instance_;
  std::uint64_t num_faults_told_ = 0;
  nlohmann::json text_;
};

// The program mash-worker for a host: answers requests on kChannelDescriptor until that is closed.
// memory_bytes: of private memory, what the plugin may use. is_boxed: it runs in a box (box.hpp), and may ask
// less and less of the kernel (system_calls.hpp).
[[noreturn]] void serve_heuristics(std::uint64_t memory_bytes, bool is_boxed);

}  // namespace mash
