// SPDX-License-Identifier: Apache-2.0
#include "framework/cli/run_summary.hpp"

#include <fmt/ranges.h>

#include "framework/render/table.hpp"
#include "framework/render/wording.hpp"

namespace mash {
namespace {

constexpr std::size_t kMostClassesOfTable = 12, kMostPairs = 8;

// Rows: the true classes; columns: the predicted ones.
std::string whole_table(const Confusion& confusion, const std::vector<std::string>& class_names) {
  Table table;
  table.columns = {{"truth", "true \\ predicted", Format::kText}};
  for (const std::string& name : class_names) table.columns.push_back({name, name, Format::kCount});
  for (std::size_t label = 0; label < class_names.size(); ++label) {
    auto& row = table.rows.emplace_back();
    row.emplace_back(class_names[label]);
    for (std::size_t predicted = 0; predicted < class_names.size(); ++predicted)
      row.emplace_back(std::int64_t(confusion.count(label, predicted)));
  }
  return render_text(table);
}

std::string largest_confusions(const Confusion& confusion, const std::vector<std::string>& class_names) {
  std::vector<std::string> pairs;
  for (const ConfusedPair& pair : confusion.pairs(kMostPairs))
    pairs.push_back(fmt::format("{} taken for {} ({})", class_names[pair.label], class_names[pair.predicted],
                                pair.count));
  return fmt::format("confused most often: {}\n", fmt::join(pairs, ", "));
}

std::string course_in_words(const ErrorCourse& course) {
  if (course.last == 0) return fmt::format("the training error is 0 after round {}\n", course.last_round);
  return fmt::format("the training error {} ({:.2f} % after round {}, {:.2f} % after round {}){}\n",
                     course.still_falls() ? "still falls" : "no longer falls", 100 * course.before,
                     course.before_round, 100 * course.last, course.last_round,
                     course.still_falls() ? ": more rounds may help" : "");
}

}  // namespace

std::string run_summary(const ExperimentResult& result) {
  const RunResult& first = result.runs[0];
  std::string text;
  if (const Confusion& confusion = first.confusion; confusion.num_examples() > 0) {
    text = fmt::format("{} side{}: {}\n", result.judging_side,
                       result.runs.size() > 1 ? fmt::format(", seed {}", first.seed) : "",
                       wrong_in_words(confusion.num_wrong(), confusion.num_examples()));
    if (confusion.num_wrong() > 0)
      text += result.class_names.size() <= kMostClassesOfTable
                  ? whole_table(confusion, result.class_names)
                  : largest_confusions(confusion, result.class_names);
  }
  if (result.experiment.has_booster())
    if (const auto course = training_error_course(first)) text += course_in_words(*course);
  return text;
}

}  // namespace mash
