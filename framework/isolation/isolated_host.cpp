// SPDX-License-Identifier: Apache-2.0
#include "framework/isolation/isolated_host.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <mutex>
#include <optional>
#include <set>

#include "framework/base/raw_values.hpp"
#include "framework/base/require.hpp"
#include "framework/base/scratch_folder.hpp"
#include "framework/extractors/guard.hpp"
#include "framework/isolation/box_layers.hpp"
#include "framework/isolation/plugin_notes.hpp"

namespace mash {
namespace {

constexpr std::size_t kMaxIdleWorkers = 64;
constexpr std::uint64_t kMaxBoxProcesses = 4096;  // each box has four
constexpr std::size_t kMaxIncidents = 1000;       // kept until somebody takes them

// At least what an image takes in a worker's input beside its samples; as much may be lost to align an array.
constexpr std::size_t kRowBytes = 64;
static_assert(sizeof(InputImage) + sizeof(mash_view_t) + sizeof(mash_frame_t) <= kRowBytes);

// Writes the parts of a request into a worker's input, one after the other.
class InputWriter {
 public:
  explicit InputWriter(std::span<std::byte> input) : input_(input) {}

  std::size_t room() const { return input_.size() - used_; }
  // REQUIRES: there is room.
  template <class T>
  InputArray add(std::span<const T> values) {
    constexpr std::size_t kAlignment = 64;
    const InputArray array{(used_ + kAlignment - 1) / kAlignment * kAlignment, values.size()};
    require(array.offset + values.size_bytes() <= input_.size(), "InputWriter::add: there is room");
    if (!values.empty()) std::memcpy(input_.data() + array.offset, values.data(), values.size_bytes());
    used_ = array.offset + values.size_bytes();
    return array;
  }
  // Room for some that are written later.
  std::span<std::uint8_t> reserve(std::size_t num_bytes, std::uint64_t& offset) {
    require(num_bytes <= room(), "InputWriter::reserve: there is room");
    offset = used_;
    used_ += num_bytes;
    return {reinterpret_cast<std::uint8_t*>(input_.data() + offset), num_bytes};
  }

 private:
  std::span<std::byte> input_;
  std::size_t used_ = 0;
};

std::size_t input_bytes(const mash_image_t& image) {
  return std::size_t(image.width) * image.height * (image.num_channels == 3 ? 4 : 1);
}

void copy_plane(const mash_plane_t& plane, const mash_image_t& image, std::uint8_t* out,
                std::ptrdiff_t stride) {
  for (std::uint32_t y = 0; y < image.height; ++y) {
    const std::uint8_t* row = plane.origin + std::ptrdiff_t(y) * plane.row_stride;
    if (plane.column_stride == 1 && stride == 1) {
      out = std::copy_n(row, image.width, out);
      continue;
    }
    for (std::uint32_t x = 0; x < image.width; ++x, out += stride) *out = row[x * plane.column_stride];
  }
}

// The samples of an image as InputImage has them.
void copy_samples(const mash_image_t& image, std::uint8_t* out) {
  copy_plane(image.gray, image, out, 1);
  if (image.num_channels != 3) return;
  out += std::size_t(image.width) * image.height;
  copy_plane(image.red, image, out, 3);
  copy_plane(image.green, image, out + 1, 3);
  copy_plane(image.blue, image, out + 2, 3);
}

}  // namespace

// State that instances share with their host, and may outlive it with.
class IsolatedHost::Pool {
 public:
  Pool(const IsolationSettings& settings, Remarks& remarks, StartWorker start)
      : settings_(settings), remarks_(remarks), start_(std::move(start)), notes_(settings.cache) {}

  const WorkerBudget& budget() const { return settings_.budget; }
  PluginNotes& notes() { return notes_; }

  // A worker that has loaded the plugin, and no instance. Its file is read where there is no such worker yet.
  // Errors (kInput): the plugin is refused, or is another file now.
  Result<std::unique_ptr<PluginWorker>> take(const HeuristicInfo& info, const StopFlag* stop) {
    if (auto idle = take_idle(info.plugin_sha256)) return idle;
    MASH_ASSIGN(const PluginFile file, read_plugin_again(info));
    return start(file, stop);
  }
  Result<std::unique_ptr<PluginWorker>> take(const PluginFile& file, const StopFlag* stop) {
    if (auto idle = take_idle(file.sha256)) return idle;
    return start(file, stop);
  }

  void give_back(const std::string& plugin_sha256, std::unique_ptr<PluginWorker> worker) {
    const std::lock_guard lock(mutex_);
    // Heuristics are asked one after the other, and then again in the same order: the oldest are wanted next.
    if (idle_.size() < kMaxIdleWorkers) idle_.emplace_back(plugin_sha256, std::move(worker));
  }

  void rest() {
    notes_.write();
    const std::lock_guard lock(mutex_);
    idle_.clear();
  }

  // The outcome of a request; no answer where the worker has ended.
  struct Asked {
    Status status;
    std::optional<WorkerAnswer> answer;
    bool was_killed = false;  // by somebody else
  };
  // A request that is not about pictures.
  Asked ask(PluginWorker& worker, const WorkerRequest& request, const std::string& heuristic,
            const StopFlag* stop = nullptr) {
    const double seconds = settings_.budget.init_seconds;
    auto answer = worker.ask(request, {seconds, seconds + settings_.budget.bank_seconds, stop});
    if (!answer)
      return {note_end(worker.end(), heuristic, std::nullopt), std::nullopt, worker.end().was_killed};
    hear_log(*answer, heuristic);
    return {answer->status(), std::move(answer)};
  }

  void hear_log(const WorkerAnswer& answer, const std::string& heuristic) {
    for (const std::string& line : answer.words.log) remarks_.tell(fmt::format("{}: {}", heuristic, line));
  }

  // One warning for all instances of a heuristic: their texts may differ by a time.
  void warn_once(const std::string& heuristic, const std::string& text) {
    {
      const std::lock_guard lock(mutex_);
      if (!warned_of_.insert(heuristic).second) return;
    }
    remarks_.warn(text);
  }

  // The error that a worker's end is.
  Error note_end(const WorkerEnd& end, const std::string& heuristic, std::optional<std::uint32_t> image) {
    if (end.was_stopped) return stopped_by_user();
    const std::lock_guard lock(mutex_);
    if (incidents_.size() < kMaxIncidents)
      incidents_.push_back({heuristic, end.call, image, end.end, end.errors});
    return input_error("heuristic '{}': {}{}: {}", heuristic, end.call,
                       image ? fmt::format(", image {}", *image) : "", end.end);
  }

  std::vector<Incident> take_incidents() {
    const std::lock_guard lock(mutex_);
    return std::exchange(incidents_, {});
  }

 private:
  // A worker that loads the plugin.
  Result<std::unique_ptr<PluginWorker>> start(const PluginFile& file, const StopFlag* stop) {
    MASH_ASSIGN(const std::shared_ptr<const OwnedDescriptor> plugin, sealed(file));
    MASH_ASSIGN(const WorkerPlace place, place_of_workers());
    for (int tries = 1;; ++tries) {
      MASH_ASSIGN(auto worker, start_(*plugin, settings_.budget, place));
      const Asked loaded = ask(*worker, {}, file.path.stem().string(), stop);
      if (loaded.status.ok()) return worker;
      if (!loaded.was_killed || tries == kWorkerTries) return loaded.status.error();
    }
  }

  std::unique_ptr<PluginWorker> take_idle(const std::string& plugin_sha256) {
    const std::lock_guard lock(mutex_);
    const auto found = std::find_if(idle_.rbegin(), idle_.rend(),
                                    [&](const auto& idle) { return idle.first == plugin_sha256; });
    if (found == idle_.rend()) return nullptr;
    auto worker = std::move(found->second);
    idle_.erase(std::next(found).base());
    return worker;
  }

  Result<std::shared_ptr<const OwnedDescriptor>> sealed(const PluginFile& file) {
    const std::lock_guard lock(mutex_);
    std::weak_ptr<const OwnedDescriptor>& kept = plugins_[file.sha256];
    if (auto plugin = kept.lock()) return plugin;
    MASH_ASSIGN(OwnedDescriptor made, sealed_file("mash-plugin", file.content));
    const auto plugin = std::make_shared<const OwnedDescriptor>(std::move(made));
    kept = plugin;
    return plugin;
  }

  Result<WorkerPlace> place_of_workers() {
    const std::lock_guard lock(mutex_);
    if (settings_.isolation == Isolation::kBox) {
      if (!std::exchange(has_tried_group_, true)) make_group();
      return WorkerPlace{Isolation::kBox, {}, group_ ? &*group_ : nullptr};
    }
    if (!scratch_) {
      MASH_ASSIGN(ScratchFolder made, ScratchFolder::make("workers"));
      scratch_.emplace(std::move(made));
    }
    return WorkerPlace{settings_.isolation, scratch_->path(), nullptr};
  }

  // For all boxes together; each has limits of its own.
  void make_group() {
    const auto memory_bytes =
        std::uint64_t(::sysconf(_SC_PHYS_PAGES)) * std::uint64_t(::sysconf(_SC_PAGESIZE));
    if (auto made = make_box_group({memory_bytes / 2, kMaxBoxProcesses})) group_.emplace(*std::move(made));
  }

  IsolationSettings settings_;
  Remarks& remarks_;
  StartWorker start_;
  PluginNotes notes_;
  std::mutex mutex_;
  bool has_tried_group_ = false;
  // Before idle_: both outlive the workers.
  std::optional<ControlGroup> group_;
  std::optional<ScratchFolder> scratch_;
  std::vector<std::pair<std::string, std::unique_ptr<PluginWorker>>> idle_;  // by plugin
  std::map<std::string, std::weak_ptr<const OwnedDescriptor>> plugins_;      // in memory, by SHA-256
  std::vector<Incident> incidents_;
  std::set<std::string> warned_of_;
};

class IsolatedHost::Instance final : public HeuristicInstance {
 public:
  Instance(std::shared_ptr<Pool> pool, const HeuristicInfo& info, std::span<const double> values,
           std::uint32_t num_cameras)
      : pool_(std::move(pool)),
        info_(info),
        values_(values.begin(), values.end()),
        num_cameras_(num_cameras) {}

  ~Instance() override {
    if (worker_ == nullptr) return;
    WorkerRequest request;
    request.kind = WorkerRequest::kDestroy;
    const Pool::Asked destroyed = pool_->ask(*worker_, request, info_.id);
    if (destroyed.status.ok())
      pool_->give_back(info_.plugin_sha256, std::move(worker_));
    else if (!destroyed.was_killed)  // the kernel kills a worker whose thread has ended
      pool_->warn_once(info_.id, destroyed.status.error().message);
  }

  // A worker with this instance, started now unless there is one.
  Status be_ready() {
    if (worker_ != nullptr) return Done{};
    for (int tries = 1;; ++tries) {
      MASH_ASSIGN(worker_, pool_->take(info_, stop()));
      InputWriter input(worker_->input());
      WorkerRequest request;
      request.kind = WorkerRequest::kCreate;
      request.id = input.add(std::span(std::as_const(info_.id)));
      request.values = input.add(std::span(std::as_const(values_)));
      request.num_cameras = num_cameras_;
      const Pool::Asked made = pool_->ask(*worker_, request, info_.id, stop());
      seconds_when_made_ = worker_->processor_seconds();
      if (made.status.ok()) return Done{};
      worker_ = nullptr;
      if (!made.was_killed || tries == kWorkerTries) return made.status;
    }
  }

  Result<std::uint32_t> dim(mash_size_t view_size) override {
    if (worker_ == nullptr)
      if (const auto known = pool_->notes().dim(info_, values_, view_size)) return *known;
    WorkerRequest request;
    request.kind = WorkerRequest::kDim;
    request.view_size = view_size;
    for (int tries = 1;; ++tries) {
      MASH_TRY(be_ready());
      const auto [status, answer, was_killed] = pool_->ask(*worker_, request, info_.id, stop());
      if (!answer) worker_ = nullptr;
      if (was_killed && tries < kWorkerTries) continue;
      MASH_TRY(status);
      const std::uint32_t found = answer->reply.dim;
      if (found == 0 || found > kMaxDim)
        return input_error("heuristic '{}': dim: its worker says {}", info_.id, found);
      pool_->notes().keep_dim(info_, values_, view_size, found);
      return found;
    }
  }

  double processor_seconds() const override {
    return worker_ == nullptr ? 0 : worker_->processor_seconds() - seconds_when_made_;
  }

  std::uint64_t num_faults() const override { return num_faults_; }
  std::span<const Fault> first_faults() const override { return first_faults_; }

 private:
  // Some images of a tile, as many as a worker has room for, and how far extraction came.
  struct Part {
    ImageTile tile;
    std::span<const std::uint32_t> indices;
    std::span<float> out;
    std::size_t num_done = 0;
    bool was_killed = false;
  };

  TileResult do_extract(const ImageTile& tile, std::span<const std::uint32_t> indices,
                        std::span<float> out) override {
    const std::size_t num_wanted = tile.num_wanted(), width = num_wanted == 0 ? 0 : out.size() / num_wanted;
    if (width > kResultBytes / sizeof(float))
      return {0, failure("heuristic '{}': {} values of a picture, at most {} fit", info_.id, width,
                         kResultBytes / sizeof(float))};
    TileResult result;
    int tries = 1;
    while (result.num_done < num_wanted) {
      const std::size_t first = result.num_done;
      Part part{tile.from(first, info_.looks_back), indices, out.subspan(first * width)};
      result.status = be_ready();
      if (result.status.ok()) result.status = extract_part(part, width);
      result.num_done += part.num_done;
      if (result.status.ok()) continue;
      if (!part.was_killed || tries++ == kWorkerTries) return result;
    }
    return result;
  }

  Status extract_part(Part& part, std::size_t width) {
    InputWriter input(worker_->input());
    WorkerRequest request;
    request.kind = WorkerRequest::kExtract;
    request.row_width = std::uint32_t(width);
    request.num_shown = std::uint32_t(part.tile.num_shown);
    request.indices = input.add(part.indices);
    MASH_ASSIGN(request.images, add_images(part, width, input));
    const auto num_images = std::size_t(request.images.count), num_shown = part.tile.num_shown,
               num_wanted = num_images - num_shown;
    const ImageTile sent = part.tile.first(num_images);
    request.views = input.add(sent.views);
    request.frames = add_frames(sent, input);
    const RequestLimits limits = limits_of(sent, width);
    const auto answer = worker_->ask(request, limits);
    const std::size_t last_image = std::min<std::size_t>(worker_->end().image, num_images - 1);
    part.num_done = answer ? std::min<std::size_t>(answer->reply.num_done, num_wanted)
                           : std::max(last_image, num_shown) - num_shown;
    take_results(part, num_wanted, width);
    if (!answer) {
      part.was_killed = worker_->end().was_killed;
      const auto& numbers = part.tile.numbers;
      const std::uint32_t number = numbers.empty() ? std::uint32_t(part.num_done) : numbers[last_image];
      Error error = pool_->note_end(worker_->end(), info_.id, number);
      worker_ = nullptr;
      return error;
    }
    pool_->hear_log(*answer, info_.id);
    note_faults(answer->reply);
    MASH_TRY(answer->status());
    if (part.num_done < num_wanted)
      return input_error("heuristic '{}': its worker left out pictures", info_.id);
    return Done{};
  }

  // Puts the first images of a part into the input: as many as it and the results have room for.
  Result<InputArray> add_images(const Part& part, std::size_t width, InputWriter& input) {
    const std::span<const mash_image_t> images = part.tile.images;
    const std::size_t num_shown = part.tile.num_shown;
    const std::size_t most = width == 0 ? images.size() : num_shown + kResultBytes / sizeof(float) / width;
    std::size_t count = 0, num_bytes = 0,
                room = input.room() - std::min(input.room(), kRowBytes * (images.size() + 4));
    for (; count < std::min(images.size(), most) && num_bytes + input_bytes(images[count]) <= room; ++count)
      num_bytes += input_bytes(images[count]);
    if (count <= num_shown)
      return failure("heuristic '{}': {} pictures of {}x{} pixels are too large for a worker", info_.id,
                     num_shown + 1, images[0].width, images[0].height);
    std::vector<InputImage> rows(count);
    for (std::size_t i = 0; i < count; ++i) {
      const mash_image_t& image = images[i];
      rows[i] = {0, image.width, image.height, image.num_channels == 3 ? 3u : 1u, 0};
      copy_samples(image, input.reserve(input_bytes(image), rows[i].offset).data());
    }
    return input.add(std::span(std::as_const(rows)));
  }

  // Where they stand in their sequences: no farther from the first than the heuristic looks back.
  InputArray add_frames(const ImageTile& tile, InputWriter& input) const {
    std::vector<mash_frame_t> frames;
    for (const mash_frame_t& frame : tile.frames)
      frames.push_back({std::min(frame.num_before, std::max(info_.looks_back, 1u)), frame.camera, 0});
    return input.add(std::span(std::as_const(frames)));
  }

  RequestLimits limits_of(const ImageTile& tile, std::size_t width) const {
    const WorkerBudget& budget = pool_->budget();
    double largest = 0, sum = 0;
    for (const mash_image_t& image : tile.images) {
      const double seconds = budget.picture_seconds(double(image.width) * image.height, double(width));
      largest = std::max(largest, seconds);
      sum += seconds;
    }
    return {budget.bank_seconds + largest, budget.bank_seconds + sum, stop()};
  }

  // The values of the images that are done, and those alone; what is not finite is a fault, even if the
  // worker says otherwise. num_wanted: of how many they were asked for.
  void take_results(const Part& part, std::size_t num_wanted, std::size_t width) {
    const std::span<float> out = part.out.first(part.num_done * width);
    fill_from_bytes(out, worker_->results(num_wanted * width).data());
    for (float& value : out)
      if (!std::isfinite(value)) {
        ++num_faults_;
        value = std::numeric_limits<float>::quiet_NaN();
      }
  }

  void note_faults(const WorkerReply& reply) {
    if (reply.num_faults == 0) return;
    first_faults_.clear();
    for (const FaultNote& fault : std::span(reply.faults).first(reply.num_faults))
      first_faults_.push_back({info_.id, "compute", words_of(fault), fault});
  }

  std::shared_ptr<Pool> pool_;
  HeuristicInfo info_;
  std::vector<double> values_;
  std::uint32_t num_cameras_;
  std::unique_ptr<PluginWorker> worker_;
  double seconds_when_made_ = 0;  // of the worker, when it had made the instance
  std::uint64_t num_faults_ = 0;
  std::vector<Fault> first_faults_;
};

IsolatedHost::IsolatedHost(const IsolationSettings& settings, Remarks& remarks, StartWorker start)
    : pool_(std::make_shared<Pool>(settings, remarks, std::move(start))) {}

IsolatedHost::~IsolatedHost() = default;

Result<std::vector<HeuristicInfo>> IsolatedHost::describe(const PluginFile& file, const StopFlag* stop) {
  auto known = pool_->notes().heuristics(file.sha256);
  for (int tries = 1; !known; ++tries) {
    MASH_ASSIGN(auto worker, pool_->take(file, stop));
    WorkerRequest request;
    request.kind = WorkerRequest::kDescribe;
    const auto [status, answer, was_killed] = pool_->ask(*worker, request, file.path.stem().string(), stop);
    if (was_killed && tries < kWorkerTries) continue;
    MASH_TRY(status);
    if (!answer->words.heuristics) return input_error("a worker named no heuristic");
    known = answer->words.heuristics;
    pool_->notes().keep(file.sha256, *known);
    pool_->give_back(file.sha256, std::move(worker));
  }
  for (std::size_t i = 0; i < known->size(); ++i) {
    HeuristicInfo& info = (*known)[i];
    info.plugin = file.path;
    info.plugin_sha256 = file.sha256;
    info.idx_in_plugin = i;
  }
  return *std::move(known);
}

Result<std::unique_ptr<HeuristicInstance>> IsolatedHost::open(const HeuristicInfo& info,
                                                              std::span<const double> values,
                                                              std::uint32_t num_cameras) {
  return std::unique_ptr<HeuristicInstance>(std::make_unique<Instance>(pool_, info, values, num_cameras));
}

void IsolatedHost::rest() { pool_->rest(); }

std::vector<Incident> IsolatedHost::take_incidents() { return pool_->take_incidents(); }

}  // namespace mash
