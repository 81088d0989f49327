// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "framework/base/work_context.hpp"
#include "framework/extractors/catalogue.hpp"
#include "framework/families/feature_set.hpp"
#include "framework/operations/experiment/experiment.hpp"
#include "framework/records/records.hpp"

namespace mash {

// Where trainings find heuristics and keep what they make.
struct WorkspaceSettings {
  std::vector<std::string> heuristics = {};  // plugins and folders of plugins, before the usual folders
  std::filesystem::path database = {};       // empty: default_database()
  std::filesystem::path store = {};          // of features, checkpoints and models; empty: default_store()
  std::uint64_t store_limit = ~std::uint64_t(0);  // bytes; families beyond it are computed on demand
  bool strict = false;                            // refuse a heuristic that gives a value that is not finite
  bool takes_endless = false;  // training data may have no end: for those who train and do nothing else
};

// The data of an experiment with its features, and the records: shared by experiments that differ only in
// booster, weak learner, sampler and seed. One training at a time, except SubsetTrainer's.
struct Workspace {
  Catalogue catalogue;
  std::shared_ptr<const Dataset> dataset;  // features on demand refer to it
  FeatureSet features;
  Records records;
  std::filesystem::path store;
  bool strict = false;

  // Warnings on the data set, the heuristics that were left out and the plugins that were refused.
  std::vector<std::string> warnings() const;
  // Errors (kInput): under `strict`, a family gave a value that is not finite; of families that are computed
  // on demand, up to now.
  Status check_faults() const;
};

// Parts of a workspace that the caller has at hand.
struct AlreadyOpen {
  std::optional<Catalogue> catalogue = {};
  std::shared_ptr<const Dataset> dataset = {};  // that of the experiment
};

// Loads the data, extracts what the store lacks and passes the warnings on as remarks. The workers outlive
// the workspace. open: taken as it is, not opened again. Errors: all that is wrong with the experiment or
// with where things are kept (kInput), or the machine (kFailure); kStopped.
Result<Workspace> open_workspace(const Experiment& experiment, const WorkspaceSettings& settings,
                                 const WorkContext& work, AlreadyOpen open = {});

}  // namespace mash
