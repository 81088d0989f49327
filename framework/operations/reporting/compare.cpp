// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/reporting/compare.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <set>

#include "framework/base/number.hpp"
#include "framework/operations/common/places.hpp"
#include "framework/operations/offers/commands.hpp"
#include "framework/operations/reporting/compare_offers.hpp"
#include "framework/operations/reporting/compare_sides.hpp"
#include "framework/reports/comparison/page.hpp"

namespace mash {
namespace {

enum class Kind { kExperiment, kRun, kModel, kHeuristic };

// The runs or model that an argument names.
struct Named {
  Kind kind = Kind::kModel;
  std::int64_t run_id = 0;
};

std::optional<std::int64_t> run_in(std::string_view text) {
  const auto number = whole_number_in(text);
  return number > 0 ? number : std::nullopt;
}

Result<Named> named(const std::string& what) {
  if (const auto number = run_in(what)) return Named{Kind::kExperiment, *number};
  // Trials are counted apart from runs, below zero.
  constexpr std::pair<std::string_view, std::int64_t> kPrefixes[] = {{"run:", 1}, {"trial:", -1}};
  for (const auto& [prefix, sign] : kPrefixes)
    if (what.starts_with(prefix))
      if (const auto number = run_in(std::string_view(what).substr(prefix.size())))
        return Named{Kind::kRun, sign * *number};
  std::error_code code;
  if (std::filesystem::exists(what, code)) return Named{Kind::kModel};
  // "hog@1.0.0" or "mine/edges@1.0.0"; what else has slashes is a path.
  const std::size_t at = what.find('@');
  const std::string id = what.substr(0, at);
  const bool is_id = !id.empty() && id[0] != '/' && id[0] != '.' && std::ranges::count(id, '/') <= 1;
  if (at != std::string::npos && is_id && at + 1 < what.size() && what.find('/', at) == std::string::npos)
    return Named{Kind::kHeuristic};
  return input_error(
      "{}: no such file; expected the number of a run (3), which stands for all seeds of its experiment, of "
      "one "
      "run or trial alone (run:3, trial:3), a model file, or a version of a heuristic (hog@1.0.0)",
      what);
}

Result<std::vector<Named>> all_named(const std::vector<std::string>& what) {
  if (what.size() < 2 || what.size() > kMaxCompared)
    return input_error("found {} to compare ({}), expected 2 to {}", what.size(), fmt::join(what, ", "),
                       kMaxCompared);
  std::vector<Named> all;
  for (const std::string& each : what) {
    if (std::count(what.begin(), what.end(), each) > 1)
      return input_error("{}: found twice, expected different ones", each);
    MASH_ASSIGN(const Named one, named(each));
    all.push_back(one);
  }
  const auto is_heuristic = [](const Named& one) { return one.kind == Kind::kHeuristic; };
  const auto count = std::count_if(all.begin(), all.end(), is_heuristic);
  if (count > 0 && std::size_t(count) < all.size())
    return input_error(
        "found versions of heuristics beside experiments or models ({}); expected versions of heuristics "
        "only, or none",
        fmt::join(what, ", "));
  return all;
}

// Two names of the same runs.
Status check_different(const std::vector<ComparedSide>& sides) {
  for (std::size_t i = 0; i < sides.size(); ++i)
    for (std::size_t k = 0; k < i; ++k)
      if (!sides[i].run_ids.empty() && sides[i].run_ids == sides[k].run_ids)
        return input_error(
            "{} and {} are the same experiment ({}, run{} {}); expected different ones. Its single runs "
            "can be compared as run:{} and so on",
            sides[k].argument, sides[i].argument, sides[i].name, sides[i].run_ids.size() == 1 ? "" : "s",
            fmt::join(sides[i].run_ids, ", "), sides[i].run_ids[0]);
  return Done{};
}

// The records where they are needed.
Result<std::optional<RecordsReader>> records_for(const std::vector<Named>& all,
                                                 const CompareSettings& settings) {
  std::optional<RecordsReader> records;
  if (std::any_of(all.begin(), all.end(), [](const Named& one) { return one.kind != Kind::kModel; })) {
    MASH_ASSIGN(RecordsReader opened, open_records(settings.database));
    records = std::move(opened);
  }
  return records;
}

Result<ComparisonReport> compare_classifiers(const CompareSettings& settings, const std::vector<Named>& all,
                                             const WorkContext& work) {
  MASH_ASSIGN(const std::optional<RecordsReader> records, records_for(all, settings));
  std::vector<ComparedSide> sides;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].kind == Kind::kModel) {
      MASH_ASSIGN(ComparedSide side, side_of_model({settings.what[i], settings.plugins, settings.changed},
                                                   settings.dataset, work));
      sides.push_back(std::move(side));
    } else {
      MASH_ASSIGN(ComparedSide side,
                  side_of_runs(*records, settings.what[i], all[i].run_id, all[i].kind == Kind::kRun));
      sides.push_back(std::move(side));
    }
  }
  MASH_TRY(check_different(sides));
  ComparisonReport comparison = compare_sides(std::move(sides));
  const bool has_model =
      std::any_of(all.begin(), all.end(), [](const Named& one) { return one.kind == Kind::kModel; });
  if (has_model && settings.dataset.name.empty())
    comparison.remarks.emplace_back(
        "Models are compared by their hypotheses only, as no data set was named that they could be asked "
        "about.");
  return comparison;
}

Result<ComparisonReport> compare_heuristics(const CompareSettings& settings) {
  MASH_ASSIGN(const RecordsReader records, open_records(settings.database));
  std::vector<std::string> remarks;
  MASH_ASSIGN(std::vector<ComparedOffer> offers,
              offers_of_versions(records, settings.what, settings.dataset.name, remarks));
  ComparisonReport comparison = compare_offers(std::move(offers));
  comparison.remarks = std::move(remarks);
  const auto lacks = [](const ComparedPair& pair) { return !pair.why_not.empty(); };
  if (std::any_of(comparison.pairs.begin(), comparison.pairs.end(), lacks)) {
    comparison.command = command_of_offer(comparison.offers[0].offer.past.offer, settings.database);
    comparison.remarks.push_back(fmt::format(
        "Each version is to be tried with the same program, beside the same pool, on the same "
        "data and from the "
        "same seed; FILE is its source or plugin: {}. The settings of the data set are not "
        "recorded with these tests: where it had some, such as --set dataset.pose=2, they are "
        "given again (the fingerprint of the data is {}), and so are --seed N and --first-seed M where these "
        "differed: the seed above is that of the trainings.",
        fmt::join(settings.what, ", "),
        comparison.offers[0].offer.past.offer.dataset_fingerprint.substr(0, 16)));
  }
  return comparison;
}

}  // namespace

Result<CompareResult> compare(const CompareSettings& settings, const WorkContext& work) {
  MASH_ASSIGN(const std::vector<Named> all, all_named(settings.what));
  auto compared = all[0].kind == Kind::kHeuristic ? compare_heuristics(settings)
                                                  : compare_classifiers(settings, all, work);
  if (!compared.ok()) return compared.error();
  page::Piece page = comparison_page(*compared, MASH_VERSION);
  return CompareResult{*std::move(compared), std::move(page)};
}

}  // namespace mash
