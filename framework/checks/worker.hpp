// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace mash::checks {

// The program mash-worker for `mash heuristic check`: a process with a plugin, which takes the steps of
// checks (step.hpp) that it reads on kWorkerDescriptor, and answers each there. It is told which plugin by a
// JSON object: `plugin`, `heuristic_idx`, and `log`, a file that stderr goes to, which may be missing. A line
// that begins with kCrashMark says how the process is about to crash; {"log": TEXT} is what the heuristic
// logs.

// Whether the text is a request, and somebody listens for the answer.
bool is_worker_request(const std::string& text);
// REQUIRES: is_worker_request(request). Ends the process.
[[noreturn]] void run_worker(const std::string& request);

}  // namespace mash::checks
