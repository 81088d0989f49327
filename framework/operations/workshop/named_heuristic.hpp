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

  // The places where a catalogue should look for the heuristic: the plugins, then `places`.
  std::vector<std::string> places_before(const std::vector<std::string>& places) const;
};

// Finds the heuristic that a name means. A file or folder with this name goes before an id; a folder counts
// only where it holds a project or one C++ source. A project or source is built by compile_heuristic, or for
// Isolation::kBox by compile_in_box. The diagnostics are told at once, because the next steps may take long.
// Errors: those of these two functions; there is no such file, and the name cannot be an id (kInput).
Diagnosed<NamedHeuristic> find_named_heuristic(const std::string& name, Isolation isolation,
                                               const WorkContext& work);

// The one heuristic with this name, in a catalogue that looked in places_before. Errors (kInput): there is no
// such id (the message lists the known ones); the plugins have several heuristics.
Result<const HeuristicInfo*> find_in(const Catalogue& catalogue, const NamedHeuristic& named);

}  // namespace mash
