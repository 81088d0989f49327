// SPDX-License-Identifier: Apache-2.0
// The program mash-worker: runs the code of plugins for mash, so that what they do wrong ends this process
// and no other. `serve BYTES`, `serve-boxed BYTES`: runs heuristics for a host
// (framework/isolation/worker_messages.hpp), each with so much memory. Else it is asked by checks
// (framework/checks/worker.hpp).
#include <string_view>

#include "framework/base/number.hpp"
#include "framework/base/program_end.hpp"
#include "framework/checks/worker.hpp"
#include "framework/isolation/box_probe.hpp"
#include "framework/isolation/worker_service.hpp"

// An exception that a plugin throws where none may leave ends the process by a signal, which its host tells.
int main(int argc, char** argv) {
  const std::string_view verb = argc == 3 ? argv[1] : "";
  if (verb == "serve" || verb == "serve-boxed")
    mash::serve_heuristics(mash::number_in<std::uint64_t>(argv[2]).value_or(0), verb == "serve-boxed");
  if (argc == 2 && mash::checks::is_worker_request(argv[1])) mash::checks::run_worker(argv[1]);
  if (argc == 2 && argv[1] == std::string_view(mash::kProbeRequest)) mash::run_box_probe();
  mash::print_error_text(
      "mash-worker: mash starts this program to run plugins in; it does nothing by itself\n");
  return 2;
}
