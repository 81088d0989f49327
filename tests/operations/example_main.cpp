// SPDX-License-Identifier: Apache-2.0
#include <cstdio>

#include "framework/base/scratch_folder.hpp"
#include "tests/operations/example.hpp"

// Exit code 0 where the jobs came to what they should.
int main() {
  const auto folder = mash::ScratchFolder::make("example");
  if (!folder.ok()) return 1;
  const mash::example::TwoJobs jobs = mash::example::run_two_jobs(folder->path());
  for (const auto* job : {&jobs.endless, &jobs.other})
    std::puts(job->ok() ? (*job)->diagnostics.c_str() : job->error().message.c_str());
  return !jobs.endless.ok() && jobs.other.ok() ? 0 : 1;
}
