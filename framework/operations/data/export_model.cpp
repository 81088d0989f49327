// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/data/export_model.hpp"

#include <fmt/ranges.h>

namespace mash {
namespace {

using Integers = std::vector<std::int64_t>;
using Reals = std::vector<double>;
using Texts = std::vector<std::optional<std::string>>;

DataTable class_table(const Model& model) {
  Integers indices;
  Texts names;
  for (const std::string& name : model.class_names()) {
    indices.push_back(std::int64_t(indices.size()));
    names.push_back(name);
  }
  return {"classes", {{"class_idx", indices}, {"name", names}}};
}

DataTable family_table(const Model& model) {
  Integers indices, dims;
  Texts names, heuristics, versions, values;
  for (const ModelFamily& family : model.families()) {
    indices.push_back(std::int64_t(indices.size()));
    names.push_back(family.name);
    heuristics.push_back(family.heuristic);
    versions.push_back(family.version);
    values.push_back(fmt::format("{}", fmt::join(family.values, " ")));
    dims.push_back(family.dim);
  }
  return {"families",
          {{"family_idx", indices},
           {"name", names},
           {"heuristic", heuristics},
           {"version", versions},
           {"values", values},
           {"dim", dims}}};
}

std::string kind_of(const Hypothesis& hypothesis) {
  if (hypothesis.is_tree()) return "tree";
  if (hypothesis.is_constant()) return "constant";
  return hypothesis.cuts.size() == 1 ? "stump" : "product";
}

DataTable hypothesis_table(const StrongClassifier& model) {
  Integers indices, num_cuts;
  Reals alphas;
  Texts kinds;
  for (const Hypothesis& hypothesis : model.hypotheses) {
    indices.push_back(std::int64_t(indices.size()));
    kinds.push_back(kind_of(hypothesis));
    alphas.push_back(hypothesis.alpha);
    num_cuts.push_back(std::int64_t(hypothesis.cuts.size()));
  }
  return {"hypotheses",
          {{"hypothesis_idx", indices}, {"kind", kinds}, {"alpha", alphas}, {"num_cuts", num_cuts}}};
}

DataTable cut_table(const StrongClassifier& model) {
  Integers hypotheses, cuts, families, features, below, above;
  Reals thresholds;
  Texts names;
  for (std::size_t h = 0; h < model.hypotheses.size(); ++h) {
    const Hypothesis& hypothesis = model.hypotheses[h];
    for (std::size_t i = 0; i < hypothesis.cuts.size(); ++i) {
      const Cut& cut = hypothesis.cuts[i];
      hypotheses.push_back(std::int64_t(h));
      cuts.push_back(std::int64_t(i));
      families.push_back(cut.family_idx);
      features.push_back(cut.feature_idx);
      names.push_back(fmt::format("{}/{}", model.families[cut.family_idx].name, cut.feature_idx));
      thresholds.push_back(cut.threshold);
      // Cell 1 of a product is where an even number of its cuts does not hold.
      below.push_back(hypothesis.is_tree() ? hypothesis.branches[i].below : -1);
      above.push_back(hypothesis.is_tree() ? hypothesis.branches[i].above : -2);
    }
  }
  return {"cuts",
          {{"hypothesis_idx", hypotheses},
           {"cut_idx", cuts},
           {"family_idx", families},
           {"feature_idx", features},
           {"feature", names},
           {"threshold", thresholds},
           {"below", below},
           {"above", above}}};
}

DataTable vote_table(const StrongClassifier& model) {
  Integers hypotheses, cells, classes;
  Reals votes;
  for (std::size_t h = 0; h < model.hypotheses.size(); ++h) {
    const std::vector<double> of_cells = cell_votes(model.hypotheses[h]);
    for (std::size_t i = 0; i < of_cells.size(); ++i) {
      hypotheses.push_back(std::int64_t(h));
      cells.push_back(std::int64_t(i / model.num_classes()));
      classes.push_back(std::int64_t(i % model.num_classes()));
      votes.push_back(of_cells[i]);
    }
  }
  return {"votes",
          {{"hypothesis_idx", hypotheses}, {"cell", cells}, {"class_idx", classes}, {"vote", votes}}};
}

// For each family its set-up, then its features.
DataTable cost_table(const StrongClassifier& model) {
  Integers families, features;
  Texts names, units;
  Reals costs;
  const auto add = [&](std::size_t family, std::int64_t feature, std::string name, double cost) {
    families.push_back(std::int64_t(family));
    features.push_back(feature);
    names.push_back(fmt::format("{}/{}", model.families[family].name, name));
    costs.push_back(cost);
    units.push_back(model.costs->unit);
  };
  for (std::size_t k = 0; k < model.costs->families.size(); ++k) {
    const ModelFamilyCosts& of_family = model.costs->families[k];
    add(k, -1, "setup", of_family.setup);
    for (std::size_t i = 0; i < of_family.features.size(); ++i)
      add(k, of_family.features[i], std::to_string(of_family.features[i]), of_family.costs[i]);
  }
  return {"costs",
          {{"family_idx", families},
           {"feature_idx", features},
           {"feature", names},
           {"cost", costs},
           {"unit", units}}};
}

DataTable input_table(const InputModel& model) {
  Integers indices, families, features, num_thresholds;
  Texts names;
  Reals missing;
  for (const ModelInput& input : model.inputs) {
    indices.push_back(std::int64_t(indices.size()));
    families.push_back(input.family_idx);
    features.push_back(input.feature_idx);
    names.push_back(fmt::format("{}/{}", model.families[input.family_idx].name, input.feature_idx));
    num_thresholds.push_back(std::int64_t(input.thresholds.size()));
    missing.push_back(input.missing);
  }
  return {"inputs",
          {{"input_idx", indices},
           {"family_idx", families},
           {"feature_idx", features},
           {"feature", names},
           {"num_thresholds", num_thresholds},
           {"missing", missing}}};
}

// Those of the codes.
DataTable threshold_table(const InputModel& model) {
  Integers inputs;
  Reals thresholds;
  for (std::size_t i = 0; i < model.inputs.size(); ++i)
    for (const float threshold : model.inputs[i].thresholds) {
      inputs.push_back(std::int64_t(i));
      thresholds.push_back(threshold);
    }
  return {"thresholds", {{"input_idx", inputs}, {"threshold", thresholds}}};
}

// For each class the intercept, which has input -1, then the coefficients.
DataTable coefficient_table(const LinearModel& model) {
  Integers inputs, classes;
  Reals coefficients;
  for (std::size_t l = 0; l < model.num_classes(); ++l) {
    inputs.push_back(-1);
    classes.push_back(std::int64_t(l));
    coefficients.push_back(model.intercepts[l]);
    for (std::size_t i = 0; i < model.inputs.size(); ++i) {
      inputs.push_back(std::int64_t(i));
      classes.push_back(std::int64_t(l));
      coefficients.push_back(model.coefficients[i * model.num_classes() + l]);
    }
  }
  return {"coefficients", {{"input_idx", inputs}, {"class_idx", classes}, {"coefficient", coefficients}}};
}

DataTable prior_table(const GaussianModel& model) {
  Integers classes;
  Reals priors;
  for (std::size_t l = 0; l < model.num_classes(); ++l) {
    classes.push_back(std::int64_t(l));
    priors.push_back(model.priors[l]);
  }
  return {"priors", {{"class_idx", classes}, {"prior", priors}}};
}

DataTable density_table(const GaussianModel& model) {
  Integers inputs, classes;
  for (std::size_t k = 0; k < model.means.size(); ++k) {
    inputs.push_back(std::int64_t(k / model.num_classes()));
    classes.push_back(std::int64_t(k % model.num_classes()));
  }
  return {"densities",
          {{"input_idx", inputs},
           {"class_idx", classes},
           {"mean", Reals(model.means)},
           {"variance", Reals(model.variances)}}};
}

// The tables of a model of this kind, beside those of its head.
void add_tables(const StrongClassifier& model, std::vector<DataTable>& tables) {
  tables.push_back(hypothesis_table(model));
  tables.push_back(cut_table(model));
  tables.push_back(vote_table(model));
  if (model.costs) tables.push_back(cost_table(model));
}
void add_tables(const LinearModel& model, std::vector<DataTable>& tables) {
  tables.push_back(input_table(model));
  tables.push_back(threshold_table(model));
  tables.push_back(coefficient_table(model));
}
void add_tables(const GaussianModel& model, std::vector<DataTable>& tables) {
  tables.push_back(input_table(model));
  tables.push_back(threshold_table(model));
  tables.push_back(prior_table(model));
  tables.push_back(density_table(model));
}

// The examples without their numbers.
DataTable example_table(const NeighboursModel& model) {
  return {"examples",
          {{"class_idx", Integers(model.classes.begin(), model.classes.end())},
           {"weight", Reals(model.example_weights)}}};
}
void add_tables(const NeighboursModel& model, std::vector<DataTable>& tables) {
  tables.push_back(input_table(model));
  tables.push_back(threshold_table(model));
  tables.push_back(example_table(model));
}

DataTable step_table(const TreeModel& model) {
  Integers steps, inputs, below, above;
  Reals thresholds;
  for (std::size_t s = 0; s < model.steps.size(); ++s) {
    const TreeStep& step = model.steps[s];
    if (step.is_leaf()) continue;
    steps.push_back(std::int64_t(s));
    inputs.push_back(step.input);
    thresholds.push_back(step.threshold);
    below.push_back(step.below);
    above.push_back(step.above);
  }
  return {"questions",
          {{"step_idx", steps},
           {"input_idx", inputs},
           {"threshold", thresholds},
           {"below", below},
           {"above", above}}};
}

DataTable share_table(const TreeModel& model) {
  Integers steps, classes;
  for (std::size_t k = 0; k < model.shares.size(); ++k) {
    steps.push_back(std::int64_t(k / model.num_classes()));
    classes.push_back(std::int64_t(k % model.num_classes()));
  }
  return {"shares", {{"step_idx", steps}, {"class_idx", classes}, {"share", Reals(model.shares)}}};
}

void add_tables(const TreeModel& model, std::vector<DataTable>& tables) {
  tables.push_back(input_table(model));
  tables.push_back(threshold_table(model));
  tables.push_back(step_table(model));
  tables.push_back(share_table(model));
}

// The vectors without their numbers: a row for each machine that they are part of.
DataTable vector_table(const KernelModel& model) {
  const std::size_t num_others = model.num_classes() - 1;
  Integers vectors, classes, others;
  for (std::size_t k = 0; k < model.coefficients.size(); ++k) {
    const std::size_t own = model.classes[k / num_others], other = k % num_others;
    vectors.push_back(std::int64_t(k / num_others));
    classes.push_back(std::int64_t(own));
    others.push_back(std::int64_t(other < own ? other : other + 1));
  }
  return {"vectors",
          {{"vector_idx", vectors},
           {"class_idx", classes},
           {"other_class_idx", others},
           {"coefficient", Reals(model.coefficients)}}};
}

DataTable machine_table(const KernelModel& model) {
  Integers classes, others;
  for (std::size_t a = 0; a < model.num_classes(); ++a)
    for (std::size_t b = a + 1; b < model.num_classes(); ++b) {
      classes.push_back(std::int64_t(a));
      others.push_back(std::int64_t(b));
    }
  return {"machines", {{"class_idx", classes}, {"other_class_idx", others}, {"bias", Reals(model.biases)}}};
}

void add_tables(const KernelModel& model, std::vector<DataTable>& tables) {
  tables.push_back(input_table(model));
  tables.push_back(threshold_table(model));
  tables.push_back(machine_table(model));
  tables.push_back(vector_table(model));
}

}  // namespace

std::vector<DataTable> model_tables(const Model& model) {
  std::vector<DataTable> tables{class_table(model), family_table(model)};
  model.visit([&](const auto& of_kind) { add_tables(of_kind, tables); });
  return tables;
}

Result<std::vector<DataTable>> export_model(const ModelSource& source, DataFormat format,
                                            const std::filesystem::path& output, const WorkContext& work) {
  MASH_ASSIGN(const LoadedModel loaded, load_model(source, work));
  std::vector<DataTable> tables = model_tables(loaded.model);
  MASH_TRY(write_tables(tables, format, output));
  return tables;
}

}  // namespace mash
