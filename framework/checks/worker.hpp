// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace mash::checks {

// The program mash-worker for `mash heuristic check`: a process with a plugin, which takes the steps of
// checks (step.hpp) that it reads on kWorkerDescriptor, and answers each there. The first line is a request,
// a JSON object: `plugin`, `heuristic_idx`, and what may be missing: `walls`, "process" or "box" (none where
// it is missing), `threads` (whether these walls let threads start), `log` (a file that stderr goes to), and
// `forget` (names of variables that the plugin shall not see). A line that begins with kCrashMark says how
// the process is about to crash; {"log": TEXT} is what the heuristic logs.

// Ends the process, unless the first line is no request: then it returns.
void run_worker();

}  // namespace mash::checks
