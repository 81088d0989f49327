// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "framework/base/settings.hpp"
#include "framework/base/work_context.hpp"
#include "framework/dataset/dataset.hpp"
#include "framework/operations/common/plugins.hpp"
#include "framework/operations/data/files.hpp"
#include "framework/operations/experiment/experiment.hpp"

namespace mash {

// Which features of which images.
struct FeaturesToExport {
  std::string dataset;  // by name, with its settings; empty: the pictures below
  Settings settings;
  std::uint64_t seed = 1;             // of a generated data set, a split, and heuristics that draw
  std::vector<std::string> pictures;  // files, and folders whose pictures are taken, in the order of names
  std::string heuristics = "all";     // as an experiment file has them: "[{id: hog, cell: 4}, lbp]"
  std::string called = "heuristics";  // what errors call that
};

struct ExportedFamily {
  std::string name, version, settings;
  std::uint32_t dim = 0;
};
struct FeatureExport {
  std::size_t num_train = 0, num_test = 0;  // of pictures, none is of the test side
  std::vector<ExportedFamily> families;
};

// Writes the floats of all features (docs/export.md): as npz an array for each family, as csv one file with a
// column for each feature, FAMILY/INDEX. A heuristic that was merely found and has no features on these
// images is left out, with a warning. Memory: the images, and a part of the features. Errors (kInput): those
// of load_dataset and of heuristics; pictures that cannot be read or differ in size; kFailure: the disk's;
// kStopped.
Result<FeatureExport> export_features(const FeaturesToExport& wanted, const PluginPlaces& plugins,
                                      DataFormat format, const std::filesystem::path& output,
                                      const WorkContext& work);

// The output of `mash export features --json` beside the file; its keys are a contract.
nlohmann::ordered_json to_json(const FeatureExport& features);

}  // namespace mash
