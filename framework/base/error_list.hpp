// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include "framework/base/result.hpp"

namespace mash {

// All errors of one input, to be told at once.
class ErrorList {
 public:
  // One that is there already is not added again.
  void add(Error error);
  bool empty() const { return errors_.empty(); }

  // Done where there is no error, and the error itself where there is one. Of several an error whose first
  // line counts them, "e.yaml: 3 errors", and that has one a line: first those that begin with a place in the
  // file, "e.yaml:4:11: ", in the order of these; then the others, as they came.
  Status status(std::string_view file) const;

 private:
  std::vector<Error> errors_;
};

}  // namespace mash
