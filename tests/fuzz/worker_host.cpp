// SPDX-License-Identifier: Apache-2.0
//
// The host's end of the protocol (framework/isolation/worker_messages.hpp): a worker that says anything. An
// input is its answers, one after the other: how many bytes of message and of text, then the message, where
// it says that it is, the text, and one value that all its results are. Where there are no more it has ended.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "framework/extractors/parameters.hpp"
#include "framework/extractors/plugin.hpp"
#include "framework/extractors/plugin_file.hpp"
#include "framework/isolation/heuristic_json.hpp"
#include "framework/isolation/isolated_host.hpp"
#include "tests/fuzz/target.hpp"

namespace mash::fuzz {
namespace {

constexpr std::uint32_t kSide = 8;

// An answer as the input has it.
struct AnswerHead {
  std::uint16_t message_bytes = sizeof(WorkerReply);
  std::uint16_t text_bytes = 0;
  std::uint32_t call = 0, image = 0;
  float value = 0;
};

const SharedBlock& block_of(WorkerMay may) {
  static const SharedBlock input = *SharedBlock::make(kInputBytes, WorkerMay::kRead),
                           output = *SharedBlock::make(kOutputBytes, WorkerMay::kWrite);
  return may == WorkerMay::kRead ? input : output;
}

class FakeWorker final : public PluginWorker {
 public:
  explicit FakeWorker(std::string_view& answers) : answers_(answers) {}

  std::span<std::byte> input() override { return block_of(WorkerMay::kRead).bytes(); }
  std::span<const float> results(std::size_t num_values) override { return results_in(output_, num_values); }
  const WorkerEnd& end() const override { return end_; }

  std::optional<WorkerAnswer> ask(const WorkerRequest& request, const RequestLimits&) override {
    std::optional<WorkerAnswer> answer;
    AnswerHead head;
    if (answers_.size() >= sizeof head) {
      std::memcpy(&head, cut(sizeof head).data(), sizeof head);
      auto* status = reinterpret_cast<WorkerStatus*>(output_.data());
      status->call = head.call;
      status->image = head.image;
      const std::string_view message = cut(head.message_bytes), text = cut(head.text_bytes);
      std::memcpy(output_.data() + kTextOffset, text.data(), text.size());
      if (request.kind == WorkerRequest::kExtract)
        std::ranges::fill(results_in(output_, request.images.count * request.row_width), head.value);
      answer = read_answer(std::as_bytes(std::span(message)), request, output_);
    }
    if (!answer) {
      end_ = read_place(output_);
      end_.end = "it has no more to say";
    }
    return answer;
  }

 private:
  std::string_view cut(std::size_t size) {
    const std::string_view piece = answers_.substr(0, size);
    answers_.remove_prefix(piece.size());
    return piece;
  }

  std::string_view& answers_;  // of all workers of a host
  std::span<std::byte> output_ = block_of(WorkerMay::kWrite).bytes();
  WorkerEnd end_;
};

class Listener final : public Remarks {
 public:
  void warn(std::string_view text) override { MASH_PROMISE(is_utf8(text)); }
  void tell(std::string_view text) override { MASH_PROMISE(is_utf8(text)); }
};

// Two pictures: their values are finite or NaN, and untouched from the first on that is not done.
bool extract(HeuristicInstance& instance, std::uint32_t dim) {
  constexpr float kUntouched = -7;
  const std::vector<std::uint8_t> samples(kSide * kSide, 100);
  const mash_plane_t plane{samples.data(), kSide, 1};
  const mash_image_t image{sizeof(mash_image_t), 1, kSide, kSide, plane, plane, plane, plane};
  const std::vector<mash_image_t> images(2, image);
  std::vector<float> out(images.size() * dim, kUntouched);
  const mash_view_t view{0, 0, kSide, kSide};
  const TileResult result = instance.extract({images, {&view, 1}}, {}, out);
  MASH_PROMISE(result.num_done <= images.size());
  MASH_PROMISE(result.num_done == images.size() || !result.status.ok());
  MASH_PROMISE(std::ranges::none_of(out, [](float value) { return std::isinf(value); }));
  const auto not_done = std::span(out).subspan(result.num_done * dim);
  MASH_PROMISE(std::ranges::all_of(not_done, [](float value) { return value == kUntouched; }));
  for (const Fault& fault : instance.first_faults()) MASH_PROMISE(is_utf8(fault.message));
  if (result.status.ok()) return true;
  MASH_PROMISE(is_utf8(result.status.error().message));
  return false;
}

const PluginFile& seed_file() {
  static const PluginFile file = *read_plugin_file(MASH_SEED);
  return file;
}

std::string answer(const WorkerReply& reply, std::string_view text) {
  AnswerHead head;
  head.text_bytes = std::uint16_t(text.size());
  std::string bytes(reinterpret_cast<const char*>(&head), sizeof head);
  bytes.append(reinterpret_cast<const char*>(&reply), sizeof reply);
  return bytes.append(text);
}

}  // namespace

bool take(std::string_view input) {
  constexpr std::uint32_t kMaxFeatures = 1 << 12;  // what is asked for; a worker may say more
  Listener listener;
  IsolationSettings settings;
  settings.isolation = Isolation::kProcess;
  IsolatedHost host(settings, listener, [&](const auto&, const auto&, const auto&) {
    return Result<std::unique_ptr<PluginWorker>>(std::make_unique<FakeWorker>(input));
  });
  const auto infos = host.describe(seed_file());
  bool is_all_done = is_taken(infos);
  for (std::size_t i = 0; infos.ok() && i < std::min<std::size_t>(infos->size(), 3); ++i) {
    const auto values = parameter_values((*infos)[i], {});
    if (!is_taken(values)) continue;
    const auto instance = host.open((*infos)[i], *values);
    MASH_PROMISE(instance.ok());
    const auto dim = (*instance)->dim({kSide, kSide});
    is_all_done = dim.ok() && extract(**instance, std::min(*dim, kMaxFeatures)) && is_all_done;
  }
  for (const Incident& incident : host.take_incidents())
    MASH_PROMISE(is_utf8(incident.call) && is_utf8(incident.end) && is_utf8(incident.errors));
  return is_all_done;
}

std::vector<std::string> seeds() {
  const auto infos = describe_in_process(seed_file());
  MASH_PROMISE(infos.ok());
  const nlohmann::json heuristics{{"heuristics", json_of(*infos)}};
  WorkerReply load, describe, create, dim, extract, destroy;
  describe.kind = WorkerRequest::kDescribe;
  describe.text_bytes = std::uint32_t(heuristics.dump().size());
  create.kind = WorkerRequest::kCreate;
  dim.kind = WorkerRequest::kDim;
  dim.dim = kSide * kSide;
  extract.kind = WorkerRequest::kExtract;
  extract.num_done = 2;
  const std::string said = R"({"log": ["a line"]})";
  WorkerReply talkative = extract;
  talkative.num_faults = 1;
  talkative.text_bytes = std::uint32_t(said.size());
  destroy.kind = WorkerRequest::kDestroy;
  const std::string begin =
      answer(load, "") + answer(describe, heuristics.dump()) + answer(create, "") + answer(dim, "");
  return {begin + answer(extract, "") + answer(destroy, ""),
          begin + answer(talkative, said) + answer(destroy, "")};
}

}  // namespace mash::fuzz
