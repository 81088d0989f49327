// SPDX-License-Identifier: Apache-2.0
#include "framework/checks/step_service.hpp"

#include <dlfcn.h>
#include <malloc.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cfenv>
#include <clocale>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <thread>
#include <utility>

#if defined(__SSE__)
#include <xmmintrin.h>
#endif

#include "framework/base/file.hpp"
#include "framework/base/ordered_bits.hpp"
#include "framework/base/progress.hpp"
#include "framework/base/utf8.hpp"
#include "framework/checks/bench.hpp"
#include "framework/checks/growth.hpp"
#include "framework/checks/inspections.hpp"
#include "framework/extractors/descriptor.hpp"
#include "framework/extractors/plugin_file.hpp"
#include "framework/isolation/heuristic_json.hpp"
#include "mash/abi/whole_image.h"

// NOLINTNEXTLINE(bugprone-reserved-identifier): the sanitizers' name for it
extern "C" std::size_t __sanitizer_get_current_allocated_bytes() __attribute__((weak));

namespace mash::checks {
namespace {

// A library in memory, whether or not it is a sound plugin. What loading it does to the arithmetic of the
// thread stays, for a check to see; Plugin undoes it.
class Library {
 public:
  static Result<Library> load(const std::filesystem::path& file) {
    void* handle = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle == nullptr) return input_error("{}", printable(::dlerror()));
    return Library(handle);
  }
  Library(Library&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Library& operator=(Library&&) = delete;
  ~Library() {
    if (handle_ != nullptr) ::dlclose(handle_);
  }

  const mash_plugin_info_t* entry() const {
    return static_cast<const mash_plugin_info_t*>(::dlsym(handle_, std::string(kPluginSymbol).c_str()));
  }

 private:
  explicit Library(void* handle) : handle_(handle) {}
  void* handle_;
};

// The plugin's descriptor as it is. The handshake must hold: without it nothing can be read.
struct LoadedDescriptor {
  Library library;
  const mash_heuristic_t* heuristic;
};
Result<LoadedDescriptor> load_descriptor(const std::filesystem::path& plugin, std::size_t heuristic_idx) {
  MASH_ASSIGN(Library library, Library::load(plugin));
  const mash_plugin_info_t* entry = library.entry();
  if (entry == nullptr) return input_error("no symbol '{}'", kPluginSymbol);
  MASH_TRY(check_handshake(*entry));
  if (entry->heuristics == nullptr) return input_error("the table of heuristics is null");
  if (heuristic_idx >= entry->num_heuristics || entry->heuristics[heuristic_idx] == nullptr)
    return input_error("heuristic {} of the plugin is null", heuristic_idx);
  return LoadedDescriptor{std::move(library), entry->heuristics[heuristic_idx]};
}

// How the processor rounds, and what it does with subnormal numbers; not the flags that arithmetic leaves.
std::uint32_t arithmetic_state() {
#if defined(__SSE__)
  constexpr std::uint32_t kFlags = 0x3f;
  return (_mm_getcsr() & ~kFlags) << 16 | std::uint32_t(std::fegetround());
#else
  return std::uint32_t(std::fegetround());
#endif
}

// A locale whose decimal point is a comma, made here because a machine need not have one. The format is that
// of glibc's compiled locales: magic number, number of fields, their offsets, the fields.
Status write_comma_locale(const std::filesystem::path& folder) {
  struct {
    std::uint32_t magic = 0x20031115 ^ LC_NUMERIC, num_fields = 6;
    std::uint32_t offsets[6] = {32, 34, 35, 36, 40, 44};
    char decimal_point[2] = {',', 0}, thousands_separator[1] = {0}, grouping[1] = {0};
    std::uint32_t wide_decimal_point = L',', wide_thousands_separator = 0;
    char encoding[8] = "UTF-8";
  } file;
  return write_file_atomically(folder / "mash_comma" / "LC_NUMERIC",
                               {reinterpret_cast<const char*>(&file), sizeof file});
}

// The decimal point of this process is a comma from now on; whether it is. What the user has set in the
// environment must not overrule it.
Result<bool> take_comma_locale() {
  const std::filesystem::path folder = std::filesystem::temp_directory_path() / "locales";
  MASH_TRY(write_comma_locale(folder));
  ::setenv("LOCPATH", folder.c_str(), 1);
  ::setenv("LC_ALL", "", 1);
  ::setenv("LANG", "C", 1);
  ::setenv("LC_NUMERIC", "mash_comma", 1);
  ::setlocale(LC_ALL, "");
  return std::string_view(::localeconv()->decimal_point) == ",";
}

// Leaves the byte where the next call will have its variables.
[[gnu::noinline]] void fill_stack(std::uint8_t value) {
  volatile std::uint8_t bytes[1 << 16];
  for (volatile std::uint8_t& byte : bytes) byte = value;
}

bool has_sanitizer() { return &__sanitizer_get_current_allocated_bytes != nullptr; }

// Bytes that malloc has given out. A sanitizer's allocator counts for itself.
std::int64_t heap_bytes() {
  if (has_sanitizer()) return std::int64_t(__sanitizer_get_current_allocated_bytes());
  const struct mallinfo2 info = ::mallinfo2();
  return std::int64_t(info.uordblks + info.hblkhd);
}

// Bytes of this process that are in memory; where there is no /proc, as in a box, the most that ever were.
std::int64_t resident_bytes() {
  std::ifstream file("/proc/self/statm");
  std::int64_t num_pages = 0, num_resident = 0;
  if (file >> num_pages >> num_resident) return num_resident * ::sysconf(_SC_PAGESIZE);
  rusage used{};
  ::getrusage(RUSAGE_SELF, &used);
  return 1024 * std::int64_t(used.ru_maxrss);
}

template <class Cycle>
Result<Growth> measure_growth(int num_cycles, double max_seconds, const Cycle& cycle) {
  const int num_first = std::clamp(num_cycles / 10, 3, 100);
  for (int i = 0; i < num_first; ++i) MASH_TRY(cycle());
  std::vector<std::int64_t> heap;  // after each cycle
  heap.reserve(std::size_t(num_cycles) + 1);
  const Stopwatch watch;
  heap.push_back(heap_bytes());
  const auto resident = resident_bytes();
  Growth growth;
  while (growth.num_cycles < num_cycles && watch.seconds() < max_seconds) {
    MASH_TRY(cycle());
    ++growth.num_cycles;
    heap.push_back(heap_bytes());
  }
  growth.resident_bytes = resident_bytes() - resident;
  growth.heap_bytes = heap.back() - heap.front();
  const std::size_t last = heap.size() - 1, middle = (last + 1) / 2;
  growth.steady_heap_bytes = double(heap[middle] - heap[0]) / double(middle);
  if (last > middle)
    growth.steady_heap_bytes =
        std::min(growth.steady_heap_bytes, double(heap[last] - heap[middle]) / double(last - middle));
  return growth;
}

// The names in a folder of /proc: open descriptors, threads. With the file that a descriptor is of.
// Errors (kInput): the heuristic has left no descriptor to look there with.
Result<std::vector<std::string>> names_in(const std::string& folder) {
  std::vector<std::string> names;
  std::error_code no_entry;
  for (std::filesystem::directory_iterator entry(folder, no_entry), end; !no_entry && entry != end;
       entry.increment(no_entry)) {
    std::error_code code;
    const auto target = std::filesystem::read_symlink(entry->path(), code);
    if (target.filename() == "fd" && target.string().starts_with("/proc/")) continue;  // of this walk itself
    names.push_back(entry->path().filename().string() +
                    (code ? "" : fmt::format(" ({})", printable(target.string(), 200))));
  }
  if (no_entry) return input_error("{} cannot be looked into: {}", folder, no_entry.message());
  std::sort(names.begin(), names.end());
  return names;
}

// An array of its own, or one between forbidden pages.
template <class T>
class PlacedArray {
 public:
  PlacedArray(std::size_t size, std::optional<Placement> placement, const char* name) {
    if (placement)
      guarded_.emplace(size * sizeof(T), *placement, name);
    else
      plain_.resize(size);
    values_ = {guarded_ ? reinterpret_cast<T*>(guarded_->data()) : plain_.data(), size};
  }
  std::span<T> values() const { return values_; }
  void forbid_writing() {
    if (guarded_) guarded_->forbid_writing();
  }

 private:
  std::optional<GuardedMemory> guarded_;
  std::vector<T> plain_;
  std::span<T> values_;
};

StepAnswer numbers(std::vector<double> values) {
  StepAnswer answer;
  answer.numbers = std::move(values);
  return answer;
}

StepAnswer refused() {
  StepAnswer answer;
  answer.is_refused = true;
  return answer;
}

StepAnswer numbers_of(const Growth& growth) {
  return numbers({double(growth.num_cycles), double(growth.heap_bytes), growth.steady_heap_bytes,
                  double(growth.resident_bytes), has_sanitizer() ? 1.0 : 0.0});
}

std::vector<std::unique_ptr<LaidOutPicture>> laid_out(const Step& step) {
  std::vector<std::unique_ptr<LaidOutPicture>> pictures;
  for (const Picture& picture : step.pictures) pictures.push_back(std::make_unique<LaidOutPicture>(picture));
  return pictures;
}

}  // namespace

StepAnswer StepService::answer(const Step& step) {
  const auto carried_out = carry_out(step);
  StepAnswer answer;
  if (carried_out.ok())
    answer = *carried_out;
  else
    answer.error = with_word_on_walls(carried_out.error().message, walls_);
  answer.arithmetic = arithmetic_state();
  return answer;
}

Result<StepAnswer> StepService::carry_out(const Step& step) {
  switch (step.kind) {
    case StepKind::kInspect: return inspect_file(step);
    case StepKind::kLoads: return load_and_close();
    case StepKind::kDescribe: return describe();
    case StepKind::kLoad: return load(step);
    case StepKind::kCreate: return create(step);
    case StepKind::kDim:
    case StepKind::kPrepare:
    case StepKind::kCompute:
    case StepKind::kRelease:
    case StepKind::kDestroy: return call(step);
    case StepKind::kArithmetic: return StepAnswer();
    case StepKind::kUsage: return numbers({double(heap_bytes()), double(resident_bytes())});
    case StepKind::kNames: {
      if (::access(step.name.c_str(), F_OK) != 0) return refused();
      StepAnswer answer;
      MASH_ASSIGN(answer.texts, names_in(step.name));
      return answer;
    }
    case StepKind::kPictureCycles: return picture_cycles(step);
    case StepKind::kInstanceCycles: return instance_cycles(step);
    case StepKind::kTimes: return times(step);
    case StepKind::kFeatures: return features(step);
    case StepKind::kThreads: return features_in_threads(step);
    case StepKind::kCommaLocale: {
      MASH_ASSIGN(const bool is_taken, take_comma_locale());
      return is_taken ? numbers({1}) : refused();
    }
  }
  return failure("a process of checks was asked for what it does not know");
}

Result<StepAnswer> StepService::inspect_file(const Step& step) const {
  const auto found = inspect(step.name, path_);
  StepAnswer answer = numbers({double(found.ok() ? found->outcome : Outcome::kFail)});
  answer.texts = {found.ok() ? found->evidence : found.error().message};
  return answer;
}

Status StepService::close_walls() {
  return std::exchange(is_closed_, true) ? Status(Done{}) : mash::close_walls(walls_);
}

Result<StepAnswer> StepService::load_and_close() {
  MASH_TRY(close_walls());
  MASH_TRY(Library::load(path_));
  // It was ours alone and has been closed: a library that can still be had stays for ever.
  void* handle = ::dlopen(path_.c_str(), RTLD_NOW | RTLD_NOLOAD);
  if (handle != nullptr) ::dlclose(handle);
  return numbers({handle != nullptr ? 1.0 : 0.0});
}

Result<StepAnswer> StepService::describe() {
  const auto answer_of = [](const HeuristicInfo& info, const mash_heuristic_t& heuristic) {
    const auto extension = heuristic.get_extension;
    const bool is_whole = extension != nullptr && extension(MASH_WHOLE_IMAGE) != nullptr;
    StepAnswer answer = numbers({is_whole ? 1.0 : 0.0});
    answer.texts = {json_of(std::vector{info}).dump()};
    return answer;
  };
  if (plugin_ != nullptr) return answer_of(plugin_->infos()[heuristic_idx_], functions());
  MASH_TRY(close_walls());
  MASH_ASSIGN(const LoadedDescriptor loaded, load_descriptor(path_, heuristic_idx_));
  MASH_ASSIGN(const HeuristicInfo info, read_descriptor(*loaded.heuristic));
  return answer_of(info, *loaded.heuristic);
}

Result<StepAnswer> StepService::load(const Step& step) {
  values_ = step.values;
  if (plugin_ == nullptr) {
    MASH_ASSIGN(const PluginFile file, read_plugin_file(path_));
    MASH_ASSIGN(plugin_,
                walls_.isolation == Isolation::kNone ? Plugin::load(file) : load_behind_walls(file, walls_));
  }
  return StepAnswer();
}

Result<StepAnswer> StepService::create(const Step& step) {
  MASH_ASSIGN(auto calls, DirectCalls::create(functions(), step.values));
  if (calls == nullptr) return refused();
  instances_[++num_instances_] = {std::move(calls), nullptr};
  return numbers({double(num_instances_)});
}

Result<std::unique_ptr<DirectCalls>> StepService::open() const {
  std::vector<double> values = values_;
  if (values.empty())
    for (const ParameterInfo& parameter : plugin_->infos()[heuristic_idx_].parameters)
      values.push_back(parameter.default_value);
  MASH_ASSIGN(auto calls, DirectCalls::create(functions(), values));
  if (calls == nullptr) return input_error("{}", values_.empty() ? kRefusesDefaults : kRefusesSettings);
  return calls;
}

Result<StepAnswer> StepService::call(const Step& step) {
  Instance& instance = instances_.at(step.instance);
  switch (step.kind) {
    case StepKind::kDim: {
      MASH_ASSIGN(const auto dim, instance.calls->try_dim(step.size));
      return dim ? numbers({double(*dim)}) : refused();
    }
    case StepKind::kPrepare:
      instance.picture = std::make_unique<LaidOutPicture>(step.pictures.at(0));
      MASH_TRY(instance.calls->prepare(*instance.picture, step.frame));
      return StepAnswer();
    case StepKind::kCompute: return compute(step, *instance.calls);
    case StepKind::kRelease: {
      const Status released = instance.calls->release();
      instance.picture = nullptr;
      MASH_TRY(released);
      return StepAnswer();
    }
    default: {
      const Status destroyed = instance.calls->destroy();
      instances_.erase(step.instance);
      MASH_TRY(destroyed);
      return StepAnswer();
    }
  }
}

Result<StepAnswer> StepService::compute(const Step& step, DirectCalls& calls) const {
  PlacedArray<float> out(step.num_values, step.out_placement, "the output array");
  PlacedArray<std::uint32_t> indices(
      step.indices.size(), step.indices.empty() ? std::nullopt : step.index_placement, "the index array");
  std::ranges::fill(out.values(), std::bit_cast<float>(step.fill));
  std::ranges::copy(step.indices, indices.values().begin());
  indices.forbid_writing();
  MASH_TRY(calls.compute(indices.values(), out.values()));
  StepAnswer answer;
  answer.values.assign(out.values().begin(), out.values().end());
  return answer;
}

Result<StepAnswer> StepService::picture_cycles(const Step& step) const {
  const auto pictures = laid_out(step);
  MASH_ASSIGN(const auto calls, open());
  MASH_ASSIGN(const std::uint32_t dim, calls->dim(pictures.at(0)->size()));
  std::vector<float> out(dim);
  std::vector<std::uint32_t> few;
  for (std::uint32_t i = 0; i < std::min(dim, 8u); ++i) few.push_back(i * (dim / std::min(dim, 8u)));
  std::size_t cycle_idx = 0;
  const auto cycle = [&]() -> Status {
    MASH_TRY(calls->prepare(*pictures[cycle_idx % pictures.size()]));
    // All features now and then only, so that many cycles can be made.
    if (cycle_idx++ % 4 == 0)
      MASH_TRY(calls->compute({}, out));
    else
      MASH_TRY(calls->compute(few, std::span(out).first(few.size())));
    return calls->release();
  };
  MASH_ASSIGN(const Growth growth, measure_growth(step.num_cycles, step.seconds, cycle));
  return numbers_of(growth);
}

Result<StepAnswer> StepService::instance_cycles(const Step& step) const {
  const auto pictures = laid_out(step);
  const LaidOutPicture& picture = *pictures.at(0);
  const std::uint32_t first_feature[] = {0};
  std::vector<float> out(1);
  const auto cycle = [&]() -> Status {
    MASH_ASSIGN(const auto calls, open());
    MASH_TRY(calls->dim(picture.size()));
    MASH_TRY(calls->prepare(picture));
    MASH_TRY(calls->compute(first_feature, out));
    MASH_TRY(calls->release());
    return calls->destroy();
  };
  MASH_ASSIGN(const Growth growth, measure_growth(step.num_cycles, step.seconds, cycle));
  return numbers_of(growth);
}

Result<StepAnswer> StepService::times(const Step& step) const {
  const auto pictures = laid_out(step);
  MASH_ASSIGN(const auto calls, open());
  MASH_TRY(calls->features(*pictures.at(0)));  // the first may fill caches
  std::vector<double> nanoseconds;
  const Stopwatch all;
  for (int i = 0; i < step.num_cycles && (i < 3 || all.seconds() < step.seconds); ++i) {
    const LaidOutPicture& picture = *pictures[std::size_t(i) % pictures.size()];
    const Stopwatch watch;
    MASH_TRY(calls->features(picture));
    nanoseconds.push_back(1e9 * watch.seconds());
  }
  return numbers(std::move(nanoseconds));
}

Result<StepAnswer> StepService::features(const Step& step) const {
  if (step.stack_fill) fill_stack(*step.stack_fill);
  MASH_ASSIGN(const auto calls, open());
  StepAnswer answer;
  for (const auto& picture : laid_out(step)) {
    MASH_ASSIGN(const std::uint32_t dim, calls->dim(picture->size()));
    std::vector<float> values(dim);
    if (step.stack_fill) fill_stack(*step.stack_fill);
    MASH_TRY(calls->prepare(*picture));
    MASH_TRY(calls->compute({}, values));
    if (step.stack_fill) {
      // The first call allocates, which leaves addresses on the stack.
      fill_stack(*step.stack_fill);
      MASH_TRY(calls->compute({}, values));
    }
    MASH_TRY(calls->release());
    answer.values.insert(answer.values.end(), values.begin(), values.end());
  }
  return answer;
}

Result<StepAnswer> StepService::features_in_threads(const Step& step) const {
  constexpr int kNumRounds = 5;
  const auto pictures = laid_out(step);
  const std::size_t num_threads = pictures.size(), width = step.num_values;
  StepAnswer answer;
  answer.values.resize(num_threads * pictures.size() * width);
  // One thread's part: the pictures over and over. Of each picture the row stays that was different first.
  const auto work = [&](std::size_t thread_idx) -> Status {
    MASH_ASSIGN(const auto calls, open());
    std::vector<bool> is_settled(pictures.size(), false);
    for (int round = 0; round < kNumRounds; ++round)
      for (std::size_t i = 0; i < pictures.size(); ++i) {
        const std::size_t picture_idx = (i + thread_idx) % pictures.size();
        if (is_settled[picture_idx]) continue;
        MASH_ASSIGN(const auto values, calls->features(*pictures[picture_idx], step.indices));
        if (values.size() != width)
          return input_error("{} features on a thread, {} on another", values.size(), width);
        const std::span row =
            std::span(answer.values).subspan((thread_idx * pictures.size() + picture_idx) * width, width);
        is_settled[picture_idx] = round > 0 && !std::ranges::equal(values, row, same_bits);
        std::ranges::copy(values, row.begin());
      }
    return Done{};
  };
  std::vector<Status> results(num_threads, Done{});
  std::vector<std::thread> threads;
  try {
    for (std::size_t i = 0; i < num_threads; ++i) threads.emplace_back([&, i] { results[i] = work(i); });
  } catch (const std::system_error&) {
    answer.is_refused = true;  // by the system
  }
  for (std::thread& thread : threads) thread.join();
  if (answer.is_refused) {
    answer.values.clear();
    return answer;
  }
  for (const Status& result : results) MASH_TRY(result);
  return answer;
}

}  // namespace mash::checks
