// SPDX-License-Identifier: Apache-2.0
#include "server/http/heuristics/compare_sections.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "framework/render/forest_plot.hpp"
#include "framework/render/wording.hpp"
#include "server/http/boards/tables.hpp"
#include "server/http/frame/layout.hpp"

namespace mash::server {
namespace {

using Compareds = std::span<const Compared>;

// One thing, and the text of each of them about it; empty: it has none.
struct Trait {
  std::string name;
  std::vector<std::string> texts;

  bool is_same() const {
    return std::ranges::all_of(texts, [&](const std::string& text) { return text == texts.front(); });
  }
};

// A text of a report; empty where it has none.
std::string report_text(const Json& report, std::string_view key) {
  const auto found = report.is_object() ? report.find(key) : report.end();
  return found != report.end() && found->is_string() ? found->get<std::string>() : "";
}

std::optional<double> number_at(const Json& object, std::string_view key) {
  if (!object.is_object()) return std::nullopt;
  const auto found = object.find(key);
  return found != object.end() && found->is_number() ? std::optional(found->get<double>()) : std::nullopt;
}

// The part of a report for a class; null where it has none.
Json class_part(const Json& report, const std::string& name) {
  const auto classes = report.is_object() ? report.find("classes") : report.end();
  if (classes == report.end() || !classes->is_array()) return {};
  const auto found = std::ranges::find_if(
      *classes, [&](const Json& part) { return part.is_object() && report_text(part, "class") == name; });
  return found == classes->end() ? Json() : *found;
}

// All classes that any report names, in their order.
std::vector<std::string> class_names(Compareds compared) {
  std::vector<std::string> names;
  for (const Compared& one : compared) {
    const auto classes = one.report.is_object() ? one.report.find("classes") : one.report.end();
    if (classes == one.report.end() || !classes->is_array()) continue;
    for (const Json& part : *classes)
      if (const std::string name = report_text(part, "class");
          !name.empty() && std::ranges::find(names, name) == names.end())
        names.push_back(name);
  }
  return names;
}

std::string words_of_class(const Json& part) {
  constexpr double kLevel = 0.05;
  const auto gain = number_at(part, "gain"), error = number_at(part, "standard_error"),
             p = number_at(part, "p_corrected");
  if (!gain) return {};
  const std::string_view finding = !p || *p >= kLevel ? "not sure" : *gain > 0 ? "better" : "worse";
  return error ? fmt::format("{} (error {}), {}", with_sign(*gain, 2), with_minus(*error, 2), finding)
               : fmt::format("{}, {}", with_sign(*gain, 2), finding);
}

Trait trait(std::string name, Compareds compared, const std::function<std::string(const Compared&)>& text) {
  Trait made{std::move(name), {}};
  for (const Compared& one : compared) made.texts.push_back(text(one));
  return made;
}

// A trait of what was measured.
Trait figure(std::string name, Compareds compared,
             const std::function<std::string(const BoardEntry&)>& text) {
  return trait(std::move(name), compared,
               [&](const Compared& one) { return one.shown ? text(*one.shown) : std::string(); });
}

std::vector<Trait> all_traits(Compareds compared) {
  const auto count = [](std::size_t number) { return show(std::int64_t(number), Format::kCount); };
  return {trait("heuristic", compared, [](const Compared& one) { return one.submission.heuristic; }),
          trait("version", compared, [](const Compared& one) { return one.submission.version; }),
          trait("settings", compared,
                [](const Compared& one) { return settings_in_words(one.submission.settings); }),
          trait("what it sees", compared, [](const Compared& one) { return one.submission.summary; }),
          trait("contributor", compared, [](const Compared& one) { return one.submission.contributor; }),
          trait("licence", compared, [](const Compared& one) { return one.submission.licence; }),
          trait("board", compared,
                [](const Compared& one) {
                  return fmt::format("{}, version {}", one.board.name, one.board.version);
                }),
          trait("state", compared,
                [](const Compared& one) { return std::string(word_of(one.submission.state)); }),
          trait("received", compared, [](const Compared& one) { return one.submission.received_at; }),
          figure("gain, % of the log-loss", compared,
                 [](const BoardEntry& entry) { return show(gain_cell(entry), Format::kDecimal); }),
          figure("finding", compared, [](const BoardEntry& entry) { return finding_in_words(entry); }),
          figure("seeds", compared, [&](const BoardEntry& entry) { return count(entry.num_seeds); }),
          figure("features", compared, [&](const BoardEntry& entry) { return count(entry.num_features); }),
          figure("cost, µs a picture", compared,
                 [](const BoardEntry& entry) { return show(entry.microseconds, Format::kDecimal); }),
          trait("source (SHA-256)", compared,
                [](const Compared& one) { return one.submission.source_sha256.substr(0, 12); }),
          trait("what to try next", compared,
                [](const Compared& one) { return report_text(one.report, "advice"); })};
}

// A column for each of the compared, with a link to it.
page::Piece traits_table(const std::vector<Trait>& traits, Compareds compared, std::string_view caption) {
  Table table;
  table.columns = {{"what", "what"}};
  page::TableLinks links{.headers = {""}};
  for (const Compared& one : compared) {
    table.columns.push_back({fmt::format("submission_{}", one.submission.id), one.name});
    links.headers.push_back(fmt::format("/submissions/{}", one.submission.id));
  }
  for (const Trait& one : traits) {
    auto& row = table.rows.emplace_back();
    row.emplace_back(one.name);
    for (const std::string& text : one.texts) row.emplace_back(text);
  }
  return page::linked_table(with_dashes(table), caption, links);
}

page::Piece chance(Compareds compared) {
  const std::vector<GainDifference> differences = gain_differences(compared);
  if (differences.empty())
    return page::paragraph(
        markup("No two of them were judged on the same version of a board, so their gains say nothing about "
               "each other."));
  std::vector<Html> words;
  for (const GainDifference& difference : differences)
    words.push_back(markup("{}", words_of(difference, compared)));
  page::Piece piece = page::list(words);
  if (differences.size() > 1)
    piece += page::note(fmt::format(
        "These are {}, so one counts as more than chance only after the correction of Holm (1979), which "
        "makes the intervals wider alike.",
        counted(differences.size(), "comparison")));
  piece += page::note(
      "Differences are in per cent of the log-loss, ± half the width of their 95 % interval, or of a "
      "wider one after a correction. Errors are taken as independent; what they have in common, such as the "
      "pictures, is not taken off, so that too "
      "few are told apart rather than too many.");
  return piece;
}

page::Piece gains(Compareds compared) {
  ForestPlot plot;
  plot.id = "gain-plot";
  plot.title = "Gains";
  plot.description = "The gain of each of the compared with its interval.";
  plot.x_title = "gain, % of the log-loss";
  for (const Compared& one : compared)
    if (one.shown && one.shown->is_told())
      plot.rows.push_back({one.name, with_sign(one.shown->gain, 2), gain_of(*one.shown), {}});
  if (plot.rows.empty()) return page::paragraph(markup("None of them has a gain that is shown."));
  return page::plot(plot_of(plot));
}

}  // namespace

std::vector<page::Section> compare_sections(std::span<const Compared> compared) {
  std::vector<Trait> different, classes;
  std::string same;
  for (Trait& one : all_traits(compared)) {
    if (!one.is_same()) {
      different.push_back(std::move(one));
      continue;
    }
    std::string_view text = one.texts.front();
    while (text.ends_with('.')) text.remove_suffix(1);
    if (!text.empty()) same += fmt::format("{}{}: {}", same.empty() ? "" : "; ", one.name, text);
  }
  for (const std::string& name : class_names(compared)) {
    Trait one = trait("class " + name, compared,
                      [&](const Compared& of) { return words_of_class(class_part(of.report, name)); });
    if (!one.is_same()) classes.push_back(std::move(one));
  }
  std::vector<page::Section> sections;
  sections.push_back({"chance", "More than chance?", chance(compared)});
  sections.push_back({"gains", "Gains", gains(compared)});
  sections.push_back({"differences", "What differs",
                      traits_table(different, compared, "Only what is not the same for all of them.")});
  if (!classes.empty())
    sections.push_back(
        {"classes", "What they do for each class",
         traits_table(
             classes, compared,
             "What each takes off the log-loss of all pictures that are held out from training by those of a "
             "class, in per cent: parts of its gain on them. Not sure: it may be chance.")});
  if (!same.empty())
    sections.push_back({"same", "What is the same", page::paragraph(markup("{}.", same)), true});
  return sections;
}

}  // namespace mash::server
