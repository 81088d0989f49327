// SPDX-License-Identifier: Apache-2.0
#include "framework/base/cpu_watch.hpp"

#include <sys/resource.h>
#include <time.h>

namespace mash {

double CpuWatch::now(Whose whose) {
  if (whose == Whose::kThread) {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return double(time.tv_sec) + 1e-9 * double(time.tv_nsec);
  }
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& t) { return double(t.tv_sec) + 1e-6 * double(t.tv_usec); };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

}  // namespace mash
