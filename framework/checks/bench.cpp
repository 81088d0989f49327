// SPDX-License-Identifier: Apache-2.0
#include "framework/checks/bench.hpp"

#include <unistd.h>

#include <cstdlib>
#include <cstring>

#include "framework/base/file.hpp"
#include "framework/isolation/line_worker.hpp"

namespace mash::checks {
namespace {

// The environment in which memory from malloc holds this byte in a worker: glibc's malloc writes the
// complement of what it is told, a sanitizer's has settings of its own.
std::vector<std::string> fill_heap(std::uint8_t value) {
  const char* others = std::getenv("ASAN_OPTIONS");
  return {without_heap_caches(), fmt::format("MALLOC_PERTURB_={}", std::uint8_t(~value)),
          fmt::format("ASAN_OPTIONS={}{}malloc_fill_byte={}:max_malloc_fill_size=1048576",
                      others ? others : "", others ? ":" : "", value)};
}

// Leaves the byte where the next call will have its variables.
[[gnu::noinline]] void fill_stack(std::uint8_t value) {
  volatile std::uint8_t bytes[1 << 16];
  for (volatile std::uint8_t& byte : bytes) byte = value;
}

}  // namespace

std::string without_heap_caches() {
  const char* others = std::getenv("GLIBC_TUNABLES");
  return fmt::format("GLIBC_TUNABLES={}{}glibc.malloc.tcache_count=0", others ? others : "",
                     others ? ":" : "");
}

nlohmann::json CheckTarget::to_json() const {
  return {{"plugin", plugin.string()},
          {"heuristic_idx", heuristic_idx},
          {"seed", seed},
          {"num_cycles", num_cycles},
          {"time_limit_s", time_limit_s}};
}

CheckTarget CheckTarget::from_json(const nlohmann::json& json) {
  return {json.at("plugin").get<std::string>(), json.at("heuristic_idx"), json.at("seed"),
          json.at("num_cycles"), json.at("time_limit_s")};
}

Status Bench::load() {
  if (plugin_ != nullptr) return Done{};
  MASH_ASSIGN(plugin_, Plugin::load(target_.plugin));
  return Done{};
}

std::vector<double> Bench::default_values() const {
  std::vector<double> values;
  for (const ParameterInfo& parameter : info().parameters) values.push_back(parameter.default_value);
  return values;
}

Result<std::unique_ptr<Runner>> Bench::open() const {
  MASH_ASSIGN(auto runner, Runner::create(functions(), default_values()));
  if (runner == nullptr) return input_error("create refuses the default parameters with MASH_UNSUPPORTED");
  return runner;
}

Result<std::vector<mash_size_t>> Bench::supported(std::span<const mash_size_t> sizes) const {
  MASH_ASSIGN(const auto runner, open());
  std::vector<mash_size_t> taken;
  for (const mash_size_t size : sizes) {
    MASH_ASSIGN(const auto dim, runner->try_dim(size));
    if (dim) taken.push_back(size);
  }
  return taken;
}

Result<mash_size_t> Bench::usual_size() {
  if (usual_size_) return *usual_size_;
  constexpr mash_size_t kCandidates[] = {{28, 28}, {32, 32}, {16, 16},  {8, 8},     {64, 64},
                                         {96, 96}, {4, 4},   {64, 128}, {128, 128}, {256, 256}};
  MASH_ASSIGN(const auto runner, open());
  for (const mash_size_t size : kCandidates) {
    MASH_ASSIGN(const auto dim, runner->try_dim(size));
    if (!dim) continue;
    usual_size_ = size;
    return size;
  }
  return input_error("dim refuses every size that was tried, from 4x4 to 256x256, with MASH_UNSUPPORTED");
}

Result<std::vector<Pixels>> Bench::usual_pictures(std::size_t count) {
  MASH_ASSIGN(const mash_size_t size, usual_size());
  std::vector<Pixels> pictures;
  for (std::size_t i = 0; i < count; ++i) pictures.push_back(textured(seed(), i, size, i % 2 == 0 ? 1 : 3));
  return pictures;
}

Result<std::vector<float>> Bench::features_here(std::optional<std::uint8_t> fill) {
  MASH_ASSIGN(auto pictures, usual_pictures(4));
  if (fill) {
    // Where a heuristic finds nothing to write down, its memory stays as it was.
    MASH_ASSIGN(const mash_size_t size, usual_size());
    for (const int value : {0, 128, 255}) pictures.push_back(flat(std::uint8_t(value), size));
    for (std::size_t i = 0; i < 4; ++i) pictures.push_back(digit(seed(), i, size));
    pictures.push_back(checkerboard(2, size));
  }
  if (fill) fill_stack(*fill);
  MASH_ASSIGN(const auto runner, open());
  std::vector<float> all;
  for (const Pixels& pixels : pictures) {
    const Picture picture(pixels);
    MASH_ASSIGN(const std::uint32_t dim, runner->dim(picture.size()));
    std::vector<float> values(dim);
    if (fill) fill_stack(*fill);
    MASH_TRY(runner->prepare(picture));
    MASH_TRY(runner->compute({}, values));
    if (fill) {
      // The first call allocates, which leaves addresses on the stack.
      fill_stack(*fill);
      MASH_TRY(runner->compute({}, values));
    }
    MASH_TRY(runner->release());
    all.insert(all.end(), values.begin(), values.end());
  }
  return all;
}

Result<std::vector<float>> Bench::features_elsewhere(const std::vector<std::string>& variables,
                                                     std::optional<std::uint8_t> fill) const {
  // In $TMPDIR, which is the worker's own and goes with it.
  const std::filesystem::path file = std::filesystem::temp_directory_path() / "features";
  nlohmann::json request = target_.to_json();
  request["mode"] = "features";
  request["file"] = file.string();
  std::vector<std::string> all_variables = variables;
  if (fill) {
    request["fill"] = *fill;
    const auto filled = fill_heap(*fill);
    all_variables.insert(all_variables.end(), filled.begin(), filled.end());
  }
  // Where this worker is in a box, so is that one.
  MASH_ASSIGN(auto worker,
              LineWorker::start({.arguments = {request.dump()}, .variables = std::move(all_variables)}, {}));
  std::string line;      // it writes one where it fails
  const StopFlag never;  // this is a worker too, and is ended with what it has started
  switch (worker.next_line(line, target_.time_limit_s, never)) {
    case LineWorker::Event::kStopped:
    case LineWorker::Event::kTimeout: return failure("the other process does not end");
    case LineWorker::Event::kLine: {
      const auto answer = nlohmann::json::parse(line, nullptr, false);
      return failure("in another process: {}", answer.is_object() ? answer.value("error", line) : line);
    }
    case LineWorker::Event::kEnd: break;
  }
  const std::string end = worker.how_it_ended();
  if (!worker.crash().empty()) return failure("crash: {} in another process", worker.crash());
  std::error_code code;
  if (!end.empty() || !std::filesystem::exists(file, code))
    return failure("ended the process: {} in another process", end.empty() ? "exit code 0" : end);
  MASH_ASSIGN(const std::string bytes, read_file(file));
  std::vector<float> values(bytes.size() / sizeof(float));
  std::memcpy(values.data(), bytes.data(), values.size() * sizeof(float));
  return values;
}

}  // namespace mash::checks
