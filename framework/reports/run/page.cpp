// SPDX-License-Identifier: Apache-2.0
#include "framework/reports/run/page.hpp"

#include <vector>

#include "framework/reports/run/mistake_sections.hpp"
#include "framework/reports/run/reproduction_section.hpp"
#include "framework/reports/run/sections.hpp"

namespace mash {
namespace {

Html lead(const RunRecord& record) {
  Html out = markup("{} with {} over {} families, seed {}", record.data.name, record.trained_by(),
                    record.families.size(), record.seed);
  if (record.status != "complete") out += markup("; status: <b>{}</b>", record.status);
  return out;
}

Result<std::vector<page::Section>> all_sections(const RunRecord& record, const Dataset& dataset,
                                                std::span<const page::Section> contribution) {
  MASH_ASSIGN(page::Piece mistakes, sections::worst_mistakes(record, dataset));
  std::vector<page::Section> all{
      {"figures", "Key figures", sections::key_figures(record)},
      {"curve", "Learning curve", sections::learning_curve(record)},
      {"families", "Families in the model", sections::family_leaderboard(record)}};
  all.insert(all.end(), contribution.begin(), contribution.end());
  const page::Section rest[] = {
      {"confusion", "Confusion matrix", sections::confusion_matrix(record), true},
      {"mistakes", "Worst mistakes", std::move(mistakes), true},
      {"reproduce", "Reproduce it", sections::reproduction(record), true},
  };
  all.insert(all.end(), std::begin(rest), std::end(rest));
  return all;
}

}  // namespace

Status check_data(const RunRecord& record, const Dataset& dataset) {
  if (record.data.fingerprint == dataset.fingerprint) return Done{};
  return input_error("run {} was made on the data set {} with fingerprint {}, found {} with {}", record.id,
                     record.data.name, record.data.fingerprint, dataset.name, dataset.fingerprint);
}

Result<page::Piece> run_page(const RunRecord& record, const Dataset& dataset,
                             std::span<const page::Section> contribution) {
  MASH_TRY(check_data(record, dataset));
  MASH_ASSIGN(const std::vector<page::Section> contents, all_sections(record, dataset, contribution));
  return page::page(record.name, lead(record), contents, record.program_version);
}

}  // namespace mash
