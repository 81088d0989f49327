// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "framework/base/parallel.hpp"
#include "framework/base/progress.hpp"

namespace mash {

// A listener to what happens beside the result, while it happens. [any thread]
class Remarks {
 public:
  virtual ~Remarks() = default;
  // Something is not as one would expect, and the work goes on: "plugin x.so refused: ...".
  virtual void warn(std::string_view text) = 0;
  // Something that is as it should be: which step begins or is left out, what a compiler printed, what a
  // heuristic logs. May have several lines.
  virtual void tell(std::string_view text) = 0;
};

// For callers who do not listen; shared by all.
Remarks& no_remarks();

// The surroundings of a long piece of work: the threads to use, who hears how it goes, and who may stop it.
// All of these outlive the work, and what it leaves behind (features that are computed on demand use the
// workers).
struct WorkContext {
  const Workers& workers;
  Progress& progress;
  Remarks& remarks;
  const StopFlag& stop;
};

}  // namespace mash
