// SPDX-License-Identifier: Apache-2.0
//
// The worker's end of the protocol (framework/isolation/worker_messages.hpp): any requests, in any order,
// over any input, with a plugin that is in order. An input is a byte that says how many requests there are,
// these, and the block that they speak of.
#include <algorithm>
#include <cstring>
#include <iterator>

#include "framework/extractors/parameters.hpp"
#include "framework/extractors/plugin.hpp"
#include "framework/isolation/heuristic_worker.hpp"
#include "framework/isolation/shared_block.hpp"
#include "framework/isolation/worker_service.hpp"
#include "tests/fuzz/target.hpp"

namespace mash::fuzz {
namespace {

const std::shared_ptr<const Plugin>& seed_plugin() {
  static const std::shared_ptr<const Plugin> plugin = *Plugin::load(std::filesystem::path(MASH_SEED));
  return plugin;
}

std::span<std::byte> output_block() {
  static const SharedBlock block = *SharedBlock::make(kOutputBytes, WorkerMay::kWrite);
  return block.bytes();
}

// The text of a reply is one that the host would take, and tells of no more than there was.
bool is_answered(const WorkerRequest& request, const WorkerReply& reply) {
  const auto message = std::as_bytes(std::span(&reply, 1));
  const auto answer = read_answer(message, request, output_block());
  MASH_PROMISE(answer.has_value());
  MASH_PROMISE(!answer->words.error || !answer->words.error->starts_with("its worker's words"));
  if (request.kind == WorkerRequest::kExtract) {
    // Where more are shown than there are, the request is refused.
    const std::uint64_t num_wanted =
        request.images.count - std::min<std::uint64_t>(request.num_shown, request.images.count);
    MASH_PROMISE(reply.num_done <= num_wanted);
    MASH_PROMISE(reply.num_done == num_wanted || !answer->status().ok());
  }
  const Status status = answer->status();
  MASH_PROMISE(status.ok() || is_utf8(status.error().message));
  return status.ok();
}

template <class T>
InputArray append(std::string& block, std::span<const T> values) {
  block.resize((block.size() + alignof(T) - 1) / alignof(T) * alignof(T));
  const InputArray array{block.size(), values.size()};
  block.append(reinterpret_cast<const char*>(values.data()), values.size_bytes());
  return array;
}

}  // namespace

bool take(std::string_view input) {
  const std::size_t num_requests = input.empty() ? 0 : std::uint8_t(input[0]);
  if (input.size() < 1 + num_requests * sizeof(WorkerRequest)) return false;
  // Aligned, as a block of shared memory is.
  const std::string_view content = input.substr(1 + num_requests * sizeof(WorkerRequest));
  std::vector<std::max_align_t> storage(content.size() / sizeof(std::max_align_t) + 1);
  std::memcpy(storage.data(), content.data(), content.size());
  const std::span<const std::byte> block = std::as_bytes(std::span(storage)).first(content.size());
  WorkerService service(block, output_block(), [] { return Result(seed_plugin()); });
  bool are_all_answered = num_requests > 0;
  for (std::size_t i = 0; i < num_requests; ++i) {
    WorkerRequest request;
    std::memcpy(&request, input.data() + 1 + i * sizeof request, sizeof request);
    are_all_answered &= is_answered(request, service.answer(request));
  }
  return are_all_answered;
}

std::vector<std::string> seeds() {
  const HeuristicInfo& info = seed_plugin()->infos()[0];
  const auto values = parameter_values(info, {});
  MASH_PROMISE(values.ok());
  std::string block(16 * 16 + 4 * 16 * 16, '\x55');  // a grey picture, and one in colour
  WorkerRequest create, dim, extract;
  create.kind = WorkerRequest::kCreate;
  create.id = append(block, std::span<const char>(info.id));
  create.values = append(block, std::span<const double>(*values));
  dim.kind = WorkerRequest::kDim;
  dim.view_size = {16, 16};
  extract.kind = WorkerRequest::kExtract;
  extract.row_width = 3 * 16 * 16;  // of `identity`: red, green and blue of each pixel
  const mash_view_t views[] = {{0, 0, 16, 16}, {0, 0, 16, 16}};
  extract.views = append(block, std::span<const mash_view_t>(views).first(1));
  const InputImage images[] = {{0, 16, 16, 1, 0}, {256, 16, 16, 3, 0}};
  extract.images = append(block, std::span<const InputImage>(images));
  WorkerRequest some = extract;
  const std::uint32_t indices[] = {255, 0, 17};
  some.row_width = 3;
  some.indices = append(block, std::span<const std::uint32_t>(indices));
  WorkerRequest film = extract;
  const mash_frame_t frames[] = {{7, 0, 0}, {8, 1, 0}};
  film.frames = append(block, std::span<const mash_frame_t>(frames));
  film.num_shown = 1;
  film.views = append(block, std::span<const mash_view_t>(views));
  const auto of_kind = [](WorkerRequest::Kind kind) {
    WorkerRequest request;
    request.kind = kind;
    return request;
  };
  const WorkerRequest requests[] = {
      of_kind(WorkerRequest::kLoad),   of_kind(WorkerRequest::kDescribe), create, dim, extract, some, film,
      of_kind(WorkerRequest::kDestroy)};
  std::string seed(1, char(std::size(requests)));
  seed.append(reinterpret_cast<const char*>(requests), sizeof requests);
  return {seed + block};
}

}  // namespace mash::fuzz
