// SPDX-License-Identifier: Apache-2.0
#include "classifiers/serving/family_pools.hpp"

#include <algorithm>

#include "framework/families/columns/column_table.hpp"

namespace mash {

Result<const HeuristicInfo*> find_heuristic(const ModelFamily& family, const Catalogue& catalogue) {
  if (has_given_columns(family.heuristic))
    return input_error(
        "family {}: the model reads columns of a file that were given for the pictures of its data set, "
        "which no other picture has; expected a model of heuristics alone, such as the same experiment "
        "without {}",
        family.name, family.name);
  MASH_ASSIGN(const HeuristicInfo* info, catalogue.find(family.heuristic));
  if (info->version != family.version)
    return input_error("heuristic {}: found version {} at {}, the model was trained with {}",
                       family.heuristic, info->version, info->plugin.string(), family.version);
  if (info->parameters.size() != family.values.size())
    return input_error("heuristic {}: found {} parameters, the model has values for {}", family.heuristic,
                       info->parameters.size(), family.values.size());
  for (std::size_t i = 0; i < family.values.size(); ++i) {
    const ParameterInfo& parameter = info->parameters[i];
    if (!(family.values[i] >= parameter.minimum && family.values[i] <= parameter.maximum))
      return input_error("heuristic {}: {}: found {} in the model, expected {} to {}", family.heuristic,
                         parameter.id, family.values[i], parameter.minimum, parameter.maximum);
  }
  return info;
}

Result<FamilyPools> FamilyPools::open(std::span<const ModelFamily> families,
                                      std::span<const std::vector<std::uint32_t>> needed,
                                      const ImageShape& shape, Catalogue& catalogue) {
  FamilyPools result;
  result.pools_.resize(families.size());
  for (std::size_t k = 0; k < families.size(); ++k) {
    const ModelFamily& family = families[k];
    if (needed[k].empty() || family.heuristic == kColumnsFamily) continue;
    MASH_ASSIGN(const HeuristicInfo* info, find_heuristic(family, catalogue));
    auto pool = std::make_unique<InstancePool>(catalogue.host(), *info, family.values, shape.num_cameras);
    MASH_ASSIGN(auto instance, pool->take());
    MASH_ASSIGN(const std::uint32_t dim, instance->dim({shape.width, shape.height}));
    pool->give_back(std::move(instance));
    MASH_TRY(check_dim(family, dim));
    result.pools_[k] = std::move(pool);
  }
  return result;
}

Result<FamilyPools::Instances> FamilyPools::take() const {
  Instances instances;
  for (const auto& pool : pools_) {
    instances.emplace_back();
    if (pool == nullptr) continue;
    MASH_ASSIGN(instances.back(), pool->take());
  }
  return instances;
}

void FamilyPools::give_back(Instances instances) const {
  for (std::size_t k = 0; k < pools_.size(); ++k)
    if (instances[k]) pools_[k]->give_back(std::move(instances[k]));
}

std::size_t FamilyPools::looks_back(const Split& split) const {
  std::size_t most = 0;
  if (split.frames.empty()) return most;
  for (const auto& pool : pools_)
    if (pool != nullptr) most = std::max<std::size_t>(most, pool->heuristic().looks_back);
  return most;
}

}  // namespace mash
