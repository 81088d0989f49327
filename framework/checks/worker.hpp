// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace mash::checks {

// The program mash-worker for `mash heuristic check`: one request, answered line by line on
// kWorkerDescriptor. A line is a JSON object, or kCrashMark and how the process is about to crash. The
// request is a JSON object too; `log`: a file that stderr goes to, may be missing; its `mode`:
//   "check"     a CheckTarget, checks: [id]   -> for each: {begin: id}, then {end: id, outcome, evidence,
//                                                seconds}
//   "features"  a CheckTarget, file, fill     -> nothing, and floats in the file; fill: may be missing

// Whether the text is a request, and somebody listens for the answer.
bool is_worker_request(const std::string& text);
// REQUIRES: is_worker_request(request). Ends the process.
[[noreturn]] void run_worker(const std::string& request);

}  // namespace mash::checks
