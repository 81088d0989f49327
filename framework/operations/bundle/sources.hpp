// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "classifiers/model/model.hpp"
#include "framework/base/scratch_folder.hpp"
#include "framework/base/work_context.hpp"
#include "framework/extractors/catalogue.hpp"

namespace mash {

// Sources of heuristics that a user gave, built as plugins in a folder of their own.
class GivenSources {
 public:
  // places: C++ sources, or folders with one (its test apart). Errors (kInput): there is none, or several;
  // those of check_source. kFailure: it does not compile. kStopped.
  static Result<GivenSources> build(const std::vector<std::string>& places, const WorkContext& work);

  // The plugins, in the order of the places.
  std::vector<std::string> plugins() const;
  // The source that a plugin was built of; null for others.
  const std::filesystem::path* source_of(const std::filesystem::path& plugin) const;
  const std::vector<std::filesystem::path>& sources() const { return sources_; }

  const std::filesystem::path& folder() const { return folder_.path(); }

 private:
  explicit GivenSources(ScratchFolder folder) : folder_(std::move(folder)) {}
  std::filesystem::path plugin(std::size_t i) const;

  ScratchFolder folder_;
  std::vector<std::filesystem::path> sources_;
};

// How a heuristic gets into a bundle.
enum class HeuristicForm {
  kSource,  // compiled into it
  kPlugin,  // copied beside it, and loaded
};

// A heuristic of which a model uses features.
struct BundledHeuristic {
  std::string id, version, author, license;
  HeuristicForm form = HeuristicForm::kSource;
  std::string file = {};  // the name of the source, or of the plugin's copy
  std::string text = {};  // of the source, or the plugin's bytes
  std::size_t idx_in_plugin = 0;
};

// The heuristics of a model's families with needed features, each once: those that came with this program and
// those of given sources as source, others as plugins. Errors (kInput): those of find_heuristic; a given
// source of which the model uses nothing.
Result<std::vector<BundledHeuristic>> heuristics_of(const Model& model, const GivenSources& given,
                                                    Catalogue& catalogue);

// Whose work a bundle holds, and the terms: the text of its file LICENSES. name: the bundle's.
std::string licences_of(const std::vector<BundledHeuristic>& heuristics, const std::string& name);

}  // namespace mash
