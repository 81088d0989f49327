// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/site/terms.hpp"

#include <fmt/format.h>

#include "framework/base/point_scale.hpp"
#include "framework/base/utc_time.hpp"
#include "framework/base/utf8.hpp"

namespace mash {
namespace {

constexpr std::size_t kMostTitleBytes = 100, kMostContactBytes = 200, kMostNoticeBytes = 2000;

Status change_text(std::string_view key, const std::optional<std::string>& change, std::size_t most_bytes,
                   std::string& text) {
  if (!change) return Done{};
  if (!is_line_of_text(*change))
    return input_error("{}: found '{}', expected a line of text", key, printable(*change, 60));
  if (change->size() > most_bytes)
    return input_error("{}: found {} bytes, expected at most {}", key, change->size(), most_bytes);
  text = *change;
  return Done{};
}

Status change_moment(std::string_view key, const std::optional<std::string>& change, std::string& moment) {
  if (!change) return Done{};
  moment.clear();
  if (change->empty()) return Done{};
  auto read = parse_moment(*change);
  if (!read.ok()) return read.error().at(std::string(key));
  moment = *std::move(read);
  return Done{};
}

Status change_points(const std::optional<std::string>& change, std::string& points) {
  if (!change) return Done{};
  points.clear();
  if (change->empty()) return Done{};
  const auto scale = PointScale::of_text(*change);
  if (!scale.ok()) return scale.error().at("points");
  points = scale->text();
  return Done{};
}

}  // namespace

Result<BoardTerms> changed_terms(BoardTerms terms, const TermsChange& change) {
  MASH_TRY(change_text("title", change.title, kMostTitleBytes, terms.title));
  MASH_TRY(change_text("notice", change.notice, kMostNoticeBytes, terms.notice));
  MASH_TRY(change_text("contact", change.contact, kMostContactBytes, terms.contact));
  MASH_TRY(change_moment("opens", change.opens, terms.opens_at));
  MASH_TRY(change_moment("closes", change.closes, terms.closes_at));
  MASH_TRY(change_points(change.points, terms.points));
  terms.attempts_a_day = change.attempts_a_day.value_or(terms.attempts_a_day);
  if (!terms.opens_at.empty() && !terms.closes_at.empty() && terms.closes_at <= terms.opens_at)
    return input_error("closes: found {}, expected a time after that of opens, {}",
                       moment_in_words(terms.closes_at), moment_in_words(terms.opens_at));
  return terms;
}

}  // namespace mash
