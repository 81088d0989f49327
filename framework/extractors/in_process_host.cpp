// SPDX-License-Identifier: Apache-2.0
#include "framework/extractors/in_process_host.hpp"

#include <algorithm>

#include "framework/extractors/guard.hpp"
#include "framework/extractors/plugin_file.hpp"

namespace mash {
namespace {

// The guard's calls put together as extraction wants them.
class InProcessInstance final : public HeuristicInstance {
 public:
  explicit InProcessInstance(std::unique_ptr<GuardedHeuristic> heuristic)
      : heuristic_(std::move(heuristic)) {}

  Result<std::uint32_t> dim(mash_size_t view_size) override { return heuristic_->dim(view_size); }

  TileResult extract(const ImageTile& tile, std::span<const std::uint32_t> indices,
                     std::span<float> out) override {
    const std::size_t width = tile.images.empty() ? 0 : out.size() / tile.images.size();
    TileResult result;
    for (const mash_image_t& image : tile.images) {
      result.status = extract_row(image, tile.view, indices, out.subspan(result.num_done * width, width));
      if (!result.status.ok()) return result;
      ++result.num_done;
    }
    return result;
  }

  std::uint64_t num_faults() const override { return heuristic_->num_faults(); }
  std::span<const Fault> first_faults() const override { return heuristic_->first_faults(); }

 private:
  Status extract_row(const mash_image_t& image, const mash_view_t& view,
                     std::span<const std::uint32_t> indices, std::span<float> row) {
    MASH_TRY(heuristic_->prepare(image, view));
    const Status computed = heuristic_->compute(indices, row);
    const Status released = heuristic_->release();
    return computed.ok() ? released : computed;
  }

  std::unique_ptr<GuardedHeuristic> heuristic_;
};

}  // namespace

Result<std::unique_ptr<HeuristicInstance>> open_in_process(std::shared_ptr<const Plugin> plugin,
                                                           std::size_t heuristic_idx,
                                                           std::span<const double> values, Remarks& remarks,
                                                           CallObserver* observer) {
  MASH_ASSIGN(auto guarded,
              GuardedHeuristic::create(std::move(plugin), heuristic_idx, values, remarks, observer));
  return std::unique_ptr<HeuristicInstance>(std::make_unique<InProcessInstance>(std::move(guarded)));
}

Result<std::unique_ptr<HeuristicInstance>> InProcessHost::open(const HeuristicInfo& info,
                                                               std::span<const double> values) {
  MASH_ASSIGN(const std::shared_ptr<const Plugin> plugin, plugin_of(info));
  const auto& infos = plugin->infos();
  const auto found = std::find_if(infos.begin(), infos.end(),
                                  [&](const HeuristicInfo& other) { return other.id == info.id; });
  if (found == infos.end())
    return input_error("heuristic '{}': {} has no heuristic of that name", info.id, info.plugin.string());
  const auto heuristic_idx = std::size_t(found - infos.begin());
  return open_in_process(plugin, heuristic_idx, values, remarks_);
}

Result<std::shared_ptr<const Plugin>> InProcessHost::plugin_of(const HeuristicInfo& info) {
  const std::lock_guard lock(mutex_);
  std::shared_ptr<const Plugin>& plugin = plugins_[{info.plugin.string(), info.plugin_sha256}];
  if (plugin != nullptr) return plugin;
  MASH_ASSIGN(const PluginFile file, read_plugin_again(info));
  auto loaded = Plugin::load(file);
  if (!loaded.ok())
    return loaded.error().at(fmt::format("heuristic '{}': {}", info.id, info.plugin.string()));
  plugin = *std::move(loaded);
  return plugin;
}

}  // namespace mash
