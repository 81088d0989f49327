// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/prediction/predict_rows.hpp"

#include <nlohmann/json.hpp>

#include "classifiers/serving/predictor.hpp"
#include "framework/operations/prediction/paid_model.hpp"

namespace mash {
namespace {

Result<std::vector<RowPrediction>> predict_table(const LoadedModel& loaded, const Predictor& predictor,
                                                 const std::string& table, const Settings& settings,
                                                 const WorkContext& work) {
  MASH_ASSIGN(const Dataset rows, read_rows_for(loaded, table, settings, work));
  const Model& model = loaded.model;
  MASH_ASSIGN(const std::vector<double> scores,
              predictor.scores(rows.test, work.workers, work.progress, work.stop));
  std::vector<RowPrediction> predictions;
  for (std::size_t n = 0; n < rows.test.num_examples; ++n) {
    const auto of_row = std::span(scores).subspan(n * model.num_classes(), model.num_classes());
    const std::size_t class_idx = predicted_class(of_row);
    RowPrediction& prediction = predictions.emplace_back();
    prediction.table = table;
    prediction.row = n + 1;
    prediction.class_name = model.class_names()[class_idx];
    if (!rows.test.labels.empty()) prediction.label = rows.class_names[rows.test.labels[n]];
    prediction.margin = margin(of_row, class_idx, model.score_bound());
    prediction.scores.assign(of_row.begin(), of_row.end());
  }
  return predictions;
}

}  // namespace

Result<bool> takes_rows(const std::filesystem::path& model) {
  MASH_ASSIGN(const Model read, read_model(model));
  return read.shape().width == 0;
}

Result<std::vector<RowPrediction>> predict_rows(const ModelSource& source,
                                                const std::vector<std::string>& tables,
                                                const Settings& settings, const WorkContext& work) {
  MASH_ASSIGN(LoadedModel loaded, load_model(source, work));
  const auto predictor = Predictor::open(loaded.model, loaded.catalogue);
  if (!predictor.ok()) return predictor.error().at(loaded.name);
  std::vector<RowPrediction> predictions;
  for (const std::string& table : tables) {
    MASH_ASSIGN(auto of_table, predict_table(loaded, *predictor, table, settings, work));
    predictions.insert(predictions.end(), std::make_move_iterator(of_table.begin()),
                       std::make_move_iterator(of_table.end()));
  }
  return predictions;
}

Result<PaidImages> predict_rows_within(const ModelSource& source, const std::vector<std::string>& tables,
                                       const Settings& settings, const PredictionBudget& budget,
                                       const WorkContext& work) {
  MASH_ASSIGN(LoadedModel loaded, load_model(source, work));
  MASH_ASSIGN(const PaidPredictor predictor, open_paid_predictor(loaded, budget.costs));
  std::vector<PaidPrediction> all;
  PaidImages result;
  for (const std::string& table : tables) {
    MASH_ASSIGN(const Dataset rows, read_rows_for(loaded, table, settings, work));
    MASH_ASSIGN(const auto of_table,
                predictor.predict(rows.test, rule_of(budget), work.workers, work.progress, work.stop));
    for (std::size_t n = 0; n < of_table.size(); ++n)
      result.images.push_back({fmt::format("{}:{}", table, n + 1), std::nullopt,
                               loaded.model.class_names()[of_table[n].predicted_class],
                               of_table[n].num_evaluated, of_table[n].spent});
    all.insert(all.end(), of_table.begin(), of_table.end());
  }
  result.spending = spending_of(all, predictor.costs(), loaded.model.sum());
  return result;
}

nlohmann::ordered_json to_json(std::span<const RowPrediction> predictions) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const RowPrediction& prediction : predictions) {
    list.push_back({{"class", prediction.class_name},
                    {"margin", prediction.margin},
                    {"scores", prediction.scores},
                    {"table", prediction.table},
                    {"row", prediction.row}});
    if (prediction.label) list.back()["label"] = *prediction.label;
  }
  return {{"predictions", list}};
}

}  // namespace mash
