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
#include "framework/isolation/worker_walls.hpp"

namespace mash {

// The work on a request: the plugin's side of worker_messages.hpp, without the socket.
class WorkerService {
 public:
  // Loads the plugin when it is asked to.
  using Load = std::function<Result<std::shared_ptr<const Plugin>>()>;

  // output: kOutputBytes. Both outlive this. walls: those of this process.
  WorkerService(std::span<const std::byte> input, std::span<std::byte> output, Load load,
                const WorkerWalls& walls = {});
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
  WorkerWalls walls_;
  std::unique_ptr<Calls> calls_;
  std::unique_ptr<Log> log_;
  std::shared_ptr<const Plugin> plugin_;
  std::unique_ptr<HeuristicInstance> instance_;
  std::uint64_t num_faults_told_ = 0;
  nlohmann::json text_;
};

// The program mash-worker for a host: reads WorkerStart, then answers requests, on kChannelDescriptor until
// that is closed.
[[noreturn]] void serve_heuristics();

}  // namespace mash
