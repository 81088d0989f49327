// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "framework/base/settings.hpp"
#include "framework/base/work_context.hpp"
#include "framework/dataset/dataset.hpp"
#include "framework/operations/common/plugins.hpp"
#include "framework/operations/data/files.hpp"
#include "framework/operations/experiment/experiment.hpp"

namespace mash {

// Features and images to export.
struct FeaturesToExport {
  std::string dataset;  // by name, with its settings; empty: the pictures below
  Settings settings;
  std::uint64_t seed = 1;             // of a generated data set, a split, and heuristics that draw
  std::vector<std::string> pictures;  // files, and folders whose pictures are taken, in the order of names
  bool skip_broken = false;           // go on without pictures that cannot be read or have another size
  std::string skip_called = "skip_broken";  // what warnings call that
  std::string advice_for_broken;      // the end of an error about one that cannot be read: how to skip it
  std::string heuristics = "all";     // as an experiment file has them: "[{id: hog, cell: 4}, lbp]"
  std::string called = "heuristics";  // what errors call that
};

struct ExportedFamily {
  std::string name, version, settings;
  std::uint32_t dim = 0;
};
// A picture that was left out.
struct BrokenPicture {
  std::string image;   // as it was named
  std::string reason;  // why it cannot be exported
};
struct FeatureExport {
  std::size_t num_train = 0, num_test = 0;           // of pictures, none is of the test side
  std::optional<std::vector<BrokenPicture>> broken;  // where such pictures are skipped
  std::vector<ExportedFamily> families;
};

// Writes the values of all features as floats (docs/export.md). npz has an array for each family; csv is one
// file with a column for each feature, FAMILY/INDEX. A heuristic that the user did not name is left out, with
// a warning, where it has no features on these images. Pictures have the size of the first that can be read;
// those that are skipped have no rows, and warnings name them. Memory holds the images and a part of the
// features. Errors (kInput): those of load_dataset and of heuristics; pictures that cannot be read or differ
// in size; kFailure: the disk's; kStopped.
Result<FeatureExport> export_features(const FeaturesToExport& wanted, const PluginPlaces& plugins,
                                      DataFormat format, const std::filesystem::path& output,
                                      const WorkContext& work);

// The document that `mash export features --json` prints; its keys are a contract.
nlohmann::ordered_json to_json(const FeatureExport& features);

}  // namespace mash
