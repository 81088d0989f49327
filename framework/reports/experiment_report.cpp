// SPDX-License-Identifier: Apache-2.0
#include "framework/reports/experiment_report.hpp"

#include <vector>

#include "framework/base/file.hpp"
#include "framework/reports/experiment_record.hpp"
#include "framework/reports/experiment_sections.hpp"
#include "framework/reports/html.hpp"

namespace mash {
namespace {

struct Section {
  const char* id;
  const char* heading;
  Html body;
};

Html header(const ExperimentRecord& record, const std::vector<Section>& contents) {
  Html links;
  for (const Section& section : contents)
    links += markup("<li><a href=\"#{}\">{}</a></li>", section.id, section.heading);
  Html lead = markup("{} with {} ({} learners, {} sampler) over {} families, seed {}", record.dataset_name,
                     record.booster, record.weak, record.sampler, record.families.size(), record.seed);
  if (record.status != "complete") lead += markup("; status: <b>{}</b>", record.status);
  return markup(
      "<header>\n<h1>{}</h1>\n<p class=\"lead\">{}</p>\n<nav "
      "aria-label=\"Contents\"><ul>{}</ul></nav>\n</header>\n",
      record.name, lead, links);
}

Result<std::vector<Section>> all_sections(const ExperimentRecord& record, const Dataset& dataset) {
  MASH_ASSIGN(Html mistakes, sections::worst_mistakes(record, dataset));
  return std::vector<Section>{
      {"families", "Leaderboard of families", sections::family_leaderboard(record)},
      {"curve", "Learning curve", sections::learning_curve(record)},
      {"use", "Use per family", sections::family_bars(record)},
      {"confusion", "Confusion matrix", sections::confusion_matrix(record)},
      {"mistakes", "Worst mistakes", std::move(mistakes)},
      {"reproduce", "Reproduce it", sections::reproduction(record)},
  };
}

}  // namespace

Status write_html_report(Records& records, std::int64_t experiment_id, const Dataset& dataset,
                         const std::filesystem::path& path) {
  MASH_ASSIGN(const ExperimentRecord record, read_experiment(records, experiment_id));
  if (record.dataset_fingerprint != dataset.fingerprint) {
    return input_error("experiment {} was run on the data set {} with fingerprint {}, found {} with {}",
                       experiment_id, record.dataset_name, record.dataset_fingerprint, dataset.name,
                       dataset.fingerprint);
  }
  MASH_ASSIGN(const std::vector<Section> contents, all_sections(record, dataset));
  Html body = header(record, contents);
  body +=
      markup("<main>\n<section aria-label=\"Key figures\">\n{}</section>\n", sections::key_figures(record));
  for (const Section& section : contents) body += html_section(section.id, section.heading, section.body);
  body += markup("</main>\n<footer><p>Written by mash {} from its records.</p></footer>\n",
                 record.program_version);
  return write_file_atomically(path, html_page(fmt::format("{} – mash", record.name), body).markup);
}

}  // namespace mash
