// SPDX-License-Identifier: Apache-2.0
#include "server/http/heuristics/compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "framework/base/bounded_json.hpp"
#include "framework/base/mean_error.hpp"
#include "framework/base/number.hpp"
#include "framework/base/paired_tests.hpp"
#include "framework/render/wording.hpp"
#include "server/http/frame/intake.hpp"
#include "server/http/heuristics/history.hpp"

namespace mash::server {
namespace {

constexpr std::size_t kFewest = 2, kMost = 6;

Result<std::vector<std::int64_t>> read_numbers(const Request& request) {
  std::vector<std::int64_t> numbers;
  for (const auto& [name, value] : request.query) {
    if (name != "submission") continue;
    const auto number = whole_number_in(value);
    if (!number) return input_error("submission: found '{}', expected its number", value);
    if (std::ranges::find(numbers, *number) == numbers.end()) numbers.push_back(*number);
  }
  if (numbers.size() < kFewest || numbers.size() > kMost)
    return input_error("found {} to compare, expected {} to {}: choose them on the page of a board",
                       counted(numbers.size(), "submission"), kFewest, kMost);
  return numbers;
}

// Fills in what came of its judging.
Status read_judgement(const Visit& visit, Compared& one) {
  MASH_ASSIGN(one.shown, find_judged(visit.records, one.submission.id));
  MASH_ASSIGN(const auto judgement, find_judgement(visit.records, one.submission.id));
  if (judgement) one.report = parse_object<Json>(judgement->report_json, kOurOwnJson);
  return Done{};
}

void name_them(std::vector<Compared>& compared) {
  std::vector<std::string> names;
  for (const Compared& one : compared) {
    const Submission& submission = one.submission;
    names.push_back(submission.heuristic.empty()
                        ? submission.file_name
                        : fmt::format("{} {}", submission.heuristic, submission.version));
  }
  for (std::size_t i = 0; i < compared.size(); ++i) {
    const bool is_alone = std::ranges::count(names, names[i]) == 1;
    compared[i].name =
        is_alone ? names[i] : fmt::format("{} (submission {})", names[i], compared[i].submission.id);
  }
}

std::string signed_text(double value) { return with_sign(value, 2); }

}  // namespace

Result<std::vector<Compared>> read_compared(Visit& visit) {
  MASH_ASSIGN(const auto numbers, read_numbers(visit.request));
  std::vector<Compared> compared;
  for (const std::int64_t number : numbers) {
    MASH_ASSIGN(auto submission, find_submission(visit.records, number, SourceText::kLeftOut));
    if (!submission || !may_see(visit, *submission) || !submission->removed_why.empty())
      return input_error("there is no submission {}", number);
    MASH_ASSIGN(const auto board, find_board(visit.records, submission->board_id));
    if (!board) return failure("submission {}: its board is not there", number);
    compared.push_back({.submission = *std::move(submission), .board = *board});
    if (is_judged(compared.back().submission)) MASH_TRY(read_judgement(visit, compared.back()));
  }
  name_them(compared);
  return compared;
}

bool GainDifference::is_beyond_chance() const { return p_corrected < kMiss; }

std::vector<GainDifference> gain_differences(std::span<const Compared> compared) {
  std::vector<GainDifference> differences;
  std::vector<MeanError> errors;
  std::vector<double> p_values;
  for (std::size_t i = 0; i < compared.size(); ++i)
    for (std::size_t j = i + 1; j < compared.size(); ++j) {
      if (!compared[i].shown || !compared[j].shown || compared[i].board.id != compared[j].board.id) continue;
      const bool is_first_higher = compared[i].shown->gain >= compared[j].shown->gain;
      const std::size_t a = is_first_higher ? i : j, b = is_first_higher ? j : i;
      const BoardEntry &higher = *compared[a].shown, &lower = *compared[b].shown;
      const std::size_t num_seeds = std::max<std::size_t>(2, std::min(higher.num_seeds, lower.num_seeds));
      // The whole error is taken for that of the seeds, whose t is the largest.
      const double error = std::hypot(higher.standard_error, lower.standard_error);
      errors.push_back(error_over_seeds(error * std::sqrt(double(num_seeds)), num_seeds));
      differences.push_back({a, b, {higher.gain - lower.gain, std::nullopt}, 1});
      p_values.push_back(errors.back().p_value(differences.back().difference.mean).value_or(1));
    }
  const std::vector<double> corrected = holm_corrected(p_values), factors = holm_factors(p_values);
  for (std::size_t i = 0; i < differences.size(); ++i) {
    differences[i].difference.half_width = errors[i].reach(kMiss / factors[i]);
    differences[i].p_corrected = corrected[i];
  }
  return differences;
}

bool have_same_features(const Compared& one, const Compared& other) {
  return one.shown && other.shown && !one.shown->features_digest.empty() &&
         one.shown->features_digest == other.shown->features_digest;
}

std::string words_of(const GainDifference& difference, std::span<const Compared> compared) {
  const std::string &a = compared[difference.a].name, &b = compared[difference.b].name;
  if (have_same_features(compared[difference.a], compared[difference.b]))
    return fmt::format("{} and {} have the same features, to the bit.", a, b);
  const double mean = difference.difference.mean, half_width = difference.difference.half_width.value_or(0);
  if (difference.is_beyond_chance())
    return fmt::format("{} adds {} ± {} more than {}: that is more than chance explains.", a,
                       with_minus(mean, 2), with_minus(half_width, 2), b);
  return fmt::format(
      "{} and {} are not told apart: the difference of {} ± {} may be chance. They need not be equal: it may "
      "be anything from {} to {}.",
      a, b, signed_text(mean), with_minus(half_width, 2), signed_text(mean - half_width),
      signed_text(mean + half_width));
}

}  // namespace mash::server
