// SPDX-License-Identifier: Apache-2.0
#include "framework/dataset/dataset.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace mash {
namespace {

using Json = nlohmann::ordered_json;

}  // namespace

std::vector<std::size_t> class_counts(const Split& split, std::size_t num_classes) {
  std::vector<std::size_t> counts(num_classes);
  for (const std::uint16_t label : split.labels) ++counts[label];
  return counts;
}

std::size_t num_sequences(const Dataset& dataset) {
  const auto of_side = [](const Split& split) {
    return std::ranges::count_if(split.frames, [](const Frame& frame) { return frame.place == 0; });
  };
  return std::size_t(of_side(dataset.train) + of_side(dataset.test));
}

Json to_json(const Dataset& dataset) {
  Json json{{"name", dataset.name},
            {"fingerprint", dataset.fingerprint},
            {"train", dataset.train.num_examples},
            {"endless", dataset.train.is_endless()},
            {"test", dataset.test.num_examples},
            {"width", dataset.shape.width},
            {"height", dataset.shape.height},
            {"channels", dataset.shape.num_channels},
            {"cameras", dataset.shape.num_cameras},
            {"sequences", num_sequences(dataset)},
            {"columns", dataset.column_names},
            {"classes", Json::array()},
            {"sources", Json::array()},
            {"warnings", dataset.warnings}};
  const auto train = class_counts(dataset.train, dataset.num_classes()),
             test = class_counts(dataset.test, dataset.num_classes());
  for (std::size_t l = 0; l < dataset.num_classes(); ++l)
    json["classes"].push_back({{"name", dataset.class_names[l]}, {"train", train[l]}, {"test", test[l]}});
  for (const SourceFile& source : dataset.sources)
    json["sources"].push_back(
        {{"path", source.path.string()}, {"sha256", source.sha256}, {"bytes", source.num_bytes}});
  return json;
}

}  // namespace mash
