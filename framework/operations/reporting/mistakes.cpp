// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/reporting/mistakes.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "framework/analysis/answers/nearest_right.hpp"
#include "framework/base/file.hpp"
#include "framework/base/file_name.hpp"
#include "framework/base/number.hpp"
#include "framework/operations/common/places.hpp"
#include "framework/operations/experiment/families.hpp"
#include "framework/records/run_record.hpp"
#include "framework/render/picture.hpp"
#include "framework/reports/run/page.hpp"

namespace mash {
namespace {

namespace fs = std::filesystem;

// The answers of a classifier on the test side, in its own classes. A label that is none of them is the
// number of classes.
struct AnsweredSide {
  std::vector<std::uint16_t> labels, predicted;
  std::vector<double> margins;  // of the true class
  std::vector<double> scores;   // examples x classes; or none
};

// Puts the most negative margin first, and finds the examples that are like each mistake.
void tell_mistakes(const AnsweredSide& side, const Dataset& dataset, MistakeReport& report) {
  report.num_examples = side.labels.size();
  report.names = example_names(dataset, dataset.test);
  const std::size_t num_classes = report.classes.size();
  for (std::size_t n = 0; n < side.labels.size(); ++n) {
    if (side.predicted[n] == side.labels[n]) continue;
    ToldMistake& mistake = report.mistakes.emplace_back();
    mistake.example_idx = n;
    mistake.truth = dataset.class_names[dataset.test.labels[n]];
    mistake.predicted = report.classes[side.predicted[n]];
    mistake.margin = side.margins[n];
  }
  std::ranges::stable_sort(report.mistakes, {}, &ToldMistake::margin);
  if (side.scores.empty()) return;
  const RightExamples right(side.scores, num_classes, side.labels);
  for (ToldMistake& mistake : report.mistakes) {
    const std::size_t n = mistake.example_idx;
    const auto scores = std::span(side.scores).subspan(n * num_classes, num_classes);
    mistake.scores.assign(scores.begin(), scores.end());
    mistake.like_truth = right.nearest(n, side.labels[n]);
    mistake.like_predicted = right.nearest(n, side.predicted[n]);
  }
}

Result<Dataset> dataset_of_run(const RunRecord& record, const WorkContext& work) {
  MASH_ASSIGN(const Experiment experiment,
              parse_experiment(record.configuration, fmt::format("run {}", record.id), {}));
  MASH_ASSIGN(Dataset dataset, load_experiment_dataset(experiment, work));
  MASH_TRY(check_data(record, dataset));
  return dataset;
}

Result<FoundMistakes> mistakes_of_run(std::int64_t run_id, const MistakesToFind& wanted,
                                      const WorkContext& work) {
  MASH_ASSIGN(const RecordsReader records, open_records(wanted.database));
  MASH_ASSIGN(const RunRecord record, read_run(records, run_id));
  if (record.predictions.empty())
    return input_error("run {}: has no predictions (status {}), expected a run that has ended", run_id,
                       record.status);
  MASH_ASSIGN(const std::vector<float> scores, read_test_scores(records, run_id));
  if (scores.empty())
    work.remarks.warn(fmt::format(
        "run {}: its scores are not recorded, so that nothing is told of pictures that are like a "
        "mistake",
        run_id));
  AnsweredSide side;
  for (const RunRecord::Prediction& prediction : record.predictions) {
    side.labels.push_back(std::uint16_t(prediction.label));
    side.predicted.push_back(std::uint16_t(prediction.predicted));
    side.margins.push_back(prediction.margin);
  }
  side.scores.assign(scores.begin(), scores.end());
  FoundMistakes found;
  MASH_ASSIGN(found.dataset, dataset_of_run(record, work));
  found.report.classifier = fmt::format("run {} ({})", run_id, record.name);
  found.report.dataset = record.data.name;
  found.report.judging_side = record.data.judging_side;
  found.report.classes = record.data.class_names;
  tell_mistakes(side, found.dataset, found.report);
  return found;
}

AnsweredSide side_of(const DatasetPrediction& prediction) {
  const std::vector<std::string>& classes = prediction.model_classes;
  const auto place_of = [&](const std::string& name) {
    return std::uint16_t(std::ranges::find(classes, name) - classes.begin());
  };
  AnsweredSide side;
  side.scores = prediction.scores;
  side.predicted = predicted_classes(prediction.scores, classes.size());
  for (std::size_t n = 0; n < prediction.labels.size(); ++n)
    side.labels.push_back(place_of(prediction.dataset_classes[prediction.labels[n]]));
  return side;
}

Result<FoundMistakes> mistakes_of_model(const MistakesToFind& wanted, const WorkContext& work) {
  DatasetToPredict dataset = wanted.dataset;
  dataset.with_scores = true;
  MASH_ASSIGN(ClassifiedDataset classified,
              classify_dataset({wanted.classifier, wanted.plugins, wanted.changed}, dataset, work));
  MASH_TRY(check_labels(classified.dataset));
  MASH_ASSIGN(const Model model, read_model(wanted.classifier));
  AnsweredSide side = side_of(classified.prediction);
  const std::size_t num_classes = model.num_classes();
  for (std::size_t n = 0; n < side.labels.size(); ++n) {
    // A class that the model does not have has no votes at all.
    const auto scores = std::span(side.scores).subspan(n * num_classes, num_classes);
    side.margins.push_back(side.labels[n] < num_classes ? margin(scores, side.labels[n], model.score_bound())
                                                        : -classified.prediction.margins[n]);
  }
  FoundMistakes found;
  found.dataset = std::move(classified.dataset);
  found.report.classifier = wanted.classifier;
  found.report.dataset = found.dataset.name;
  found.report.judging_side = found.dataset.judging_side;
  found.report.classes = model.class_names();
  tell_mistakes(side, found.dataset, found.report);
  return found;
}

// Folders of copies, one for each true class and answer: also where classes have names that no file system
// can tell apart.
struct CopyFolders {
  FileNames classes, folders;
};

// The file of a copy: its place among the mistakes keeps two of one name apart.
fs::path place_of_copy(const FoundMistakes& found, std::size_t i, CopyFolders& folders) {
  const ToldMistake& mistake = found.report.mistakes[i];
  const bool has_file = found.dataset.test.has_a_file_each();
  std::string name = as_file_name(found.report.name_of(mistake.example_idx));
  if (!has_file) name += ".png";
  const std::string truth = folders.classes.name_of(mistake.truth),
                    predicted = folders.classes.name_of(mistake.predicted);
  // The character between them is in no name: "a" taken for "b_as_c" is not "a_as_b" taken for "c".
  std::string folder = folders.folders.name_of(fmt::format("{}|as|{}", truth, predicted));
  return fs::path(folder) / fmt::format("{:05}_{}", i + 1, name);
}

Status copy_one(const FoundMistakes& found, std::size_t i, const fs::path& folder, CopyFolders& folders) {
  const std::size_t example = found.report.mistakes[i].example_idx;
  const Split& side = found.dataset.test;
  const fs::path to = folder / place_of_copy(found, i, folders);
  if (side.has_a_file_each()) {
    MASH_ASSIGN(const std::string bytes,
                read_file(found.dataset.sources[side.files[example]].path, kAnyFileBytes));
    return write_file_atomically(to, bytes, Flush::kLater);
  }
  MASH_ASSIGN(const std::string png,
              png_bytes(side.image(example, found.dataset.shape), found.dataset.shape));
  return write_file_atomically(to, png, Flush::kLater);
}

}  // namespace

Result<FoundMistakes> find_mistakes(const MistakesToFind& wanted, const WorkContext& work) {
  const auto run_id = whole_number_in(wanted.classifier);
  const bool has_dataset = !wanted.dataset.name.empty();
  if (run_id && has_dataset)
    return input_error("dataset: has no effect on run {}, which has its own data set", *run_id);
  if (run_id) return mistakes_of_run(*run_id, wanted, work);
  std::error_code code;
  if (!fs::exists(wanted.classifier, code))
    return input_error("{}: no such file; expected the number of a run, or a model file", wanted.classifier);
  if (!has_dataset) {
    MASH_TRY(read_model(wanted.classifier));  // a file that is none is told as such
    return input_error(
        "dataset: found none beside the model {}, expected the one whose test side it classifies",
        wanted.classifier);
  }
  return mistakes_of_model(wanted, work);
}

Status check_copy_folder(const fs::path& folder) {
  std::error_code code;
  if (!fs::exists(folder, code)) return Done{};
  if (fs::is_directory(folder, code) && fs::is_empty(folder, code)) return Done{};
  return input_error("copy: {}: found something there already, expected no such folder, or an empty one",
                     folder.string());
}

Status copy_mistakes(const FoundMistakes& found, const fs::path& folder) {
  MASH_TRY(check_copy_folder(folder));
  if (found.dataset.is_table())
    return input_error("copy: data set {} is a table, expected pictures", found.dataset.name);
  CopyFolders folders;
  for (const std::vector<std::string>* names : {&found.report.classes, &found.dataset.class_names})
    for (const std::string& name : *names) folders.classes.name_of(name);
  for (std::size_t i = 0; i < found.report.mistakes.size(); ++i)
    MASH_TRY(copy_one(found, i, folder, folders));
  return Done{};
}

}  // namespace mash
