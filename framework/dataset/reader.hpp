// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

#include "framework/base/result.hpp"
#include "framework/base/settings.hpp"
#include "framework/base/work_context.hpp"
#include "framework/dataset/dataset.hpp"
#include "framework/dataset/split.hpp"
#include "framework/dataset/table_layout.hpp"

namespace mash {

// Input of a reader beside its settings.
struct ReadRequest {
  std::string_view name;  // of the format
  std::uint64_t seed = 0;
  const SplitRequest& split;  // already read; readers need not look at it
  WorkContext work;           // its threads are all that a reader uses
  // The columns of the model that a table is read for, else null. Readers of tables of text give these
  // columns; what others read must have them.
  const TableLayout* layout = nullptr;
};

// A reader reads its keys, refuses the unknown ones (Settings::finish) before it opens any file (the settings
// may be there to be checked alone), and gives all examples as published: `test` stays empty where the
// publisher does not divide them. Sources are in reading order. Its errors are kInput and name the file and
// the place in it, what was found and what was expected; or kStopped.
using Reader = Result<Dataset> (*)(Settings& settings, const ReadRequest& request);

}  // namespace mash
