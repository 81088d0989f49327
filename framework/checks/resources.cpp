// SPDX-License-Identifier: Apache-2.0
#include "framework/checks/resources.hpp"

#include <malloc.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>

#include "framework/base/progress.hpp"
#include "framework/base/statistics.hpp"
#include "framework/checks/bench.hpp"

// NOLINTNEXTLINE(bugprone-reserved-identifier): the sanitizers' name for it
extern "C" std::size_t __sanitizer_get_current_allocated_bytes() __attribute__((weak));

namespace mash::checks {
namespace {

constexpr double kMaxMillisecondsPerImage = 100;
constexpr double kMaxMebibytesPerInstance = 64;
constexpr double kMebibyte = 1024 * 1024;

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

// How much memory grew over calls of `cycle`. A first part is left out, in which buffers reach their size.
// Where the calls are slow there are fewer than num_cycles.
struct Growth {
  int num_cycles = 0;
  std::int64_t heap_bytes = 0;
  double steady_heap_bytes = 0;  // a cycle, in the half of the cycles in which that was less
  std::int64_t resident_bytes = 0;
};
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

Finding judge(const Growth& growth, int num_wanted, std::string_view what) {
  // Counts of malloc are exact (the supervisor sees to it), and its smallest piece takes 32 bytes: less than
  // half of that a cycle, or in one half of the cycles alone, is something kept once, not a leak. What is in
  // memory also moves by itself.
  constexpr double kMaxHeapBytesPerCycle = 16;
  constexpr double kMaxResidentBytes = 8 * kMebibyte;
  const double heap_per_cycle = double(growth.heap_bytes) / growth.num_cycles;
  // A sanitizer keeps what was freed in memory for a while.
  const bool grows = double(growth.resident_bytes) > kMaxResidentBytes && !has_sanitizer();
  const bool leaks = growth.steady_heap_bytes >= kMaxHeapBytesPerCycle || grows;
  return finding(leaks ? Outcome::kFail : Outcome::kPass,
                 "{}{} times {}: the heap grew by {} bytes ({:.1f} each time), resident memory by {} KiB",
                 growth.num_cycles, growth.num_cycles < num_wanted ? fmt::format(" of {}", num_wanted) : "",
                 what, growth.heap_bytes, heap_per_cycle, growth.resident_bytes / 1024);
}

// A third of the check's time is for cycles: the rest is a reserve for slow machines.
double seconds_for_cycles(const Bench& bench) { return bench.target().time_limit_s / 3; }

Result<Finding> check_leak(Bench& bench) {
  MASH_ASSIGN(const auto pictures, bench.usual_pictures(2));
  const Picture first(pictures[0]), second(pictures[1]);
  MASH_ASSIGN(const auto runner, bench.open());
  MASH_ASSIGN(const std::uint32_t dim, runner->dim(first.size()));
  std::vector<float> out(dim);
  std::vector<std::uint32_t> few;
  for (std::uint32_t i = 0; i < std::min(dim, 8u); ++i) few.push_back(i * (dim / std::min(dim, 8u)));
  int cycle_idx = 0;
  const auto cycle = [&]() -> Status {
    MASH_TRY(runner->prepare(cycle_idx % 2 == 0 ? first : second));
    // All features now and then only, so that many cycles can be made.
    if (cycle_idx++ % 4 == 0)
      MASH_TRY(runner->compute({}, out));
    else
      MASH_TRY(runner->compute(few, std::span(out).first(few.size())));
    return runner->release();
  };
  const int num_cycles = bench.target().num_cycles;
  MASH_ASSIGN(const Growth growth, measure_growth(num_cycles, seconds_for_cycles(bench), cycle));
  return judge(growth, num_cycles, "prepare, compute, release");
}

Result<Finding> check_instance_leak(Bench& bench) {
  MASH_ASSIGN(const auto pictures, bench.usual_pictures(1));
  const Picture picture(pictures[0]);
  const std::uint32_t first_feature[] = {0};
  std::vector<float> out(1);
  const auto cycle = [&]() -> Status {
    MASH_ASSIGN(const auto runner, bench.open());
    MASH_TRY(runner->dim(picture.size()));
    MASH_TRY(runner->prepare(picture));
    MASH_TRY(runner->compute(first_feature, out));
    MASH_TRY(runner->release());
    return runner->destroy();
  };
  const int num_cycles = bench.target().num_cycles / 10;
  MASH_ASSIGN(const Growth growth, measure_growth(num_cycles, seconds_for_cycles(bench), cycle));
  return judge(growth, num_cycles, "create to destroy");
}

constexpr const char* kNoProc = "not in a box, which has no /proc to see it in";

// The names in a folder of /proc: open descriptors, threads. REQUIRES: it is there.
std::vector<std::string> names_in(const char* folder) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    names.push_back(entry.path().filename());
  std::sort(names.begin(), names.end());
  return names;
}

// Runs some instances through their lives and says which names are there more than before. The first instance
// may make what all others share.
Result<std::vector<std::string>> left_behind(Bench& bench, const char* folder) {
  MASH_ASSIGN(const auto pictures, bench.usual_pictures(2));
  const auto live = [&]() -> Status {
    MASH_ASSIGN(const auto runner, bench.open());
    for (const Pixels& pixels : pictures) MASH_TRY(runner->features(Picture(pixels)));
    return runner->destroy();
  };
  const auto before = names_in(folder);
  for (int i = 0; i < 3; ++i) MASH_TRY(live());
  const auto after = names_in(folder);
  std::vector<std::string> left;
  std::set_difference(after.begin(), after.end(), before.begin(), before.end(), std::back_inserter(left));
  return left;
}

bool has_proc() { return ::access("/proc/self", F_OK) == 0; }

Result<Finding> check_descriptors(Bench& bench) {
  if (!has_proc()) return finding(Outcome::kSkip, "{}", kNoProc);
  MASH_ASSIGN(const auto left, left_behind(bench, "/proc/self/fd"));
  if (left.empty()) return finding(Outcome::kPass, "none left open by 3 instances");
  std::error_code code;
  const auto target = std::filesystem::read_symlink("/proc/self/fd/" + left[0], code);
  return finding(Outcome::kFail, "3 instances left {} open, descriptor {} ({}) for one", left.size(), left[0],
                 target.string());
}

Result<Finding> check_left_threads(Bench& bench) {
  if (!has_proc()) return finding(Outcome::kSkip, "{}", kNoProc);
  MASH_ASSIGN(const auto left, left_behind(bench, "/proc/self/task"));
  if (left.empty()) return finding(Outcome::kPass, "none left by 3 instances");
  return finding(Outcome::kFail, "3 instances left {} threads running", left.size());
}

Result<Finding> check_time(Bench& bench) {
  MASH_ASSIGN(const auto pictures, bench.usual_pictures(4));
  MASH_ASSIGN(const auto runner, bench.open());
  constexpr int kMaxPictures = 200;
  constexpr double kMaxSeconds = 1;
  MASH_TRY(runner->features(Picture(pictures[0])));  // the first may fill caches
  std::vector<double> milliseconds;
  const Stopwatch all;
  for (int i = 0; i < kMaxPictures && (i < 3 || all.seconds() < kMaxSeconds); ++i) {
    const Picture picture(pictures[std::size_t(i) % pictures.size()]);
    const Stopwatch watch;
    MASH_TRY(runner->features(picture));
    milliseconds.push_back(1e3 * watch.seconds());
  }
  std::sort(milliseconds.begin(), milliseconds.end());
  const double middle = median(milliseconds);
  const double p99 = milliseconds[std::min(milliseconds.size() - 1, milliseconds.size() * 99 / 100)];
  MASH_ASSIGN(const mash_size_t size, bench.usual_size());
  return finding(middle > kMaxMillisecondsPerImage ? Outcome::kWarn : Outcome::kPass,
                 "{:.3g} ms a picture of {}x{} (p50), {:.3g} ms (p99) over {}; limit {} ms", middle,
                 size.width, size.height, p99, milliseconds.size(), kMaxMillisecondsPerImage);
}

Result<Finding> check_memory(Bench& bench) {
  MASH_ASSIGN(const auto pictures, bench.usual_pictures(1));
  const Picture picture(pictures[0]);
  const std::int64_t heap = heap_bytes();
  const auto resident = resident_bytes();
  MASH_ASSIGN(const auto runner, bench.open());
  MASH_ASSIGN(const std::uint32_t dim, runner->dim(picture.size()));
  std::vector<float> out(dim);
  MASH_TRY(runner->prepare(picture));
  MASH_TRY(runner->compute({}, out));
  const double heap_mebibytes = double(heap_bytes() - heap) / kMebibyte;
  const double resident_mebibytes = double(resident_bytes() - resident) / kMebibyte;
  MASH_TRY(runner->release());
  return finding(std::max(heap_mebibytes, resident_mebibytes) > kMaxMebibytesPerInstance ? Outcome::kWarn
                                                                                         : Outcome::kPass,
                 "an instance with a picture holds {:.2f} MiB of heap, {:.2f} MiB resident; limit {} MiB",
                 heap_mebibytes, resident_mebibytes, kMaxMebibytesPerInstance);
}

constexpr Check kResourceChecks[] = {
    {"resources.leak", Level::kResources, Outcome::kFail,
     "memory does not grow over prepare, compute, release",
     "Free in release what prepare and compute allocate, or keep it in the instance for the next picture.",
     check_leak},
    {"resources.instance-leak", Level::kResources, Outcome::kFail,
     "memory does not grow over create to destroy",
     "Free in destroy all that create and later calls have allocated, the instance itself included.",
     check_instance_leak},
    {"resources.descriptors", Level::kResources, Outcome::kFail, "no file stays open",
     "Close every file where it was opened; better, open none.", check_descriptors},
    {"resources.threads", Level::kResources, Outcome::kFail, "no thread is left running",
     "Join every thread before destroy returns; better, start none: MASH runs instances in parallel.",
     check_left_threads},
    {"resources.time", Level::kResources, Outcome::kWarn,
     "a picture of the usual size takes at most 100 ms (median)",
     "Do shared work once in prepare (integral images, histograms) instead of for every feature.",
     check_time},
    {"resources.memory", Level::kResources, Outcome::kWarn, "an instance with a picture holds at most 64 MiB",
     "Keep what depends on the view's size only, and no copies for every feature; there is an instance for "
     "each thread.",
     check_memory},
};

}  // namespace

std::span<const Check> resources_checks() { return kResourceChecks; }

}  // namespace mash::checks
