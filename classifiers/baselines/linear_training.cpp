// SPDX-License-Identifier: Apache-2.0
#include "classifiers/baselines/linear_training.hpp"

#include "classifiers/learners/trained_head.hpp"

namespace mash {

LinearModel linear_model_of(const LinearFit& fit, const TrainingContext& context) {
  LinearModel model;
  static_cast<ModelHead&>(model) = trained_head(context.dataset, context.features);
  model.intercepts = fit.intercepts;
  model.has_softmax = fit.has_softmax;
  const std::size_t num_classes = model.num_classes();
  for (std::size_t i = 0; i < fit.features.size(); ++i) {
    model.inputs.push_back(input_of(fit.features[i], fit.number, fit.means[i], context.features));
    for (std::size_t l = 0; l < num_classes; ++l) {
      model.coefficients.push_back(fit.factors[i * num_classes + l]);
      model.intercepts[l] -= model.coefficients.back() * fit.means[i];
    }
  }
  return model;
}

}  // namespace mash
