// SPDX-License-Identifier: Apache-2.0
// The program mash-worker: runs the code of plugins for mash, so that what they do wrong ends this process
// and no other. See framework/isolation/worker_process.hpp for its life, framework/checks/worker.hpp for its
// requests.
#include <cstdio>
#include <string_view>

#include "framework/checks/worker.hpp"
#include "framework/isolation/box_probe.hpp"

int main(int argc, char** argv) {
  if (argc == 2 && mash::checks::is_worker_request(argv[1])) mash::checks::run_worker(argv[1]);
  if (argc == 2 && argv[1] == std::string_view(mash::kProbeRequest)) mash::run_box_probe();
  std::fputs("mash-worker: mash starts this program to run plugins in; it does nothing by itself\n", stderr);
  return 2;
}
