// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "framework/base/result.hpp"
#include "framework/dataset/dataset.hpp"
#include "framework/render/data_table.hpp"
#include "framework/render/page.hpp"

namespace mash {

// A test example that a classifier gets wrong.
struct ToldMistake {
  std::size_t example_idx = 0;
  std::string truth, predicted;     // classes
  double margin = 0;                // of the true class: negative, or 0 where classes were level
  std::vector<double> scores = {};  // of the classes of the report; or none
  // The examples with the nearest scores that are classified rightly, of the true and of the predicted class.
  std::optional<std::size_t> like_truth = {}, like_predicted = {};
};

struct MistakeReport {
  std::string classifier;             // "run 3", "model.json"
  std::string dataset;                // its name, for people
  std::string judging_side = "test";  // or "validation": whose examples they are
  std::vector<std::string> classes;   // whose scores there are
  std::size_t num_examples = 0;       // of that side
  std::vector<std::string> names;     // of its examples (example_names); or none
  std::vector<ToldMistake> mistakes;  // the most negative margin first

  // The name of an example, or "example 12" where it has none.
  std::string name_of(std::size_t example_idx) const;
};

// most: mistakes that are listed.
std::string render_text(const MistakeReport& report, std::size_t most);
// The document of `mash mistakes --json`; its keys are a contract.
nlohmann::ordered_json to_json(const MistakeReport& report);
// A row for each mistake, for other programs.
DataTable table_of(const MistakeReport& report);
// The first mistakes as pictures, each beside those that are like it; rows of tables as a table. dataset: the
// one of the report. Errors: those of the encoder of pictures.
Result<page::Piece> mistakes_page(const MistakeReport& report, const Dataset& dataset,
                                  std::string_view program_version);

}  // namespace mash
