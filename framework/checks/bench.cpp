// SPDX-License-Identifier: Apache-2.0
#include "framework/checks/bench.hpp"

#include <algorithm>
#include <cstdlib>

#include "framework/base/require.hpp"
#include "framework/base/utf8.hpp"
#include "framework/isolation/heuristic_json.hpp"
#include "framework/isolation/worker_words.hpp"

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

}  // namespace

std::string without_heap_caches() {
  const char* others = std::getenv("GLIBC_TUNABLES");
  return fmt::format("GLIBC_TUNABLES={}{}glibc.malloc.tcache_count=0", others ? others : "",
                     others ? ":" : "");
}

Status Bench::begin_check(Asks asks) {
  if (process_ == nullptr || process_->end() || asks != Asks::kThatOfItsLevel || is_for_one_check_) {
    CheckPlace place = place_;
    if (asks == Asks::kOneWithThreads) place.threads = Threads::kAllowed;
    MASH_ASSIGN(process_, CheckProcess::start(target_, place, stop_));
    is_loaded_ = false;
  }
  is_for_one_check_ = asks != Asks::kThatOfItsLevel;
  process_->begin_check();
  return Done{};
}

Status Bench::load() {
  if (is_loaded_) return Done{};
  MASH_TRY(process().ask(load_step()));
  if (!info_) {
    MASH_ASSIGN(info_, describe());
  }
  is_loaded_ = true;
  return Done{};
}

Result<HeuristicInfo> Bench::describe() {
  MASH_ASSIGN(const StepAnswer answer, process().ask({StepKind::kDescribe}));
  MASH_ASSIGN(const std::uint64_t whole_image, answer.number(0));
  looks_at_whole_image_ = whole_image != 0;
  MASH_ASSIGN(const auto json, parse_json(answer.texts.empty() ? "" : answer.texts[0], kBoundsOfWords));
  MASH_ASSIGN(const auto infos, heuristics_in(json));
  return infos[0];
}

Step Bench::load_step() const {
  Step step{StepKind::kLoad};
  step.values = target_.values;
  return step;
}

std::vector<double> Bench::values() const {
  if (!target_.values.empty()) return target_.values;
  std::vector<double> values;
  for (const ParameterInfo& parameter : info().parameters) values.push_back(parameter.default_value);
  return values;
}

Result<Finding> Bench::inspect(std::string_view check) {
  if (inspector_ == nullptr || inspector_->end()) {
    MASH_ASSIGN(inspector_, CheckProcess::start(target_, place_, stop_));
  }
  inspector_->begin_check();
  Step step{StepKind::kInspect};
  step.name = check;
  MASH_ASSIGN(const StepAnswer answer, inspector_->ask(step));
  MASH_ASSIGN(const std::uint64_t outcome, answer.number(0));
  require(outcome < std::size(kOutcomeNames) && answer.texts.size() == 1, "Bench::inspect: our own words");
  return finding(Outcome(outcome), "{}", printable(answer.texts[0]));
}

Result<std::unique_ptr<Runner>> Bench::open() const {
  MASH_ASSIGN(auto runner, Runner::create(process(), values()));
  if (runner == nullptr)
    return input_error("{}", target_.values.empty() ? kRefusesDefaults : kRefusesSettings);
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
  return input_error("{}", kRefusesEverySize);
}

Result<std::vector<Pixels>> Bench::usual_pictures(std::size_t count) {
  MASH_ASSIGN(const mash_size_t size, usual_size());
  std::vector<Pixels> pictures;
  for (std::size_t i = 0; i < count; ++i) pictures.push_back(textured(seed(), i, size, i % 2 == 0 ? 1 : 3));
  return pictures;
}

Result<std::vector<Pixels>> Bench::pictures_of_features(bool is_filled) {
  MASH_ASSIGN(auto pictures, usual_pictures(4));
  if (!is_filled) return pictures;
  // Where a heuristic finds nothing to write down, its memory stays as it was.
  MASH_ASSIGN(const mash_size_t size, usual_size());
  for (const int value : {0, 128, 255}) pictures.push_back(flat(std::uint8_t(value), size));
  for (std::size_t i = 0; i < 4; ++i) pictures.push_back(digit(seed(), i, size));
  pictures.push_back(checkerboard(2, size));
  return pictures;
}

Result<std::vector<float>> Bench::features_here() {
  MASH_ASSIGN(const auto pictures, pictures_of_features(false));
  Step step{StepKind::kFeatures};
  for (const Pixels& pixels : pictures) step.add(Picture(pixels));
  MASH_ASSIGN(StepAnswer answer, process().ask(step, CheckProcess::kAnyNumber));
  return std::move(answer.values);
}

CheckPlace Bench::place_with(const Elsewhere& elsewhere) const {
  CheckPlace place = place_;
  place.variables = elsewhere.variables;
  if (elsewhere.fill)
    for (std::string& variable : fill_heap(*elsewhere.fill)) place.variables.push_back(std::move(variable));
  return place;
}

Result<std::optional<std::vector<float>>> Bench::features_elsewhere(const Elsewhere& elsewhere) {
  MASH_ASSIGN(const auto pictures, pictures_of_features(elsewhere.fill.has_value()));
  MASH_ASSIGN(const auto other, CheckProcess::start(target_, place_with(elsewhere), stop_));
  Step features{StepKind::kFeatures};
  features.stack_fill = elsewhere.fill;
  for (const Pixels& pixels : pictures) features.add(Picture(pixels));
  const auto answer = [&]() -> Result<StepAnswer> {
    if (elsewhere.has_comma) {
      MASH_ASSIGN(StepAnswer comma, other->ask({StepKind::kCommaLocale}));
      if (comma.is_refused) return comma;
    }
    MASH_TRY(other->ask(load_step()));
    return other->ask(features, CheckProcess::kAnyNumber);
  }();
  if (answer.ok()) return answer->is_refused ? std::nullopt : std::optional(answer->values);
  if (answer.error().kind == ErrorKind::kStopped) return answer.error();
  const auto& end = other->end();
  if (!end) return input_error("in another process: {}", answer.error().message);
  if (end->symptom == Symptom::kTimeout) return input_error("{}", kOtherHangs);
  return input_error("{} in another process", end->evidence);
}

Result<AroundLoading> Bench::arithmetic_around_loading() const {
  MASH_ASSIGN(const auto other, CheckProcess::start(target_, place_, stop_));
  MASH_TRY(other->ask({StepKind::kArithmetic}));
  const std::uint32_t before = other->arithmetic();
  MASH_TRY(other->ask({StepKind::kLoads}));
  return AroundLoading{before, other->arithmetic()};
}

Result<std::vector<double>> times_of(const Bench& bench, std::span<const Pixels> pictures, int most,
                                     double seconds) {
  Step step{StepKind::kTimes};
  step.num_cycles = most;
  step.seconds = seconds;
  for (const Pixels& pixels : pictures) step.add(Picture(pixels));
  MASH_ASSIGN(StepAnswer answer, bench.process().ask(step));
  const auto is_time = [](double time) { return time >= 0 && time < 1e15; };
  if (answer.numbers.empty() || !std::ranges::all_of(answer.numbers, is_time))
    return input_error("its time was not counted");
  return std::move(answer.numbers);
}

}  // namespace mash::checks
