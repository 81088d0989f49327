// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/site/documents.hpp"

#include <algorithm>

#include "framework/base/measured_gain.hpp"
#include "framework/base/number.hpp"
#include "framework/base/utc_time.hpp"
#include "framework/base/utf8.hpp"
#include "framework/render/wording.hpp"

namespace mash {
namespace {

using Document = nlohmann::ordered_json;

constexpr std::string_view kHalfWidth = "_ci95";

const Document& value_at(const Document& document, const std::string& key) {
  static const Document kNothing;
  if (!document.is_object()) return kNothing;
  const auto found = document.find(key);
  return found == document.end() ? kNothing : *found;
}

const Document& list_at(const Document& document, const char* key) {
  static const Document kEmpty = Document::array();
  const Document& list = value_at(document, key);
  return list.is_array() ? list : kEmpty;
}

Cell cell_of(const Document& row, const std::string& key) {
  const Document& value = value_at(row, key);
  const std::string half_width_key = key + std::string(kHalfWidth);
  if (value.is_number() && row.contains(half_width_key))
    return Estimate{value.get<double>(), number_at(row, half_width_key.c_str())};
  if (value.is_number_integer()) return value.get<std::int64_t>();
  if (value.is_number()) return value.get<double>();
  if (value.is_string() && !value.get_ref<const std::string&>().empty()) return value.get<std::string>();
  return {};
}

Format format_of(const Document& rows, const std::string& key) {
  Format format = Format::kCount;
  for (const Document& row : rows) {
    const Document& value = value_at(row, key);
    if (value.is_string()) return Format::kText;
    if (value.is_number() && !value.is_number_integer()) format = Format::kDecimal;
  }
  return format;
}

bool has_estimates(const Document& rows, const std::string& key) {
  return std::any_of(rows.begin(), rows.end(), [&](const Document& row) {
    return row.is_object() && row.contains(key + std::string(kHalfWidth));
  });
}

Table table_of(const std::vector<Column>& columns, const Document& rows) {
  Table table;
  table.columns = columns;
  for (const Document& row : rows) {
    auto& cells = table.rows.emplace_back();
    for (const Column& column : table.columns) cells.push_back(cell_of(row, column.key));
  }
  return table;
}

// A whole number from 0; 0 where it is anything else.
std::size_t count_at(const Document& document, const char* key) {
  const Document& value = value_at(document, key);
  return value.is_number_integer() ? std::size_t(std::max<std::int64_t>(0, value.get<std::int64_t>())) : 0;
}

std::size_t id_of(const Document& submission) { return count_at(submission, "id"); }

// "+0.51 ± 0.03 % of the log-loss (adds, 16 seeds; ±: half the width of the 95 % interval)"
std::string describe_gain(const Document& judgement) {
  const auto gain = number_at(judgement, "gain");
  if (!gain && text_at(judgement, "finding") == kNothingToLearn) return std::string(kNothingToLearn);
  std::string text = with_sign(gain.value_or(0), 2);
  const auto half_width = number_at(judgement, "gain_ci95");
  if (half_width) text += fmt::format(" ± {:.2f}", *half_width);
  text += " % of the log-loss";
  const std::string finding = text_at(judgement, "finding");
  return text + fmt::format(" ({}{}{}{}{})", finding, finding.empty() ? "" : ", ",
                            counted(count_at(judgement, "num_seeds"), "seed"), half_width ? "; " : "",
                            half_width ? kHalfInterval : "");
}

std::string line(std::string_view title, std::string_view text) {
  return fmt::format("  {:<10}{}\n", title, printable(text));
}

}  // namespace

std::string text_at(const Document& document, const char* key) {
  const Document& value = value_at(document, key);
  return value.is_string() ? value.get<std::string>() : "";
}

std::optional<double> number_at(const Document& document, const char* key) {
  const Document& value = value_at(document, key);
  return value.is_number() ? std::optional(value.get<double>()) : std::nullopt;
}

Table leaderboard_table(const Document& document) {
  const Document& rows = list_at(document, "rows");
  std::vector<Column> columns;
  for (const Document& column : list_at(document, "columns")) {
    const std::string key = text_at(column, "key"), title = text_at(column, "title");
    if (!key.ends_with(kHalfWidth))
      columns.push_back({key, title.empty() ? key : title, format_of(rows, key), has_estimates(rows, key)});
  }
  Table table = table_of(columns, rows);
  table.title = text_at(document, "title");
  table.hint = text_at(document, "hint");
  if (table.hint.empty()) table.hint = "nothing is on this board yet";
  return table;
}

std::optional<std::string> rank_of(const Document& leaderboard, std::int64_t submission) {
  for (const Document& row : list_at(leaderboard, "rows")) {
    if (number_at(row, "submission") != double(submission)) continue;
    const Document& rank = value_at(row, "rank");
    if (rank.is_string() || rank.is_number_integer())
      return rank.is_string() ? rank.get<std::string>() : rank.dump();
  }
  return std::nullopt;
}

Table submissions_table(const Document& document) {
  const std::vector<Column> columns{{"id", "submission", Format::kCount},
                                    {"state", "state"},
                                    {"board", "board"},
                                    {"file_name", "file"},
                                    {"heuristic", "heuristic"},
                                    {"version", "version"},
                                    {"received_at", "received"},
                                    {"seconds", "seconds", Format::kDecimal},
                                    {"reason", "reason"}};
  Table table = table_of(columns, list_at(document, "submissions"));
  // The first line of a reason: a compiler has many.
  for (auto& row : table.rows)
    if (auto* reason = std::get_if<std::string>(&row.back()))
      *reason = printable(reason->substr(0, reason->find('\n')), 60);
  table.title = "Submissions";
  table.hint = "nothing was submitted yet";
  return table;
}

std::string describe_intake(const Document& submission) {
  std::string text;
  const Document& attempts = value_at(submission, "attempts");
  const std::size_t most = count_at(attempts, "most"), used = count_at(attempts, "used");
  if (most > 0)  // more are used where the board took more of them then
    text =
        fmt::format("attempts used in 24 hours: {}{} {}", used, used > most ? ", taken now:" : " of", most);
  const std::string closes = text_at(submission, "board_closes_at");
  if (closes.empty()) return text;
  return printable(fmt::format("{}{}the board {} closes on {}", text, text.empty() ? "" : "; ",
                               text_at(submission, "board"), moment_in_words(closes)));
}

std::string describe_event(const Document& event) {
  const std::string state = text_at(event, "state"), text = text_at(event, "text");
  if (text.empty() || state.empty()) return state + text;
  return fmt::format("{}: {}", state, text);
}

std::string describe_submission(const Document& submission) {
  const std::string heuristic = text_at(submission, "heuristic"), version = text_at(submission, "version");
  std::string text = fmt::format(
      "Submission {} is {}: {}\n", id_of(submission), text_at(submission, "state"),
      printable(heuristic.empty() ? text_at(submission, "file_name") : heuristic + " " + version));
  const auto add = [&](const char* title, const char* key) {
    if (const std::string value = text_at(submission, key); !value.empty()) text += line(title, value);
  };
  add("board", "board");
  if (const Document& judgement = value_at(submission, "judgement"); judgement.is_object()) {
    text += line("gain", describe_gain(judgement));
    text += line("cost",
                 fmt::format("{}, {} µs a picture", counted(count_at(judgement, "num_features"), "feature"),
                             in_digits(number_at(judgement, "microseconds").value_or(0), 3)));
  }
  std::string settings;
  if (const Document& given = value_at(submission, "settings"); given.is_object())
    for (const auto& [key, value] : given.items())
      settings += fmt::format("{}{}={}", settings.empty() ? "" : ", ", key,
                              value.is_string() ? value.get<std::string>() : value.dump());
  if (!settings.empty()) text += line("settings", printable(settings));
  add("by", "contributor");
  add("licence", "licence");
  add("received", "received_at");
  add("verified", "verified_at");
  add("removed", "removed_why");
  if (value_at(submission, "is_held") == true) text += line("held", "an operator holds it back");
  return text;
}

Status how_it_ended(const Document& submission) {
  const std::string state = text_at(submission, "state"), reason = text_at(submission, "reason");
  const std::size_t id = id_of(submission);
  const std::string why = reason.empty() ? "" : ": " + reason;
  if (state == "published" || state == "superseded") return Done{};
  if (state == "rejected") return failure("submission {} was rejected{}", id, why);
  if (state == "cancelled") return failure("submission {} was cancelled{}", id, why);
  if (state == "failed" && text_at(submission, "fault") == "server")
    return failure("submission {} failed, by the server's fault{}", id, why);
  if (state == "failed") return failure("submission {} failed{}", id, why);
  return failure("submission {} has not ended: its state is {}", id, state);
}

}  // namespace mash
