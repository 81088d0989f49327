// SPDX-License-Identifier: Apache-2.0
#include "server/http/boards/query.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "framework/base/number.hpp"
#include "framework/base/percent.hpp"

namespace mash::server {
namespace {

constexpr std::array<SortKey, 13> kEntryKeys = {{{"rank", "rank", false},
                                                 {"gain", "gain", true},
                                                 {"heuristic", "heuristic", false},
                                                 {"version", "version", false},
                                                 {"contributor", "contributor", false},
                                                 {"finding", "finding", false},
                                                 {"num_seeds", "seeds", true},
                                                 {"num_features", "features", false},
                                                 {"microseconds", "µs a picture", false},
                                                 {"verified", "verified", true},
                                                 {"judged_at", "time of judging", true},
                                                 {"licence", "licence", false},
                                                 {"submission", "submission", true}}};
constexpr std::array<SortKey, 6> kContributorKeys = {{{"rank", "rank", false},
                                                      {"gain", "best gain", true},
                                                      {"contributor", "contributor", false},
                                                      {"num_heuristics", "heuristics", true},
                                                      {"num_adds", "heuristics that add", true},
                                                      {"judged_at", "time of judging", true}}};

using EntryLess = bool (*)(const BoardEntry&, const BoardEntry&);
template <auto kMember>
bool less_by(const BoardEntry& a, const BoardEntry& b) {
  return a.*kMember < b.*kMember;
}
// In the order of kEntryKeys. Entries come in the order of their ranks.
constexpr std::array<EntryLess, kEntryKeys.size()> kEntryLess = {nullptr,
                                                                 less_by<&BoardEntry::gain>,
                                                                 less_by<&BoardEntry::heuristic>,
                                                                 less_by<&BoardEntry::version>,
                                                                 less_by<&BoardEntry::contributor>,
                                                                 less_by<&BoardEntry::finding>,
                                                                 less_by<&BoardEntry::num_seeds>,
                                                                 less_by<&BoardEntry::num_features>,
                                                                 less_by<&BoardEntry::microseconds>,
                                                                 less_by<&BoardEntry::verified_at>,
                                                                 less_by<&BoardEntry::judged_at>,
                                                                 less_by<&BoardEntry::licence>,
                                                                 less_by<&BoardEntry::submission_id>};

const SortKey* find_key(BoardBy by, std::string_view name) {
  const auto keys = sort_keys(by);
  const auto found = std::ranges::find(keys, name, &SortKey::name);
  return found == keys.end() ? nullptr : &*found;
}

std::string known_keys(BoardBy by) {
  std::string names;
  for (const SortKey& key : sort_keys(by)) names += fmt::format("{}{}", names.empty() ? "" : ", ", key.name);
  return names;
}

std::string folded(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if ('A' <= c && c <= 'Z') c = char(c - 'A' + 'a');
  return out;
}
bool holds(std::string_view text, const std::string& folded_part) {
  return folded(text).find(folded_part) != std::string::npos;
}

// A number from 1; nothing where none was asked for.
Result<std::optional<std::int64_t>> read_number(const Request& request, std::string_view name) {
  const std::string_view text = request.value(name);
  if (text.empty()) return std::optional<std::int64_t>();
  const auto number = whole_number_in(text);
  if (!number || *number < 1) return input_error("{}: found '{}', expected a number from 1", name, text);
  return number;
}

Status read_order(const Request& request, BoardQuery& query) {
  if (!request.value("sort").empty()) query.sort = request.value("sort");
  const SortKey* key = find_key(query.by, query.sort);
  if (key == nullptr)
    return input_error("sort: '{}' is unknown; known are {}", query.sort, known_keys(query.by));
  const std::string_view order = request.value("order");
  if (!order.empty() && order != "asc" && order != "desc")
    return input_error("order: '{}' is unknown; known are asc, desc", order);
  query.is_descending = order.empty() ? key->is_highest_first : order == "desc";
  return Done{};
}

// Stable: equal ones stay in the order of their ranks.
template <class Row, class Less>
void sort_rows(std::vector<Row>& rows, bool is_descending, const Less& less) {
  std::ranges::stable_sort(
      rows, [&](const Row& a, const Row& b) { return is_descending ? less(b, a) : less(a, b); });
}

}  // namespace

std::span<const SortKey> sort_keys(BoardBy by) {
  if (by == BoardBy::kContributor) return kContributorKeys;
  return kEntryKeys;
}

Result<BoardQuery> read_board_query(const Request& request) {
  BoardQuery query;
  MASH_ASSIGN(query.version, read_number(request, "version"));
  const std::string_view by = request.value("by");
  if (!by.empty() && by != "heuristic" && by != "contributor")
    return input_error("by: '{}' is unknown; known are heuristic, contributor", by);
  if (by == "contributor") query.by = BoardBy::kContributor;
  MASH_TRY(read_order(request, query));
  const std::string_view ranks = request.value("ranks");
  if (!ranks.empty() && ranks != "own" && ranks != "together")
    return input_error("ranks: '{}' is unknown; known are own, together", ranks);
  query.together = ranks == "together";
  query.find = request.value("find");
  query.contributor = request.value("contributor");
  if (query.by == BoardBy::kHeuristic) query.finding = request.value("finding");
  MASH_ASSIGN(const auto page, read_number(request, "page"));
  query.page = std::size_t(page.value_or(0));
  return query;
}

std::string address_of(const BoardQuery& query, std::string_view path) {
  std::string address(path);
  char mark = '?';
  const auto add = [&](std::string_view name, std::string_view value) {
    if (value.empty()) return;
    address += fmt::format("{}{}={}", mark, name, percent_encoded(value));
    mark = '&';
  };
  const SortKey* key = find_key(query.by, query.sort);
  if (query.version) add("version", std::to_string(*query.version));
  if (query.by == BoardBy::kContributor) add("by", "contributor");
  add("find", query.find);
  add("contributor", query.contributor);
  add("finding", query.finding);
  if (query.sort != BoardQuery().sort) add("sort", query.sort);
  if (key != nullptr && query.is_descending != key->is_highest_first)
    add("order", query.is_descending ? "desc" : "asc");
  if (query.together) add("ranks", "together");
  if (query.page > 1) add("page", std::to_string(query.page));
  return address;
}

BoardQuery sorted_by(BoardQuery query, const SortKey& key) {
  query.is_descending = query.sort == key.name ? !query.is_descending : key.is_highest_first;
  query.sort = key.name;
  query.page = 0;
  return query;
}

BoardQuery unfiltered(BoardQuery query) {
  query.find = query.contributor = query.finding = "";
  query.page = 0;
  return query;
}

bool is_filtered(const BoardQuery& query) {
  return !query.find.empty() || !query.contributor.empty() || !query.finding.empty();
}

std::vector<std::size_t> chosen_entries(const BoardStand& stand, const BoardQuery& query) {
  const std::string find = folded(query.find), contributor = folded(query.contributor);
  std::vector<std::size_t> rows;
  for (std::size_t i = 0; i < stand.entries.size(); ++i) {
    const BoardEntry& entry = stand.entries[i];
    if (!find.empty() && !holds(entry.heuristic, find) && !holds(entry.summary, find)) continue;
    if (!contributor.empty() && folded(entry.contributor) != contributor) continue;
    if (!query.finding.empty() && entry.finding != query.finding) continue;
    rows.push_back(i);
  }
  const SortKey* key = find_key(query.by, query.sort);
  if (query.by != BoardBy::kHeuristic || key == nullptr) return rows;
  const EntryLess less = kEntryLess[std::size_t(key - kEntryKeys.data())];
  if (less == nullptr) {
    if (query.is_descending) std::ranges::reverse(rows);
    return rows;
  }
  sort_rows(rows, query.is_descending,
            [&](std::size_t a, std::size_t b) { return less(stand.entries[a], stand.entries[b]); });
  return rows;
}

std::vector<ContributorStand> chosen_contributors(const BoardStand& stand, const BoardQuery& query) {
  const std::string find = folded(query.find), contributor = folded(query.contributor);
  std::vector<ContributorStand> rows;
  std::map<std::string_view, std::size_t> places;
  for (std::size_t i = 0; i < stand.entries.size(); ++i) {
    const BoardEntry& entry = stand.entries[i];
    if (!find.empty() && !holds(entry.contributor, find)) continue;
    if (!contributor.empty() && folded(entry.contributor) != contributor) continue;
    const auto [place, is_new] = places.try_emplace(entry.contributor, rows.size());
    if (is_new) rows.push_back({.name = entry.contributor, .best_idx = i});  // entries come by rank
    ContributorStand& row = rows[place->second];
    ++row.num_heuristics;
    row.num_adds += entry.finding == "adds" || entry.finding == "adds much";
    row.last_at = std::max(row.last_at, entry.judged_at);
  }
  const auto gain = [&](const ContributorStand& row) { return stand.entries[row.best_idx].gain; };
  sort_rows(rows, query.is_descending, [&](const ContributorStand& a, const ContributorStand& b) {
    if (query.sort == "rank") return a.best_idx < b.best_idx;
    if (query.sort == "contributor") return a.name < b.name;
    if (query.sort == "num_heuristics") return a.num_heuristics < b.num_heuristics;
    if (query.sort == "num_adds") return a.num_adds < b.num_adds;
    if (query.sort == "judged_at") return a.last_at < b.last_at;
    return gain(a) < gain(b);
  });
  return rows;
}

PageSpan page_span(std::size_t num_rows, std::size_t page) {
  PageSpan span;
  span.page = std::max<std::size_t>(page, 1);
  span.num_pages = std::max<std::size_t>((num_rows + kRowsOfPage - 1) / kRowsOfPage, 1);
  span.begin = std::min(num_rows, std::min(span.page - 1, span.num_pages) * kRowsOfPage);
  span.end = std::min(num_rows, span.begin + kRowsOfPage);
  return span;
}

}  // namespace mash::server
