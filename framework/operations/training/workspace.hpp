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

// Places where trainings find heuristics and keep their results.
struct WorkspaceSettings {
  std::vector<std::string> heuristics = {};  // plugins and folders of plugins, before the usual folders
  std::filesystem::path database = {};       // empty: default_database()
  std::filesystem::path store = {};          // of features, checkpoints and models; empty: default_store()
  std::uint64_t store_limit = ~std::uint64_t(0);  // bytes; families beyond it are computed on demand
  bool strict = false;                            // refuse a heuristic that gives a value that is not finite
  std::uint64_t family_limit = kFamilyLimit;      // bytes that one may take while it is computed
  bool takes_endless = false;                     // training data may be endless; for callers that only train
  bool forgets_names = false;  // of pictures, as what is published must not tell which pictures judge
};

// The folder of the store with the rounds of finished trainings, which others of more or fewer rounds take,
// and the bytes that its files may have together when a workspace is opened.
inline constexpr const char* kRoundsFolder = "rounds";
inline constexpr std::uint64_t kMostRoundsBytes = std::uint64_t(512) << 20;

// Where the features of an experiment are kept, and how. Errors (kInput): those of make_learner.
Result<StoreSettings> store_settings_of(const Experiment& experiment, const WorkspaceSettings& settings);

// The data of an experiment with its features, and the records. Experiments that differ only in booster, weak
// learner, sampler and seed can share it. It serves one training at a time, except those of SubsetTrainer.
struct Workspace {
  Catalogue catalogue;
  std::shared_ptr<const Dataset> dataset;  // features on demand refer to it
  FeatureSet features;
  Records records;
  std::filesystem::path store;
  bool strict = false;
  // Warnings on the data set, the heuristics that were left out and the plugins that were refused.
  std::vector<std::string> warnings = {};

  // Errors (kInput): `strict` is set and a family has given a value that is not finite. Families that are
  // computed on demand are checked as far as they were computed.
  Status check_faults() const { return strict ? check_strict(features) : Done{}; }
};

// Parts of a workspace that the caller has opened already.
struct AlreadyOpen {
  std::optional<Catalogue> catalogue = {};
  std::shared_ptr<const Dataset> dataset = {};  // that of the experiment
  // In place of the families of the experiment, where its data set has images.
  std::optional<std::vector<FamilySpec>> families = {};
};

// Loads the data, extracts the features that the store lacks and passes warnings on as remarks. The workers
// outlive the workspace. open: parts that are used as they are and not opened again. Errors: everything that
// is wrong with the experiment or with the places of files (kInput), or with the machine (kFailure);
// kStopped.
Result<Workspace> open_workspace(const Experiment& experiment, const WorkspaceSettings& settings,
                                 const WorkContext& work, AlreadyOpen open = {});

}  // namespace mash
