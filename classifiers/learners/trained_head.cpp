// SPDX-License-Identifier: Apache-2.0
#include "classifiers/learners/trained_head.hpp"

namespace mash {

ModelHead trained_head(const Dataset& dataset, const FeatureSet& features) {
  ModelHead head{dataset.class_names, dataset.shape, dataset.column_names, {}};
  if (dataset.is_table()) {
    head.category_names = dataset.category_names;
    head.category_names->resize(dataset.column_names.size());
    head.label_name = dataset.label_name;
    head.missing = dataset.missing;
  }
  for (const FamilyInfo& family : features.families())
    head.families.push_back({family.spec.name, family.spec.heuristic.id, family.spec.heuristic.version,
                             family.spec.values, family.dim});
  return head;
}

}  // namespace mash
