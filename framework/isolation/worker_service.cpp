// SPDX-License-Identifier: Apache-2.0
#include "framework/isolation/worker_service.hpp"

#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>

#include "framework/base/hash.hpp"
#include "framework/extractors/image_maps.hpp"
#include "framework/isolation/heuristic_json.hpp"
#include "framework/isolation/shared_block.hpp"
#include "framework/isolation/worker_process.hpp"
#include "framework/isolation/worker_words.hpp"

namespace mash {
namespace {

using Json = nlohmann::json;

std::uint32_t index_of_call(std::string_view call) {
  return std::uint32_t(std::find(kWorkerCalls.begin(), kWorkerCalls.end(), call) - kWorkerCalls.begin());
}

}  // namespace

class WorkerService::Calls final : public CallObserver {
 public:
  explicit Calls(std::span<std::byte> output) : status_(*new (output.data()) WorkerStatus{}) {}

  void begins(std::string_view call) override {
    if (call == "prepare") status_.image.store(num_prepared_++, std::memory_order_relaxed);
    status_.call.store(index_of_call(call), std::memory_order_relaxed);
    status_.beat.fetch_add(1, std::memory_order_release);
  }
  void begin_tile() { num_prepared_ = 0; }

 private:
  WorkerStatus& status_;
  std::uint32_t num_prepared_ = 0;
};

class WorkerService::Log final : public Remarks {
 public:
  explicit Log(Json& text) : text_(text) {}

  void warn(std::string_view text) override { tell(text); }
  void tell(std::string_view text) override {
    Json& lines = text_["log"];
    if (lines.size() < kMaxLogLines) lines.push_back(printable(text));
  }

 private:
  Json& text_;
};

WorkerService::WorkerService(std::span<const std::byte> input, std::span<std::byte> output, Load load,
                             const WorkerWalls& walls)
    : input_(input),
      output_(output),
      load_(std::move(load)),
      walls_(walls),
      calls_(std::make_unique<Calls>(output)),
      log_(std::make_unique<Log>(text_)) {}

WorkerService::~WorkerService() = default;

WorkerReply WorkerService::answer(const WorkerRequest& request) {
  WorkerReply reply;
  reply.kind = request.kind;
  if (const Status status = carry_out(request, reply); !status.ok()) {
    text_["error"] = with_word_on_walls(status.error().message, walls_);
  }
  calls_->begins("between calls");
  reply.text_bytes = write_text();
  return reply;
}

Status WorkerService::carry_out(const WorkerRequest& request, WorkerReply& reply) {
  if (request.kind == WorkerRequest::kLoad) return load();
  if (plugin_ == nullptr) return failure("a worker was asked before it has a plugin");
  if (request.kind == WorkerRequest::kDescribe) {
    text_["heuristics"] = json_of(plugin_->infos());
    return Done{};
  }
  if (request.kind == WorkerRequest::kCreate) return create(request);
  if (instance_ == nullptr) return failure("a worker was asked before it has an instance");
  switch (request.kind) {
    case WorkerRequest::kDim: {
      MASH_ASSIGN(reply.dim, instance_->dim(request.view_size));
      return Done{};
    }
    case WorkerRequest::kExtract: return extract(request, reply);
    case WorkerRequest::kDestroy: instance_ = nullptr; return Done{};
    default: return failure("a worker was asked for {}, which it does not know", request.kind);
  }
}

Status WorkerService::load() {
  if (plugin_ != nullptr) return failure("a worker was asked to load its plugin twice");
  calls_->begins("load");
  MASH_ASSIGN(plugin_, load_());
  return Done{};
}

Status WorkerService::create(const WorkerRequest& request) {
  const auto id = array_in<char>(input_, request.id);
  const auto values = array_in<double>(input_, request.values);
  if (!id || !values || instance_ != nullptr) return failure("a worker was asked for an impossible instance");
  const std::string_view name(id->data(), id->size());
  const auto& infos = plugin_->infos();
  const auto found =
      std::find_if(infos.begin(), infos.end(), [&](const HeuristicInfo& info) { return info.id == name; });
  if (found == infos.end()) return input_error("the plugin has no heuristic '{}'", name);
  num_faults_told_ = 0;
  MASH_ASSIGN(instance_, open_in_process(plugin_, std::size_t(found - infos.begin()), *values,
                                         request.num_cameras, *log_, calls_.get()));
  return Done{};
}

Result<std::vector<mash_image_t>> WorkerService::images_of(const WorkerRequest& request) const {
  const auto rows = array_in<InputImage>(input_, request.images);
  if (!rows) return failure("a worker was shown pictures that are not there");
  std::vector<mash_image_t> images;
  for (const InputImage& row : *rows) {
    const std::uint64_t num_pixels = std::uint64_t(row.width) * row.height;
    const std::uint64_t samples_of_each = row.num_channels == 3 ? 4 : 1;
    const bool is_sound = num_pixels > 0 && (row.num_channels == 1 || row.num_channels == 3) &&
                          num_pixels <= input_.size() &&
                          array_in<std::uint8_t>(input_, {row.offset, samples_of_each * num_pixels});
    if (!is_sound) return failure("a worker was shown a picture that is not there");
    const auto* gray = reinterpret_cast<const std::uint8_t*>(input_.data() + row.offset);
    const std::uint8_t* colour = gray + num_pixels;
    mash_image_t image{sizeof(mash_image_t), row.num_channels, row.width, row.height, {}, {}, {}, {}};
    const std::ptrdiff_t width = row.width;
    image.gray = image.red = image.green = image.blue = {gray, width, 1};
    if (row.num_channels == 3) {
      image.red = {colour, 3 * width, 3};
      image.green = {colour + 1, 3 * width, 3};
      image.blue = {colour + 2, 3 * width, 3};
    }
    images.push_back(image);
  }
  return images;
}

Status WorkerService::extract(const WorkerRequest& request, WorkerReply& reply) {
  const auto indices = array_in<std::uint32_t>(input_, request.indices);
  const auto frames = array_in<mash_frame_t>(input_, request.frames);
  MASH_ASSIGN(const std::vector<mash_image_t> images, images_of(request));
  if (!frames || (!frames->empty() && frames->size() != images.size()) || request.num_shown > images.size())
    return failure("a worker was shown sequences that are not there");
  const auto views = array_in<mash_view_t>(input_, request.views);
  if (!views) return failure("a worker was shown views that are not there");
  const ImageTile tile{images, *views, {}, *frames, request.num_shown};
  const std::span<std::byte> room = output_.subspan(kResultOffset);
  if (!indices || tile.num_wanted() * std::uint64_t(request.row_width) > room.size() / sizeof(float))
    return failure("a worker was asked for more values than there is room for");
  const std::span results = results_in(output_, tile.num_wanted() * request.row_width);
  calls_->begin_tile();
  const ImageMaps maps(images);
  const TileResult result = instance_->extract(tile, *indices, results);
  reply.num_done = std::uint32_t(result.num_done);
  add_faults(reply);
  return result.status;
}

void WorkerService::add_faults(WorkerReply& reply) {
  if (instance_->num_faults() == num_faults_told_) return;
  num_faults_told_ = instance_->num_faults();
  for (const Fault& fault : instance_->first_faults())
    if (reply.num_faults < kMaxFaultsTold) reply.faults[reply.num_faults++] = fault.note;
}

std::uint32_t WorkerService::write_text() {
  if (text_.is_null()) return 0;
  std::string text = text_.dump(-1, ' ', false, Json::error_handler_t::replace);
  text_ = nullptr;
  if (!check_json(text, kBoundsOfWords).ok())
    text = R"({"error": "it says more of itself than there is room for"})";
  std::copy(text.begin(), text.end(), reinterpret_cast<char*>(output_.data() + kTextOffset));
  return std::uint32_t(text.size());
}

namespace {

// Bytes of private memory that this process has, of libraries that it is linked with too; 0 where there is no
// /proc, as in a box.
[[maybe_unused]] std::uint64_t bytes_by_now() {
  std::ifstream file("/proc/self/statm");
  std::uint64_t num_pages = 0;
  for (int field = 0; field < 6; ++field)  // the last one: data and stack
    if (!(file >> num_pages)) return 0;
  return num_pages * std::uint64_t(::sysconf(_SC_PAGESIZE));
}

// Bounds what this process may use beyond what it has: bytes of private memory that can be written to, and in
// a box addresses too, for memory that was made read-only again is not counted by the first. Without a box
// libraries may reserve as many addresses as they like. Not with sanitizers, which need terabytes.
void limit_memory(const WorkerStart& start) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  (void)start;
#else
  constexpr std::uint64_t kOwn = std::uint64_t(32) << 20;         // more than a worker needs without a plugin
  constexpr std::uint64_t kLibraries = std::uint64_t(512) << 20;  // addresses: OpenCV's take half of them
  const rlim_t bytes = bytes_by_now() + kOwn + start.memory_bytes,
               addresses = bytes + kInputBytes + kOutputBytes + kLibraries;
  const rlimit limit_of_bytes{bytes, bytes}, limit_of_addresses{addresses, addresses};
  ::setrlimit(RLIMIT_DATA, &limit_of_bytes);
  if (start.is_boxed != 0) ::setrlimit(RLIMIT_AS, &limit_of_addresses);
#endif
}

// The plugin that this worker was given.
Result<std::shared_ptr<const Plugin>> load_given(const WorkerStart& start, const WorkerWalls& walls) {
  std::string content;
  std::array<char, 1 << 16> piece;
  for (ssize_t size;
       (size = ::pread(kPluginDescriptor, piece.data(), piece.size(), off_t(content.size()))) > 0;)
    content.append(piece.data(), std::size_t(size));
  limit_memory(start);
  const std::string hash = sha256(content);
  return load_behind_walls({"plugin", std::move(content), hash}, walls);
}

}  // namespace

void serve_heuristics() {
  WorkerStart start;
  if (::read(kChannelDescriptor, &start, sizeof start) != sizeof start) std::_Exit(1);
  const WorkerWalls walls{start.is_boxed != 0 ? Isolation::kBox : Isolation::kProcess};
  const auto input = SharedBlock::attach(kInputDescriptor, WorkerMay::kRead);
  const auto output = SharedBlock::attach(kOutputDescriptor, WorkerMay::kWrite);
  if (!input.ok() || !output.ok() || output->bytes().size() != kOutputBytes) std::_Exit(1);
  WorkerService service(
      input->bytes(), output->bytes(), [&] { return load_given(start, walls); }, walls);
  if (::write(kChannelDescriptor, &kWorkerHello, sizeof kWorkerHello) != sizeof kWorkerHello) std::_Exit(1);
  for (WorkerRequest request;;) {
    const ssize_t num_bytes = ::read(kChannelDescriptor, &request, sizeof request);
    if (num_bytes < 0 && errno == EINTR) continue;
    if (num_bytes < 0) std::_Exit(kLostChannel);
    if (num_bytes != sizeof request) std::_Exit(0);  // the host is done with this worker, or gone
    const WorkerReply reply = service.answer(request);
    if (::write(kChannelDescriptor, &reply, sizeof reply) != sizeof reply) std::_Exit(kLostChannel);
  }
}

}  // namespace mash
