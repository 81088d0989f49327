// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "framework/base/work_context.hpp"
#include "framework/extractors/guard.hpp"
#include "framework/extractors/host.hpp"
#include "framework/extractors/plugin.hpp"

namespace mash {

// An instance of a plugin that is loaded in this process. values, num_cameras, remarks, observer: as of
// GuardedHeuristic::create. Errors: the heuristic's own.
Result<std::unique_ptr<HeuristicInstance>> open_in_process(std::shared_ptr<const Plugin> plugin,
                                                           std::size_t heuristic_idx,
                                                           std::span<const double> values,
                                                           std::uint32_t num_cameras, Remarks& remarks,
                                                           CallObserver* observer = nullptr);

// Runs heuristics in this process, with all its rights: for plugins that the user trusts.
class InProcessHost final : public HeuristicHost {
 public:
  // remarks: hear what heuristics log; outlive the host and its instances.
  explicit InProcessHost(Remarks& remarks) : remarks_(remarks) {}

  Result<std::unique_ptr<HeuristicInstance>> open(const HeuristicInfo& info, std::span<const double> values,
                                                  std::uint32_t num_cameras = 1) override;

 private:
  // The plugin that `info` was read from, loaded now unless it is already.
  Result<std::shared_ptr<const Plugin>> plugin_of(const HeuristicInfo& info);

  Remarks& remarks_;
  std::mutex mutex_;
  // By file and content. A plugin stays loaded as long as the host or an instance needs it.
  std::map<std::pair<std::string, std::string>, std::shared_ptr<const Plugin>> plugins_;
};

}  // namespace mash
