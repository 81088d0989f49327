// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <vector>

#include "framework/base/work_context.hpp"
#include "framework/extractors/host.hpp"
#include "framework/extractors/plugin_file.hpp"
#include "framework/isolation/heuristic_worker.hpp"
#include "framework/isolation/isolation.hpp"

namespace mash {

// How workers run.
struct IsolationSettings {
  Isolation isolation = Isolation::kByOrigin;
  WorkerBudget budget = {};
  std::filesystem::path cache =
      {};  // a folder, made if need be: what plugins said before; empty: none is kept
  // A plugin that does not belong to this program is looked at in a worker, also where its code is to run in
  // this process: nobody has checked it yet.
  bool is_wary = false;
};

// Runs heuristics in worker processes: each instance has one of its own, which goes back to the host for the
// next instance of the same plugin. A heuristic that ends its worker, or takes more than its budget, costs
// itself the image and nobody anything else: the next call of the instance starts another worker.
class IsolatedHost final : public HeuristicHost {
 public:
  // remarks: hear what heuristics log, and of those that end their worker when they are destroyed; outlive
  // the host and its instances. start: starts its workers.
  // REQUIRES: settings.isolation is kProcess or kBox.
  IsolatedHost(const IsolationSettings& settings, Remarks& remarks,
               StartWorker start = &HeuristicWorker::start);
  ~IsolatedHost() override;

  // The heuristics of a plugin. stop: raised, its worker is ended at once (kStopped); null: nobody stops it.
  // Errors (kInput): it is refused; why. [any thread]
  Result<std::vector<HeuristicInfo>> describe(const PluginFile& file, const StopFlag* stop = nullptr);

  Result<std::unique_ptr<HeuristicInstance>> open(const HeuristicInfo& info, std::span<const double> values,
                                                  std::uint32_t num_cameras = 1) override;
  void rest() override;
  std::vector<Incident> take_incidents() override;

 private:
  class Instance;
  class Pool;  // of workers; instances may outlive the host

  std::shared_ptr<Pool> pool_;
};

}  // namespace mash
