// SPDX-License-Identifier: Apache-2.0
#include "framework/checks/resources.hpp"

#include <algorithm>
#include <iterator>
#include <optional>

#include "framework/base/statistics.hpp"
#include "framework/base/utf8.hpp"
#include "framework/checks/bench.hpp"
#include "framework/checks/growth.hpp"

namespace mash::checks {
namespace {

constexpr double kMaxMillisecondsPerImage = 100;
constexpr double kMaxMebibytesPerInstance = 64;
constexpr double kMebibyte = 1024 * 1024;

// A number that a process claims, of any size.
std::int64_t bounded_bytes(double number) {
  constexpr double kMost = 1e15;
  return number >= -kMost && number <= kMost ? std::int64_t(number) : std::int64_t(kMost);
}

Finding judge(const Growth& growth, int num_wanted, bool has_sanitizer, std::string_view what) {
  // Counts of malloc are exact (the supervisor sees to it), and its smallest piece takes 32 bytes: less than
  // half of that a cycle, or in one half of the cycles alone, is something kept once, not a leak. What is in
  // memory also moves by itself.
  constexpr double kMaxHeapBytesPerCycle = 16;
  constexpr double kMaxResidentBytes = 8 * kMebibyte;
  const double heap_per_cycle = double(growth.heap_bytes) / growth.num_cycles;
  // A sanitizer keeps what was freed in memory for a while.
  const bool grows = double(growth.resident_bytes) > kMaxResidentBytes && !has_sanitizer;
  const bool leaks = growth.steady_heap_bytes >= kMaxHeapBytesPerCycle || grows;
  return finding(leaks ? Outcome::kFail : Outcome::kPass,
                 "{}{} times {}: the heap grew by {} bytes ({:.1f} each time), resident memory by {} KiB",
                 growth.num_cycles, growth.num_cycles < num_wanted ? fmt::format(" of {}", num_wanted) : "",
                 what, growth.heap_bytes, heap_per_cycle, growth.resident_bytes / 1024);
}

// The growth over steps of that kind. A third of the check's time is for them: the rest is a reserve for slow
// machines.
Result<Finding> judge_cycles(Bench& bench, StepKind kind, int num_cycles, std::size_t num_pictures,
                             std::string_view what) {
  Step step{kind};
  step.num_cycles = num_cycles;
  step.seconds = bench.target().time_limit_s / 3;
  MASH_ASSIGN(const auto pictures, bench.usual_pictures(num_pictures));
  for (const Pixels& pixels : pictures) step.add(Picture(pixels));
  MASH_ASSIGN(const StepAnswer answer, bench.process().ask(step));
  if (answer.numbers.size() != 5 || !(answer.numbers[0] >= 1 && answer.numbers[0] <= num_cycles))
    return input_error("the cycles were not counted");
  const std::vector<double>& found = answer.numbers;
  return judge({int(found[0]), bounded_bytes(found[1]), found[2], bounded_bytes(found[3])}, num_cycles,
               found[4] != 0, what);
}

Result<Finding> check_leak(Bench& bench) {
  return judge_cycles(bench, StepKind::kPictureCycles, bench.target().num_cycles, 2,
                      "prepare, compute, release");
}

Result<Finding> check_instance_leak(Bench& bench) {
  return judge_cycles(bench, StepKind::kInstanceCycles, bench.target().num_cycles / 10, 1,
                      "create to destroy");
}

constexpr const char* kDescriptors = "/proc/self/fd";
constexpr const char* kNoProc = "not in a box, which has no /proc to see it in";

// The names in a folder of /proc: open descriptors, threads. Nothing where it is not there.
Result<std::optional<std::vector<std::string>>> proc_names(Bench& bench, const char* folder) {
  Step step{StepKind::kNames};
  step.name = folder;
  MASH_ASSIGN(StepAnswer answer, bench.process().ask(step));
  if (answer.is_refused) return std::optional<std::vector<std::string>>();
  std::ranges::sort(answer.texts);
  return std::optional(std::move(answer.texts));
}

std::vector<std::string> more_names(const std::vector<std::string>& before,
                                    const std::vector<std::string>& after) {
  std::vector<std::string> more;
  std::ranges::set_difference(after, before, std::back_inserter(more));
  return more;
}

// Runs some instances through their lives and says which names are there more than before; nothing where
// nobody knows. The first instance may make what all others share.
Result<std::optional<std::vector<std::string>>> left_behind(Bench& bench, const char* folder) {
  MASH_ASSIGN(const auto pictures, bench.usual_pictures(2));
  const auto live = [&]() -> Status {
    MASH_ASSIGN(const auto runner, bench.open());
    for (const Pixels& pixels : pictures) MASH_TRY(runner->features(Picture(pixels)));
    return runner->destroy();
  };
  MASH_TRY(live());
  MASH_ASSIGN(const auto before, proc_names(bench, folder));
  if (!before) return before;
  for (int i = 0; i < 3; ++i) MASH_TRY(live());
  MASH_ASSIGN(const auto after, proc_names(bench, folder));
  if (!after) return after;
  return std::optional(more_names(*before, *after));
}

// Shows many pictures to one instance, which may open a file for some of them only. REQUIRES: there is /proc.
Result<Finding> descriptors_of_pictures(Bench& bench) {
  constexpr int kMostCycles = 1000;
  constexpr double kPartOfTime = 1. / 30;
  Step step{StepKind::kPictureCycles};
  step.num_cycles = std::min(bench.target().num_cycles, kMostCycles);
  step.seconds = bench.target().time_limit_s * kPartOfTime;
  MASH_ASSIGN(const auto pictures, bench.usual_pictures(2));
  for (const Pixels& pixels : pictures) step.add(Picture(pixels));
  MASH_ASSIGN(const auto before, proc_names(bench, kDescriptors));
  MASH_ASSIGN(const StepAnswer answer, bench.process().ask(step));
  MASH_ASSIGN(const std::uint64_t num_cycles, answer.number(0));
  MASH_ASSIGN(const auto after, proc_names(bench, kDescriptors));
  if (!before || !after) return input_error("its descriptors were not counted");
  const auto left = more_names(*before, *after);
  if (left.empty())
    return finding(Outcome::kPass, "none left open by 3 instances and {} pictures", num_cycles);
  return finding(Outcome::kFail, "{} pictures left {} open, descriptor {} for one", num_cycles, left.size(),
                 printable(left.front(), 300));
}

Result<Finding> check_descriptors(Bench& bench) {
  MASH_ASSIGN(const auto left, left_behind(bench, kDescriptors));
  if (!left) return finding(Outcome::kSkip, "{}", kNoProc);
  if (left->empty()) return descriptors_of_pictures(bench);
  return finding(Outcome::kFail, "3 instances left {} open, descriptor {} for one", left->size(),
                 printable(left->front(), 300));
}

Result<Finding> check_left_threads(Bench& bench) {
  MASH_ASSIGN(const auto left, left_behind(bench, "/proc/self/task"));
  if (!left) return finding(Outcome::kSkip, "{}", kNoProc);
  if (left->empty()) return finding(Outcome::kPass, "none left by 3 instances");
  return finding(Outcome::kFail, "3 instances left {} threads running", left->size());
}

Result<Finding> check_time(Bench& bench) {
  MASH_ASSIGN(const auto pictures, bench.usual_pictures(4));
  MASH_ASSIGN(const auto nanoseconds, times_of(bench, pictures, 200, 1));
  std::vector<double> milliseconds;
  for (const double time : nanoseconds) milliseconds.push_back(1e-6 * time);
  std::sort(milliseconds.begin(), milliseconds.end());
  const double middle = median(milliseconds);
  const double p99 = milliseconds[std::min(milliseconds.size() - 1, milliseconds.size() * 99 / 100)];
  MASH_ASSIGN(const mash_size_t size, bench.usual_size());
  return finding(middle > kMaxMillisecondsPerImage ? Outcome::kWarn : Outcome::kPass,
                 "{:.3g} ms a picture of {}x{} (p50), {:.3g} ms (p99) over {}; limit {} ms", middle,
                 size.width, size.height, p99, milliseconds.size(), kMaxMillisecondsPerImage);
}

// Bytes of the process.
struct Usage {
  double heap = 0, resident = 0;
};
Result<Usage> usage_of(Bench& bench) {
  MASH_ASSIGN(const StepAnswer answer, bench.process().ask({StepKind::kUsage}));
  if (answer.numbers.size() != 2) return input_error("its memory was not counted");
  return Usage{answer.numbers[0], answer.numbers[1]};
}

Result<Finding> check_memory(Bench& bench) {
  MASH_ASSIGN(const auto pictures, bench.usual_pictures(1));
  const Picture picture(pictures[0]);
  MASH_ASSIGN(const Usage before, usage_of(bench));
  MASH_ASSIGN(const auto runner, bench.open());
  MASH_ASSIGN(const std::uint32_t dim, runner->dim(picture.size()));
  std::vector<float> out(dim);
  MASH_TRY(runner->prepare(picture));
  MASH_TRY(runner->compute({}, out));
  MASH_ASSIGN(const Usage after, usage_of(bench));
  const double heap_mebibytes = (after.heap - before.heap) / kMebibyte;
  const double resident_mebibytes = (after.resident - before.resident) / kMebibyte;
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
     check_leak, Asks::kFreshOne},
    {"resources.instance-leak", Level::kResources, Outcome::kFail,
     "memory does not grow over create to destroy",
     "Free in destroy all that create and later calls have allocated, the instance itself included.",
     check_instance_leak, Asks::kFreshOne},
    {"resources.descriptors", Level::kResources, Outcome::kFail, "no file stays open",
     "Close every file where it was opened; better, open none.", check_descriptors, Asks::kFreshOne},
    {"resources.threads", Level::kResources, Outcome::kFail, "no thread is left running",
     "Join every thread before destroy returns; better, start none: MASH runs instances in parallel.",
     check_left_threads, Asks::kFreshOne},
    {"resources.time", Level::kResources, Outcome::kWarn,
     "a picture of the usual size takes at most 100 ms (median)",
     "Do shared work once in prepare (integral images, histograms) instead of for every feature.", check_time,
     Asks::kFreshOne},
    {"resources.memory", Level::kResources, Outcome::kWarn, "an instance with a picture holds at most 64 MiB",
     "Keep what depends on the view's size only, and no copies for every feature; there is an instance for "
     "each thread.",
     check_memory, Asks::kFreshOne},
};

}  // namespace

std::span<const Check> resources_checks() { return kResourceChecks; }

}  // namespace mash::checks
