// SPDX-License-Identifier: Apache-2.0
#include "framework/checks/guarded_memory.hpp"

#include <fmt/compile.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstring>
#include <new>

#include "framework/isolation/line_worker.hpp"

namespace mash::checks {
namespace {

// Memory that the signal handler reads: plain, no allocation.
struct Region {
  const std::uint8_t* pages = nullptr;
  const std::uint8_t* pages_end = nullptr;
  const std::uint8_t* data = nullptr;
  std::ptrdiff_t row_size = 0, row_stride = 0;  // bytes
  std::ptrdiff_t before = 0;                    // bytes in front of a row that are its own
  std::ptrdiff_t num_rows = 0;
  char name[32] = {};
};
std::array<Region, 64> regions;
thread_local CallInProgress call_in_progress;
int report_descriptor = -1;

std::size_t page_size() { return std::size_t(::sysconf(_SC_PAGESIZE)); }

const char* access_name(const void* context) {
#if defined(__x86_64__)
  constexpr greg_t kWrite = 2;
  const auto* machine = static_cast<const ucontext_t*>(context);
  return (machine->uc_mcontext.gregs[REG_ERR] & kWrite) != 0 ? "writes" : "reads";
#else
  (void)context;
  return "touches";
#endif
}

// "width", "width + 2", "-1"
template <class Out>
Out describe_coordinate(Out out, const char* limit_name, std::ptrdiff_t value, std::ptrdiff_t limit) {
  if (value < limit) return fmt::format_to(out, FMT_COMPILE("{}"), value);
  if (value == limit) return fmt::format_to(out, FMT_COMPILE("{}"), limit_name);
  return fmt::format_to(out, FMT_COMPILE("{} + {}"), limit_name, value - limit);
}

// A touch beside the rows of a picture.
template <class Out>
Out describe_pixel(Out out, const char* access, std::ptrdiff_t offset, const Region& region) {
  const std::ptrdiff_t y = (offset + region.before + region.row_stride) / region.row_stride - 1;
  const std::ptrdiff_t x = offset - y * region.row_stride;
  out = fmt::format_to(out, FMT_COMPILE("{} x = "), access);
  out = describe_coordinate(out, "width", x, region.row_size);
  out = fmt::format_to(out, FMT_COMPILE(", y = "));
  out = describe_coordinate(out, "height", y, region.num_rows);
  const bool is_next = x >= -1 && x <= region.row_size && y >= -1 && y <= region.num_rows;
  return fmt::format_to(out, FMT_COMPILE(", {}outside {} of {}x{} pixels"), is_next ? "just " : "",
                        region.name, region.row_size, region.num_rows);
}

template <class Out>
Out describe_touch(Out out, const char* access, const std::uint8_t* address, const Region& region) {
  const std::ptrdiff_t offset = address - region.data;
  const std::ptrdiff_t y = offset / region.row_stride, x = offset % region.row_stride;
  if (offset >= 0 && y < region.num_rows && x < region.row_size)
    return fmt::format_to(out, FMT_COMPILE("{} to {}, which is read-only"), access, region.name);
  if (region.num_rows > 1) return describe_pixel(out, access, offset, region);
  if (offset < 0)
    return fmt::format_to(out, FMT_COMPILE("{} {} bytes before the beginning of {}"), access, -offset,
                          region.name);
  if (offset == region.row_size)
    return fmt::format_to(out, FMT_COMPILE("{} just past the end of {}"), access, region.name);
  return fmt::format_to(out, FMT_COMPILE("{} {} bytes past the end of {}"), access, offset - region.row_size,
                        region.name);
}

// Formats into a buffer of its own: nothing here allocates.
template <class Out>
Out describe(Out out, int signal, const siginfo_t& info, const void* context) {
  const auto* address = static_cast<const std::uint8_t*>(info.si_addr);
  if (signal == SIGSEGV || signal == SIGBUS)
    for (const Region& region : regions)
      if (region.pages != nullptr && address >= region.pages && address < region.pages_end) {
        *out++ = kOutsideMark;
        return describe_touch(out, access_name(context), address, region);
      }
  out = fmt::format_to(out, FMT_COMPILE("signal {} ({})"), signal, ::sigabbrev_np(signal));
  if (call_in_progress.name != nullptr)
    out = fmt::format_to(out, FMT_COMPILE(" in {}"), call_in_progress.name);
  if (signal == SIGSEGV || signal == SIGBUS)
    out = fmt::format_to(out, FMT_COMPILE(" at address {:#x}"), reinterpret_cast<std::uintptr_t>(address));
  if (call_in_progress.name != nullptr && call_in_progress.size.width > 0)
    out = fmt::format_to(out, FMT_COMPILE(", on {}x{} pixels"), call_in_progress.size.width,
                         call_in_progress.size.height);
  return out;
}

void on_crash(int signal, siginfo_t* info, void* context) {
  char line[256] = {kCrashMark};
  char* end = describe(line + 1, signal, *info, context);
  *end++ = '\n';
  [[maybe_unused]] const auto written = ::write(report_descriptor, line, std::size_t(end - line));
  ::signal(signal, SIG_DFL);
  ::raise(signal);
}

}  // namespace

GuardedMemory::GuardedMemory(const GuardedRows& rows, Placement placement, const std::string& name)
    : placement_(placement), num_rows_(rows.num_rows) {
  const std::size_t page = page_size();
  num_row_bytes_ = std::max<std::size_t>(1, (rows.row_size + page - 1) / page) * page;
  row_stride_ = num_row_bytes_ + page;
  // A row of forbidden pages above and one below: y = -1 and y = height are seen too.
  num_page_bytes_ = (num_rows_ + 2) * row_stride_ + page;
  void* pages = ::mmap(nullptr, num_page_bytes_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED) throw std::bad_alloc();
  pages_ = static_cast<std::uint8_t*>(pages);
  protect(PROT_READ | PROT_WRITE);
  const bool ends_at_page = placement == Placement::kEndsAtPage;
  const std::size_t unused = ends_at_page ? num_row_bytes_ - rows.row_size : 0;
  data_ = pages_ + row_stride_ + page + unused;
  const auto free_slot =
      std::find_if(regions.begin(), regions.end(), [](const Region& r) { return r.pages == nullptr; });
  if (free_slot == regions.end()) throw std::bad_alloc();
  slot_ = std::size_t(free_slot - regions.begin());
  *free_slot = {pages_,
                pages_ + num_page_bytes_,
                data_,
                std::ptrdiff_t(rows.row_size),
                std::ptrdiff_t(row_stride_),
                std::ptrdiff_t(ends_at_page ? unused : page),
                std::ptrdiff_t(rows.num_rows),
                {}};
  std::strncpy(free_slot->name, name.c_str(), sizeof free_slot->name - 1);
}

GuardedMemory::~GuardedMemory() {
  regions[slot_] = {};
  ::munmap(pages_, num_page_bytes_);
}

void GuardedMemory::forbid_writing() { protect(PROT_READ); }

void GuardedMemory::protect(int protection) const {
  if (placement_ == Placement::kAmidPages) {
    ::mprotect(pages_, num_page_bytes_, protection);
    return;
  }
  for (std::size_t row = 0; row < num_rows_; ++row)
    ::mprotect(pages_ + (row + 1) * row_stride_ + page_size(), num_row_bytes_, protection);
}

void note_call(const CallInProgress& call) { call_in_progress = call; }

void report_crashes_to(int descriptor) {
  report_descriptor = descriptor;
  // A stack of its own, because the usual one may be what overflowed.
  static std::array<char, 1 << 16> stack;
  stack_t alternative{};
  alternative.ss_sp = stack.data();
  alternative.ss_size = stack.size();
  ::sigaltstack(&alternative, nullptr);
  struct sigaction action {};
  action.sa_sigaction = &on_crash;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  for (const int signal : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGXFSZ, SIGXCPU, SIGSYS})
    ::sigaction(signal, &action, nullptr);
}

}  // namespace mash::checks
