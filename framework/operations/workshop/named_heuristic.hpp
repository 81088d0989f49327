// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "framework/base/work_context.hpp"
#include "framework/extractors/catalogue.hpp"
#include "framework/isolation/isolation.hpp"
#include "framework/operations/workshop/compile.hpp"

namespace mash {

// The name of a heuristic: a project's folder, a C++ source, a plugin or an id.
struct NamedHeuristic {
  std::string name;                            // as it was given
  std::optional<HeuristicSource> source = {};  // a project or a C++ source: what the plugins were made of
  std::vector<std::filesystem::path> plugins = {};  // none: `name` is the id of a heuristic that is found

  // The plugins, then `places`: where a catalogue is to look for the heuristic.
  std::vector<std::string> places_before(const std::vector<std::string>& places) const;
};

// Finds what is meant. What is there is meant before an id of the same name; a folder only if it holds a
// project or one C++ source. A project or source is built as compile_heuristic does, for Isolation::kBox as
// compile_in_box does, and the diagnostics are told at once, as what follows may take long. Errors: those of
// the two; nothing is there of what can be no id (kInput).
Diagnosed<NamedHeuristic> find_named_heuristic(const std::string& name, Isolation isolation,
                                               const WorkContext& work);

// The one heuristic that is named, in a catalogue that looked in places_before. Errors (kInput): no such id,
// with the known ones; the plugins have several heuristics.
Result<const HeuristicInfo*> find_in(const Catalogue& catalogue, const NamedHeuristic& named);

}  // namespace mash
