// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace mash {

// What a worker process does: one request, answered line by line on kWorkerDescriptor; never returns. A line
// is a JSON object, or kCrashMark and how the process is about to crash. `mode` of the request:
//   "find"      heuristics: [path]            -> {heuristics: [{id, plugin}]}, or {error, is_input}
//   "describe"  plugin                        -> {heuristics: [{id}]} or {error}
//   "check"     a CheckTarget, checks: [id]   -> for each: {begin: id}, then {end: id, outcome, evidence,
//                                                seconds}
//   "features"  a CheckTarget, file           -> nothing, and floats in the file
[[noreturn]] void run_check_worker(const std::string& request);

}  // namespace mash
