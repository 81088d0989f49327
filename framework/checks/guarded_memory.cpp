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

#include "framework/isolation/worker_process.hpp"

namespace mash::checks {
namespace {

// What the signal handler reads: plain memory, no allocation.
struct Region {
  const std::uint8_t* pages = nullptr;
  const std::uint8_t* pages_end = nullptr;
  const std::uint8_t* data = nullptr;
  const std::uint8_t* data_end = nullptr;
  char name[32] = {};
};
std::array<Region, 64> regions;
int report_descriptor = -1;

std::size_t page_size() { return std::size_t(::sysconf(_SC_PAGESIZE)); }

const char* access_name(const void* context) {
#if defined(__x86_64__)
  constexpr greg_t kWrite = 2;
  const auto* machine = static_cast<const ucontext_t*>(context);
  return (machine->uc_mcontext.gregs[REG_ERR] & kWrite) != 0 ? "write" : "read";
#else
  (void)context;
  return "access";
#endif
}

// Formats into a buffer of its own: nothing here allocates.
template <class Out>
Out describe(Out out, int signal, const siginfo_t& info, const void* context) {
  const auto* address = static_cast<const std::uint8_t*>(info.si_addr);
  if (signal == SIGSEGV || signal == SIGBUS)
    for (const Region& region : regions) {
      if (region.pages == nullptr || address < region.pages || address >= region.pages_end) continue;
      const char* access = access_name(context);
      if (address < region.data)
        return fmt::format_to(out, FMT_COMPILE("{} {} bytes before the beginning of {}"), access,
                              region.data - address, region.name);
      if (address >= region.data_end)
        return fmt::format_to(out, FMT_COMPILE("{} {} bytes after the end of {}"), access,
                              address - region.data_end, region.name);
      return fmt::format_to(out, FMT_COMPILE("{} at byte {} of {}, which is read-only"), access,
                            address - region.data, region.name);
    }
  if (signal == SIGSEGV || signal == SIGBUS)
    return fmt::format_to(out, FMT_COMPILE("signal {} ({}) at address {:#x}"), signal, ::sigabbrev_np(signal),
                          reinterpret_cast<std::uintptr_t>(address));
  return fmt::format_to(out, FMT_COMPILE("signal {} ({})"), signal, ::sigabbrev_np(signal));
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

GuardedMemory::GuardedMemory(std::size_t size, Placement placement, const std::string& name) : size_(size) {
  const std::size_t page = page_size();
  const std::size_t num_data_bytes = std::max<std::size_t>(1, (size + page - 1) / page) * page;
  num_page_bytes_ = num_data_bytes + 2 * page;
  void* pages = ::mmap(nullptr, num_page_bytes_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED) throw std::bad_alloc();
  pages_ = static_cast<std::uint8_t*>(pages);
  ::mprotect(pages_ + page, num_data_bytes, PROT_READ | PROT_WRITE);
  data_ = pages_ + page + (placement == Placement::kEndsAtPage ? num_data_bytes - size : 0);
  const auto free_slot =
      std::find_if(regions.begin(), regions.end(), [](const Region& r) { return r.pages == nullptr; });
  if (free_slot == regions.end()) throw std::bad_alloc();
  slot_ = std::size_t(free_slot - regions.begin());
  *free_slot = {pages_, pages_ + num_page_bytes_, data_, data_ + size_, {}};
  std::strncpy(free_slot->name, name.c_str(), sizeof free_slot->name - 1);
}

GuardedMemory::~GuardedMemory() {
  regions[slot_] = {};
  ::munmap(pages_, num_page_bytes_);
}

void GuardedMemory::forbid_writing() {
  const std::size_t page = page_size();
  ::mprotect(pages_ + page, num_page_bytes_ - 2 * page, PROT_READ);
}

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
