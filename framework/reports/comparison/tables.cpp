// SPDX-License-Identifier: Apache-2.0
#include "framework/reports/comparison/tables.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "framework/render/wording.hpp"
#include "framework/reports/comparison/words.hpp"

namespace mash {
namespace {

std::vector<Column> columns_of_sides(const ComparisonReport& comparison, std::vector<Column> columns,
                                     Format format) {
  for (std::size_t i = 0; i < comparison.size(); ++i) columns.push_back({letter_of(i), letter_of(i), format});
  return columns;
}

std::string p_in_words(const std::optional<double>& p_value) {
  if (!p_value) return "–";
  return *p_value < .0001 ? "< 0.0001" : fmt::format("{:.2g}", *p_value);
}

// "18.20 % (sd 0.31 %)"
Cell figure_cell(const ComparedFigure& figure, const std::vector<double>& values) {
  if (values.empty() || std::any_of(values.begin(), values.end(), [](double v) { return !std::isfinite(v); }))
    return Cell();
  const Statistics statistics = statistics_of(values);
  const auto shown = [&](double value) {
    return figure.format == Format::kCount
               ? show(std::int64_t(std::llround(value * figure.factor)), figure.format)
               : show(value * figure.factor, figure.format);
  };
  if (values.size() < 2) return shown(statistics.mean);
  // Equal values may leave a little of rounding.
  const double sd = statistics.sd > 1e-12 * std::abs(statistics.mean) ? statistics.sd : 0;
  return fmt::format("{} (sd {})", shown(statistics.mean), shown(sd));
}

Table results_of_offers(const ComparisonReport& comparison) {
  Table table;
  table.columns = {{"version", "", Format::kText},
                   {"gain", "gain, % of the log-loss", Format::kText},
                   {"interval", "its interval", Format::kText},
                   {"finding", "finding", Format::kText},
                   {"seeds", "seeds", Format::kCount},
                   {"won", "duels won", Format::kPercent},
                   {"win_index", "win index", Format::kDecimal},
                   {"speed_up", "speed-up", Format::kDecimal},
                   {"seconds", "seconds", Format::kDecimal}};
  for (std::size_t i = 0; i < comparison.size(); ++i) {
    const OfferRow& row = comparison.offers[i].offer.past.offer;
    table.rows.push_back({fmt::format("{} {}", letter_of(i), comparison.argument(i)), with_sign(row.gain, 2),
                          fmt::format("{} to {}", with_sign(row.low, 2), with_sign(row.high, 2)), row.finding,
                          std::int64_t(row.num_seeds),
                          row.num_duels > 0 ? Cell(double(row.num_wins) / double(row.num_duels)) : Cell(),
                          row.win_index, row.speed_up, row.seconds});
  }
  return table;
}

std::string speaks_of(const ComparedPair& pair) {
  if (pair.decisive() == nullptr) return "–";
  if (pair.over_both && pair.decisive() == &*pair.over_both) return "other seeds and examples";
  return "other examples";
}

}  // namespace

const std::vector<ComparedFigure> kComparedFigures{
    {"test_error", "test error", Format::kPercent},
    {"train_error", "training error", Format::kPercent},
    {"train_loss_log10", "training loss, log10", Format::kDecimal},
    {"rounds", "rounds", Format::kCount},
    {"features_used", "features used", Format::kCount},
    {"cost", "cost", Format::kCount},
    {"train_seconds", "training, seconds", Format::kDecimal},
    // The first run with some features computes them, later ones find them stored: it tells the order of
    // runs.
    {"extract_seconds", "extraction, seconds", Format::kDecimal, 1, false},
    {"peak_memory_bytes", "peak memory, MiB", Format::kCount, 1.0 / double(1 << 20)}};

bool SettingRow::differs() const {
  return std::any_of(values.begin() + 1, values.end(), [&](const auto& value) { return value != values[0]; });
}

std::vector<SettingRow> setting_rows(const ComparisonReport& comparison) {
  std::vector<SettingRow> rows;
  for (std::size_t i = 0; i < comparison.size(); ++i) {
    std::size_t place = 0;  // a key that only some have stands after the one before it
    for (const auto& [key, value] : comparison.settings(i)) {
      auto found = std::ranges::find(rows, key, &SettingRow::key);
      if (found == rows.end())
        found = rows.insert(rows.begin() + std::ptrdiff_t(place),
                            {key, std::vector<std::optional<std::string>>(comparison.size())});
      found->values[i] = value;
      place = std::size_t(found - rows.begin()) + 1;
    }
  }
  return rows;
}

Table settings_table(const ComparisonReport& comparison, bool all) {
  Table table;
  table.columns = columns_of_sides(comparison, {{"setting", "setting", Format::kText}}, Format::kText);
  for (const SettingRow& row : setting_rows(comparison)) {
    if (!all && !row.differs()) continue;
    auto& cells = table.rows.emplace_back();
    cells.emplace_back(row.key);
    for (const auto& value : row.values) cells.push_back(value ? Cell(*value) : Cell());
  }
  table.hint = "No setting that is known of all of them differs.";
  return table;
}

std::string side_line(const ComparisonReport& comparison, std::size_t i) {
  if (comparison.is_of_offers()) {
    const ComparedOffer& offer = comparison.offers[i];
    const OfferRow& row = offer.offer.past.offer;
    return fmt::format("{}: offered beside {} on {}, judged by the {} side, {}, {}", offer.argument,
                       counted(row.pool.size(), "family", "families"), row.dataset, row.side,
                       counted(row.num_seeds, "seed"), offer.offer.past.measured_at);
  }
  const ComparedSide& side = comparison.sides[i];
  std::string line = fmt::format("{}: {} {}", side.argument, side.kind, side.name);
  if (!side.dataset.empty()) line += fmt::format(" on {}", side.dataset);
  if (side.judging_side != "test") line += fmt::format(", judged by its {} side", side.judging_side);
  if (side.kind == "trial")
    line += fmt::format(", seed {}", fmt::join(side.seeds, ", "));
  else if (!side.run_ids.empty())
    line += fmt::format(", run{} {} (seed{} {})", side.run_ids.size() == 1 ? "" : "s",
                        fmt::join(side.run_ids, ", "), side.seeds.size() == 1 ? "" : "s",
                        fmt::join(side.seeds, ", "));
  return line;
}

Table results_table(const ComparisonReport& comparison) {
  if (comparison.is_of_offers()) return results_of_offers(comparison);
  Table table;
  table.columns = columns_of_sides(comparison, {{"figure", "figure", Format::kText}}, Format::kText);
  for (const ComparedFigure& figure : kComparedFigures) {
    if (!figure.is_shown) continue;
    const bool is_judged = figure.key == std::string_view("test_error");
    std::vector<Cell> cells{is_judged ? comparison.error_name() : std::string(figure.title)};
    for (const ComparedSide& side : comparison.sides) {
      const auto found = side.figures.find(std::string(figure.key));
      cells.push_back(found == side.figures.end() ? Cell() : figure_cell(figure, found->second));
    }
    if (std::any_of(cells.begin() + 1, cells.end(), [](const Cell& cell) { return cell.index() != 0; }))
      table.rows.push_back(std::move(cells));
  }
  return table;
}

Table pairs_table(const ComparisonReport& comparison) {
  Table table;
  table.columns = {{"pair", "", Format::kText},
                   {"difference", "difference", Format::kText},
                   {"interval", "interval", Format::kText},
                   {"p_holm", "p (Holm)", Format::kText},
                   {"visible", "would be seen from", Format::kText},
                   {"of", "speaks of", Format::kText},
                   {"p_examples", "p over examples", Format::kText},
                   {"p_seeds", "p over seeds", Format::kText}};
  const auto p_of = [](const std::optional<PairedDifference>& difference) {
    return p_in_words(difference ? difference->p_value : std::nullopt);
  };
  for (const ComparedPair& pair : comparison.pairs) {
    const auto& decisive = pair.shown;
    if (!decisive) continue;
    table.rows.push_back(
        {name_of(pair), difference_in_words(comparison, decisive->mean),
         interval_in_words(comparison, *decisive), p_in_words(pair.p_corrected),
         decisive->visible ? Cell(with_minus(*decisive->visible * (comparison.is_of_offers() ? 1 : 100), 2))
                           : Cell(),
         speaks_of(pair), p_of(pair.over_examples), p_of(pair.over_seeds)});
  }
  return table;
}

Table classes_table(const ComparisonReport& comparison) {
  Table table;
  table.columns = {{"class", "class", Format::kText}, {"examples", "examples", Format::kCount}};
  if (!comparison.is_of_offers())
    table.columns = columns_of_sides(comparison, std::move(table.columns), Format::kPercent);
  std::set<std::size_t> seconds;
  for (const ComparedClass& of_class : comparison.classes)
    for (const ClassDifference& other : of_class.differences) seconds.insert(other.second);
  for (const std::size_t second : seconds) {
    const std::string name = name_of({.first = 0, .second = second});
    table.columns.push_back({"difference_" + letter_of(second), name, Format::kText});
    table.columns.push_back({"interval_" + letter_of(second), "interval", Format::kText});
    table.columns.push_back({"p_holm_" + letter_of(second), "p (Holm)", Format::kText});
  }
  for (const ComparedClass& of_class : comparison.classes) {
    std::vector<Cell> cells{of_class.name, std::int64_t(of_class.num_examples)};
    for (const double error : of_class.errors) cells.push_back(std::isfinite(error) ? Cell(error) : Cell());
    for (const std::size_t second : seconds) {
      const auto found = std::find_if(of_class.differences.begin(), of_class.differences.end(),
                                      [&](const auto& other) { return other.second == second; });
      if (found == of_class.differences.end()) {
        cells.resize(cells.size() + 3);
        continue;
      }
      cells.emplace_back(difference_in_words(comparison, found->difference.mean));
      cells.emplace_back(interval_in_words(comparison, found->difference));
      cells.emplace_back(p_in_words(found->p_corrected));
    }
    table.rows.push_back(std::move(cells));
  }
  return table;
}

Table families_table(const ComparisonReport& comparison) {
  std::vector<std::pair<double, std::string>> names;  // by the largest share
  for (const ComparedSide& side : comparison.sides)
    for (const FamilyPart& family : side.families) {
      if (!(family.cuts > 0)) continue;
      const auto known = std::find_if(names.begin(), names.end(),
                                      [&](const auto& name) { return name.second == family.name; });
      if (known == names.end())
        names.emplace_back(family.share.value_or(0), family.name);
      else
        known->first = std::max(known->first, family.share.value_or(0));
    }
  std::stable_sort(names.begin(), names.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  if (names.size() > kMaxFamiliesShown) names.resize(kMaxFamiliesShown);
  Table table;
  table.columns = {{"family", "family", Format::kText}};
  for (std::size_t i = 0; i < comparison.sides.size(); ++i) {
    table.columns.push_back({letter_of(i), letter_of(i) + ", share of α", Format::kPercent});
    table.columns.push_back({"cuts_" + letter_of(i), letter_of(i) + ", cuts", Format::kCount});
  }
  for (const auto& [share, name] : names) {
    std::vector<Cell> cells{name};
    for (const ComparedSide& side : comparison.sides) {
      const auto found = std::ranges::find(side.families, name, &FamilyPart::name);
      const bool is_there = found != side.families.end();
      cells.push_back(is_there && found->share ? Cell(*found->share) : Cell());
      cells.push_back(is_there ? Cell(found->cuts) : Cell());
    }
    table.rows.push_back(std::move(cells));
  }
  return table;
}

}  // namespace mash
