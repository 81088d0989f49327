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
  InProcessInstance(std::unique_ptr<GuardedHeuristic> heuristic, std::uint32_t looks_back)
      : heuristic_(std::move(heuristic)), looks_back_(looks_back) {}

  Result<std::uint32_t> dim(mash_size_t view_size) override { return heuristic_->dim(view_size); }

  std::uint64_t num_faults() const override { return heuristic_->num_faults(); }
  std::span<const Fault> first_faults() const override { return heuristic_->first_faults(); }

 private:
  TileResult do_extract(const ImageTile& whole, std::span<const std::uint32_t> indices,
                        std::span<float> out) override {
    TileResult result;
    if (whole.num_wanted() == 0) return result;
    const ImageTile tile = whole.from(0, looks_back_);
    const std::size_t width = out.size() / tile.num_wanted();
    mash_frame_t frame{};
    for (std::size_t i = 0; i < tile.images.size(); ++i) {
      if (is_stopped()) {
        result.status = stopped_by_user();
        return result;
      }
      frame = frame_of(tile, i, frame);
      if (i < tile.num_shown) {
        show(tile, i, frame);
        continue;
      }
      result.status = extract_row(tile, i, frame, indices, out.subspan(result.num_done * width, width));
      if (!result.status.ok()) return result;
      ++result.num_done;
    }
    return result;
  }

  Status do_begin_image(const ImageTile& whole) override {
    const ImageTile tile = whole.from(0, looks_back_);
    mash_frame_t frame{};
    for (std::size_t i = 0; i < tile.num_shown; ++i) {
      frame = frame_of(tile, i, frame);
      show(tile, i, frame);
    }
    frame = frame_of(tile, tile.num_shown, frame);
    return heuristic_->prepare(tile.images[tile.num_shown], tile.view_of(tile.num_shown), frame);
  }
  Status do_more(const ImageTile&, std::span<const std::uint32_t> indices, std::span<float> out) override {
    return heuristic_->compute(indices, out);
  }
  Status do_end_image() override { return heuristic_->release(); }

  // The frame of image i. before: that of the one before.
  mash_frame_t frame_of(const ImageTile& tile, std::size_t i, const mash_frame_t& before) const {
    if (tile.frames.empty()) return kAlone;
    const bool goes_on = i > 0 && tile.frames[i].num_before > 0;
    const bool is_last = i + 1 == tile.images.size() || tile.frames[i + 1].num_before == 0;
    return {goes_on ? std::min(before.num_before + 1, looks_back_) : 0, tile.frames[i].camera, is_last};
  }

  // An image that the heuristic fails on here counts as shown.
  void show(const ImageTile& tile, std::size_t i, const mash_frame_t& frame) {
    if (heuristic_->prepare(tile.images[i], tile.view_of(i), frame).ok()) (void)heuristic_->release();
  }

  Status extract_row(const ImageTile& tile, std::size_t i, const mash_frame_t& frame,
                     std::span<const std::uint32_t> indices, std::span<float> row) {
    MASH_TRY(heuristic_->prepare(tile.images[i], tile.view_of(i), frame));
    const Status computed = heuristic_->compute(indices, row);
    const Status released = heuristic_->release();
    return computed.ok() ? released : computed;
  }

  std::unique_ptr<GuardedHeuristic> heuristic_;
  std::uint32_t looks_back_;
};

}  // namespace

Result<std::unique_ptr<HeuristicInstance>> open_in_process(std::shared_ptr<const Plugin> plugin,
                                                           std::size_t heuristic_idx,
                                                           std::span<const double> values,
                                                           std::uint32_t num_cameras, Remarks& remarks,
                                                           CallObserver* observer) {
  const std::uint32_t looks_back = plugin->infos()[heuristic_idx].looks_back;
  MASH_ASSIGN(auto guarded, GuardedHeuristic::create(std::move(plugin), heuristic_idx, values, num_cameras,
                                                     remarks, observer));
  return std::unique_ptr<HeuristicInstance>(
      std::make_unique<InProcessInstance>(std::move(guarded), looks_back));
}

Result<std::unique_ptr<HeuristicInstance>> InProcessHost::open(const HeuristicInfo& info,
                                                               std::span<const double> values,
                                                               std::uint32_t num_cameras) {
  MASH_ASSIGN(const std::shared_ptr<const Plugin> plugin, plugin_of(info));
  const auto& infos = plugin->infos();
  const auto found = std::find_if(infos.begin(), infos.end(),
                                  [&](const HeuristicInfo& other) { return other.id == info.id; });
  if (found == infos.end())
    return input_error("heuristic '{}': {} has no heuristic of that name", info.id, info.plugin.string());
  const auto heuristic_idx = std::size_t(found - infos.begin());
  return open_in_process(plugin, heuristic_idx, values, num_cameras, remarks_);
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
