// SPDX-License-Identifier: Apache-2.0
#include "framework/checks/bench.hpp"

#include <unistd.h>

#include <cstring>

#include "framework/base/file.hpp"
#include "framework/isolation/worker_process.hpp"

namespace mash::checks {

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
  MASH_ASSIGN(const auto taken, supported(kCandidates));
  if (taken.empty())
    return input_error("dim refuses every size that was tried, from 4x4 to 256x256, with MASH_UNSUPPORTED");
  usual_size_ = taken.front();
  return *usual_size_;
}

Result<std::vector<Pixels>> Bench::usual_pictures(std::size_t count) {
  MASH_ASSIGN(const mash_size_t size, usual_size());
  std::vector<Pixels> pictures;
  for (std::size_t i = 0; i < count; ++i) pictures.push_back(textured(seed(), i, size, i % 2 == 0 ? 1 : 3));
  return pictures;
}

Result<std::vector<float>> Bench::features_here() {
  MASH_ASSIGN(const auto pictures, usual_pictures(4));
  MASH_ASSIGN(const auto runner, open());
  std::vector<float> all;
  for (const Pixels& pixels : pictures) {
    MASH_ASSIGN(const auto values, runner->features(Picture(pixels)));
    all.insert(all.end(), values.begin(), values.end());
  }
  return all;
}

Result<std::vector<float>> Bench::features_elsewhere(const std::vector<std::string>& variables) const {
  // In $TMPDIR, which is the worker's own and goes with it.
  const std::filesystem::path file = std::filesystem::temp_directory_path() / "features";
  nlohmann::json request = target_.to_json();
  request["mode"] = "features";
  request["file"] = file.string();
  MASH_ASSIGN(auto worker, WorkerProcess::start(request.dump(), variables, worker_limits()));
  std::string line;      // it writes one where it fails
  const StopFlag never;  // this is a worker too, and is ended with what it has started
  switch (worker.next_line(line, target_.time_limit_s, never)) {
    case WorkerProcess::Event::kStopped:
    case WorkerProcess::Event::kTimeout: return failure("the other process does not end");
    case WorkerProcess::Event::kLine: return failure("in the other process: {}", line);
    case WorkerProcess::Event::kEnd: break;
  }
  const std::string end = worker.how_it_ended();
  if (!end.empty()) return failure("the other process ended with {}", end);
  MASH_ASSIGN(const std::string bytes, read_file(file));
  std::vector<float> values(bytes.size() / sizeof(float));
  std::memcpy(values.data(), bytes.data(), values.size() * sizeof(float));
  return values;
}

}  // namespace mash::checks
