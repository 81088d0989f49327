// SPDX-License-Identifier: Apache-2.0
#include "framework/reports/run_page.hpp"

#include <vector>

#include "framework/reports/mistake_sections.hpp"
#include "framework/reports/reproduction_section.hpp"
#include "framework/reports/run_sections.hpp"

namespace mash {
namespace {

Html header(const RunRecord& record, const std::vector<HtmlSection>& contents) {
  Html lead = markup("{} with {} ({} learners, {} sampler) over {} families, seed {}", record.dataset_name,
                     record.booster, record.weak, record.sampler, record.families.size(), record.seed);
  if (record.status != "complete") lead += markup("; status: <b>{}</b>", record.status);
  return markup("<header>\n<h1>{}</h1>\n<p class=\"lead\">{}</p>\n{}</header>\n", record.name, lead,
                html_contents(contents));
}

Result<std::vector<HtmlSection>> all_sections(const RunRecord& record, const Dataset& dataset,
                                              std::span<const HtmlSection> contribution) {
  MASH_ASSIGN(Html mistakes, sections::worst_mistakes(record, dataset));
  std::vector<HtmlSection> all{{"families", "Leaderboard of families", sections::family_leaderboard(record)}};
  all.insert(all.end(), contribution.begin(), contribution.end());
  const HtmlSection rest[] = {
      {"curve", "Learning curve", sections::learning_curve(record)},
      {"use", "Use per family", sections::family_bars(record)},
      {"confusion", "Confusion matrix", sections::confusion_matrix(record)},
      {"mistakes", "Worst mistakes", std::move(mistakes)},
      {"reproduce", "Reproduce it", sections::reproduction(record)},
  };
  all.insert(all.end(), std::begin(rest), std::end(rest));
  return all;
}

}  // namespace

Status check_data(const RunRecord& record, const Dataset& dataset) {
  if (record.dataset_fingerprint == dataset.fingerprint) return Done{};
  return input_error("run {} was made on the data set {} with fingerprint {}, found {} with {}", record.id,
                     record.dataset_name, record.dataset_fingerprint, dataset.name, dataset.fingerprint);
}

Result<Html> run_page(const RunRecord& record, const Dataset& dataset,
                      std::span<const HtmlSection> contribution) {
  MASH_TRY(check_data(record, dataset));
  MASH_ASSIGN(const std::vector<HtmlSection> contents, all_sections(record, dataset, contribution));
  Html body = header(record, contents);
  body +=
      markup("<main>\n<section aria-label=\"Key figures\">\n{}</section>\n", sections::key_figures(record));
  for (const HtmlSection& section : contents) body += html_section(section.id, section.heading, section.body);
  body += markup("</main>\n<footer><p>Written by mash {} from its records.</p></footer>\n",
                 record.program_version);
  return html_page(fmt::format("{} – mash", record.name), body);
}

}  // namespace mash
