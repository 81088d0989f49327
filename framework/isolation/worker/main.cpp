// SPDX-License-Identifier: Apache-2.0
// The program mash-worker: runs the code of plugins for mash, so that what they do wrong ends this process
// and no other. The first word on its channel says whether it runs heuristics for a host
// (framework/isolation/worker_messages.hpp) or is asked by checks (framework/checks/worker.hpp).
#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>
#include <string_view>

#include "framework/base/program_end.hpp"
#include "framework/checks/worker.hpp"
#include "framework/isolation/box_probe.hpp"
#include "framework/isolation/worker_process.hpp"
#include "framework/isolation/worker_service.hpp"

// With sanitizers too, the signal of a plugin that crashes ends the process, and one that exits leaves with
// its exit code: looking for leaks then would need calls that a worker may not make.
#if defined(__SANITIZE_ADDRESS__)
extern "C" const char* __asan_default_options() {
  return "detect_leaks=0:handle_segv=0:handle_sigbus=0:handle_sigfpe=0:handle_sigill=0";
}
#elif defined(__SANITIZE_THREAD__)
extern "C" const char* __tsan_default_options() {
  return "handle_segv=0:handle_sigbus=0:handle_sigfpe=0:handle_sigill=0";
}
#endif

namespace {

// 0: nobody says anything.
std::uint64_t first_word() {
  std::uint64_t word = 0;
  struct stat about {};
  const bool has_channel = ::fstat(mash::kChannelDescriptor, &about) == 0 && S_ISSOCK(about.st_mode);
  const bool is_there = has_channel && ::read(mash::kChannelDescriptor, &word, sizeof word) == sizeof word;
  return is_there ? word : 0;
}

}  // namespace

// An exception that a plugin throws where none may leave ends the process by a signal, which its host tells.
int main(int argc, char** argv) {
  if (argc == 2 && argv[1] == std::string_view(mash::kProbeRequest)) mash::run_box_probe();
  const std::uint64_t purpose = argc == 1 ? first_word() : 0;
  if (purpose == mash::kServesHost) mash::serve_heuristics();
  if (purpose == mash::kServesChecks) mash::checks::run_worker();
  mash::print_error_text(
      "mash-worker: mash starts this program to run plugins in; it does nothing by itself\n");
  return 2;
}
