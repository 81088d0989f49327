// SPDX-License-Identifier: Apache-2.0
#include "framework/reports/heuristic/sections.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "framework/render/bar_chart.hpp"
#include "framework/render/class_matrix.hpp"
#include "framework/render/forest_plot.hpp"
#include "framework/render/gallery.hpp"
#include "framework/render/wording.hpp"
#include "framework/reports/contribution_sections.hpp"
#include "framework/reports/heuristic/trial_lines.hpp"

namespace mash::sections {
namespace {

constexpr std::size_t kMaxPictures = 8;  // of those for better and of those for worse
constexpr std::size_t kMaxClasses = 20, kMaxPairs = 12;
constexpr std::size_t kMaxVersions = 4, kMaxOthers = 12;  // earlier ones and heuristics of the plot
constexpr std::size_t kMaxNeighbours = 10;
constexpr std::size_t kFavourites = 10;  // the features that win most

constexpr const char* kGainTitle = "gain in % of the log-loss; ±: 95 % interval";

std::string_view mood_of(const HeuristicReport& report) {
  switch (verdict_of(report.offer.figures)) {
    case OfferVerdict::kAddsMuch:
    case OfferVerdict::kAdds: return "good";
    case OfferVerdict::kSuspicious:
    case OfferVerdict::kHarmful: return "bad";
    case OfferVerdict::kNothingToLearn:
    case OfferVerdict::kCopy:
    case OfferVerdict::kNothing:
    case OfferVerdict::kUndecided: break;
  }
  return "open";
}

ForestRow gain_row(std::string label, double gain, double low, double high) {
  const double half_width = (high - low) / 2;
  return {
      std::move(label), fmt::format("{} ± {:.2f} %", with_sign(gain, 2), half_width), {gain, half_width}, {}};
}

// Hollow: on a shared base.
ForestRow gain_row(std::string label, const OfferRow& offer) {
  ForestRow row = gain_row(std::move(label), offer.gain, offer.low, offer.high);
  row.is_hollow = offer.base == kSharedBase;
  return row;
}

void describe(ForestPlot& plot) {
  for (const ForestRow& row : plot.rows)
    plot.description += fmt::format("{}: {}{}. ", row.label, row.text, row.is_hollow ? ", base shared" : "");
}

bool is_this(const HeuristicReport& report, const OfferRow& row) {
  return row.version == report.offer.version && row.settings == report.offer.settings &&
         row.plugin_sha256 == report.offer.plugin_sha256;
}

// This version, the last earlier ones, and the other heuristics with the largest gains.
ForestPlot gains_side_by_side(const HeuristicReport& report) {
  ForestPlot plot{"gain-plot",
                  "Gain of this version, of earlier ones and of other heuristics of the pool",
                  "",
                  kGainTitle,
                  Format::kDecimal,
                  {}};
  if (!report.offer.figures.leaves_nothing()) {
    const GainAtLook& last = report.offer.figures.last;
    plot.rows.push_back(gain_row(fmt::format("this version, {}", report.offer.version), last.gain,
                                 last.interval.low, last.interval.high));
    plot.rows.back().is_own = true;
  }
  std::vector<OfferRow> earlier;
  for (const PastOffer& past : report.offer.history)
    if (!is_this(report, past.offer) && past.offer.is_told()) earlier.push_back(past.offer);
  for (std::size_t i = 0; i < std::min(earlier.size(), kMaxVersions); ++i) {
    const OfferRow& row = earlier[earlier.size() - 1 - i];
    plot.rows.push_back(
        gain_row(fmt::format("build {}, version {}", row.plugin_sha256.substr(0, 6), row.version), row));
    plot.rows.back().is_own = true;
  }
  std::vector<PastOffer> others = report.others;
  std::erase_if(others, [](const PastOffer& other) { return !other.offer.is_told(); });
  std::stable_sort(others.begin(), others.end(),
                   [](const PastOffer& a, const PastOffer& b) { return a.offer.gain > b.offer.gain; });
  others.resize(std::min(others.size(), kMaxOthers));
  for (const PastOffer& other : others) plot.rows.push_back(gain_row(other.offer.heuristic, other.offer));
  if (std::ranges::any_of(plot.rows, &ForestRow::is_hollow))
    plot.kinds = {"base", std::string(kOwnBase), std::string(kSharedBase)};
  describe(plot);
  return plot;
}

// "class 4 (+0.90), class 9 (−0.30)": those beyond chance.
std::string certain_classes(const HeuristicReport& report) {
  std::string text;
  for (const GainPart& part : report.offer.classes)
    if (part.p_corrected < kCertain)
      text += fmt::format("{}{} ({})", text.empty() ? "" : ", ",
                          report.offer.pictures.class_names[part.group_idx], with_sign(part.gain, 2));
  return text;
}

Html gain_cell(const GainPart& part, double largest) {
  const std::string text = with_sign(part.gain, largest < 1 ? 2 : 1);
  const Html shown = part.p_corrected < kCertain ? markup("<b>{}</b>", text) : markup("{}", text);
  return markup("<td class=\"{}\" style=\"--share:{:.2f}\">{}</td>", part.gain > 0 ? "better" : "worse",
                std::abs(part.gain) / largest, shown);
}

double largest_of(const std::vector<RivalGain>& gains) {
  double largest = 0;
  for (const RivalGain& gain : gains) largest = std::max(largest, std::abs(gain.part.gain));
  return largest;
}

Table rival_table(std::span<const RivalGain> gains, const std::vector<std::string>& class_names) {
  Table table;
  table.columns = {{"label", "true class", Format::kText},
                   {"rival", "rival", Format::kText},
                   {"gain", "gain ± s.e., %", Format::kText},
                   {"p", "corrected p", Format::kDecimal}};
  for (const RivalGain& gain : gains)
    table.rows.push_back(
        {class_names[gain.label], class_names[gain.rival],
         fmt::format("{} ± {:.2f}", with_sign(gain.part.gain, 2), gain.part.standard_error()),
         gain.part.p_corrected});
  return table;
}

page::Piece rival_matrix(const HeuristicReport& report) {
  const auto& class_names = report.offer.pictures.class_names;
  const double largest = largest_of(report.rivals);
  const auto row_cells = [&](std::size_t label) {
    Html cells;
    double sum = 0;
    for (std::size_t rival = 0; rival < class_names.size(); ++rival) {
      const auto found = std::find_if(report.rivals.begin(), report.rivals.end(), [&](const RivalGain& gain) {
        return gain.label == label && gain.rival == rival;
      });
      if (found == report.rivals.end()) {
        cells += markup("<td class=\"unused\"></td>");
        continue;
      }
      cells += gain_cell(found->part, largest);
      sum += found->part.gain;
    }
    cells += markup("<td class=\"right number\">{}</td>", with_sign(sum, largest < 1 ? 2 : 1));
    return cells;
  };
  return class_matrix(
      "Rows: the true class; columns: the rival that it is told from. In % of the log-loss; all together are "
      "the gain. Bold: beyond chance, corrected for all pairs.",
      class_names, "all", row_cells, rival_table(report.rivals, class_names));
}

page::Piece rival_pairs(const HeuristicReport& report) {
  std::vector<RivalGain> gains = report.rivals;
  std::stable_sort(gains.begin(), gains.end(), [](const RivalGain& a, const RivalGain& b) {
    return std::abs(a.part.gain) > std::abs(b.part.gain);
  });
  gains.resize(std::min(gains.size(), kMaxPairs));
  return page::table(
      rival_table(gains, report.offer.pictures.class_names),
      fmt::format("The pairs that change most, of {} classes: gain ± standard error in % of the "
                  "log-loss. Corrected p: below {} it is beyond chance.",
                  report.offer.pictures.class_names.size(), kCertain));
}

Result<page::Piece> changed(const std::vector<PictureChange>& pictures, std::string_view title,
                            const HeuristicReport& report, const Dataset& dataset) {
  page::Piece out = page::heading(title);
  if (pictures.empty()) {
    out += page::note("No picture.");
    return out;
  }
  std::vector<GalleryPicture> shown;
  for (const PictureChange& picture : pictures) {
    const std::string& label = dataset.class_names[picture.label];
    const std::string words = words_of(picture, report.offer.pictures.class_names);
    shown.push_back({picture.example, fmt::format("Training image {}, {}: {}", picture.example, label, words),
                     markup("<b>{}</b> {}", label, words), picture.name});
  }
  MASH_ASSIGN(const page::Piece all, gallery(shown, {dataset.train, dataset.shape, "training image"}));
  out += all;
  return out;
}

}  // namespace

page::Piece verdict(const HeuristicReport& report) {
  page::Piece out = page::headline(headline(report.offer), mood_of(report));
  const ForestPlot gains = gains_side_by_side(report);
  out += page::plot(plot_of(gains));
  if (gains.kinds) out += page::note(fmt::format("Hollow squares: base shared. {}", kBasesMeaning));
  const std::size_t num_shown = std::min(report.others.size(), kMaxOthers);
  if (report.others.empty())
    out += page::note(
        "No other heuristic of this pool was tried in the same way yet: mash heuristic try puts it here.");
  else if (num_shown < report.others.size())
    out += page::note(fmt::format("The {} with the largest gains are shown, of {} that were tried.",
                                  num_shown, report.others.size()));
  out += page::paragraph(markup("<b>Next:</b> {}", next_step(report.offer)));
  return out;
}

namespace {

page::KeyFigure gain_figure(const OfferFigures& figures) {
  const GainAtLook& last = figures.last;
  if (figures.leaves_nothing())
    return {"Gain", "–",
            fmt::format("the pool gets {:.3g} of {} pictures wrong: nothing to learn", figures.pool_wrong,
                        figures.num_judges)};
  return {"Gain", fmt::format("{} %", with_sign(last.gain, 2)),
          fmt::format("of the log-loss, between {} and {}", with_sign(last.interval.low, 2),
                      with_sign(last.interval.high, 2))};
}

}  // namespace

page::Piece key_figures(const HeuristicReport& report) {
  const HeuristicOffer& offer = report.offer;
  const OfferFigures& figures = offer.figures;
  const GainAtLook& last = figures.last;
  const bool has_neighbour = !offer.neighbours.empty();
  const page::KeyFigure shown[] = {
      gain_figure(figures),
      {"Pace of the pool with it", fmt::format("{:.2f} ×", 1 + figures.speed_up()),
       "of its pace without it; 1: no faster"},
      {"Duels won",
       show(double(figures.num_wins) / double(std::max<std::uint64_t>(1, figures.num_duels)),
            Format::kPercent),
       fmt::format("{:.1f} times its share of the candidates", figures.win_index())},
      {"Mistakes", show(offer.error_after, Format::kPercent),
       fmt::format("of {} held-out pictures; without it {}", offer.pictures.num_held_out,
                   show(offer.error_before, Format::kPercent))},
      {"Nearest family", has_neighbour ? offer.pool[offer.neighbours[0].family_idx] : "–",
       has_neighbour
           ? fmt::format("CKA {:.2f}; 1: tells the same, 0: nothing in common", offer.neighbours[0].cka)
           : "the pool is empty"},
      {"Cost",
       std::isnan(offer.cost.microseconds_per_image)
           ? "unknown"
           : fmt::format("{:.1f} µs", offer.cost.microseconds_per_image),
       "per image, one thread"},
      {"Features that win", fmt::format("{} of {}", num_used_features(report), report.wins.size()),
       "at least one round of one seed"},
      {"Seeds", std::to_string(last.look.num_seeds), fmt::format("of {} rounds each", offer.rounds)}};
  return page::key_figures(shown);
}

page::Piece class_gains(const HeuristicReport& report) {
  std::vector<GainPart> parts = report.offer.classes;
  if (parts.empty()) return page::note("No class has two held-out pictures.");
  if (parts.size() > kMaxClasses) {
    std::stable_sort(parts.begin(), parts.end(), [](const GainPart& a, const GainPart& b) {
      return std::abs(a.gain) > std::abs(b.gain);
    });
    parts.resize(kMaxClasses);
  }
  ForestPlot plot{"class-gains", "Gain by class", "", kGainTitle, Format::kDecimal, {}};
  for (const GainPart& part : parts)
    plot.rows.push_back(gain_row(report.offer.pictures.class_names[part.group_idx], part.gain,
                                 part.gain - part.half_width, part.gain + part.half_width));
  describe(plot);
  page::Piece out = page::plot(plot_of(plot));
  const std::string certain = certain_classes(report);
  const std::string looked_at = counted(report.offer.classes.size(), "class that was", "classes that were");
  out +=
      page::note(certain.empty()
                     ? fmt::format("None of the {} looked at changes beyond chance.", looked_at)
                     : fmt::format("Beyond chance, corrected for the {} looked at: {}.", looked_at, certain));
  return out;
}

page::Piece rival_gains(const HeuristicReport& report) {
  if (largest_of(report.rivals) == 0) return page::note("No class is told better or worse from another.");
  return report.offer.pictures.class_names.size() > kMaxClasses ? rival_pairs(report) : rival_matrix(report);
}

page::Piece slice_gains(const HeuristicReport& report) {
  if (report.slices.empty()) return page::note("No slices were looked at.");
  Table table;
  table.columns = {{"trait", "trait", Format::kText},         {"slice", "slice", Format::kText},
                   {"range", "from, to", Format::kText},      {"examples", "pictures", Format::kCount},
                   {"gain", "gain ± s.e., %", Format::kText}, {"p", "corrected p", Format::kDecimal},
                   {"change", "change", Format::kText}};
  for (const SliceGain& slice : report.slices)
    if (slice.part.p_corrected < kCertain)
      table.rows.push_back(
          {slice.trait, slice.slice, fmt::format("{:.3g} to {:.3g}", slice.low, slice.high),
           std::int64_t(slice.part.num_examples),
           fmt::format("{} ± {:.2f}", with_sign(slice.part.gain, 2), slice.part.standard_error()),
           slice.part.p_corrected, std::string(slice.part.gain > 0 ? "better" : "worse")});
  if (table.rows.empty())
    return page::note(fmt::format("{} looked at: none changes beyond chance (corrected p < {}).",
                                  counted(report.slices.size(), "slice was", "slices were"), kCertain));
  const std::size_t num_others = report.slices.size() - table.rows.size();
  page::Piece out = page::table(
      table, fmt::format("Slices with a corrected p below {}: Student's t over seeds and pictures, corrected "
                         "for all {} slices after Holm (1979). Gain ± standard error in % of the log-loss.",
                         kCertain, report.slices.size()));
  if (num_others > 0)
    out += page::note(
        fmt::format("{} no more than by chance.", counted(num_others, "other changes", "others change")));
  return out;
}

Result<page::Piece> changed_pictures(const HeuristicReport& report, const Dataset& dataset) {
  double better = 0, worse = 0;
  std::size_t num_certain = 0;
  for (const PictureChange& picture : report.pictures) {
    (picture.change.gain > 0 ? better : worse) += picture.change.gain;
    num_certain += picture.change.p_corrected < kCertain;
  }
  page::Piece out = page::paragraph(markup(
      "Pictures for better add up to {} %, pictures for worse to {} %: together the gain. {} of {} change "
      "beyond chance, corrected for all of them.",
      with_sign(better, 2), with_sign(worse, 2), num_certain, report.pictures.size()));
  const MostChanged most = most_changed(report, kMaxPictures);
  for (const auto& [pictures, title] :
       {std::pair(&most.better, "Most for better"), std::pair(&most.worse, "Most for worse")}) {
    MASH_ASSIGN(const page::Piece shown, changed(*pictures, title, report, dataset));
    out += shown;
  }
  return out;
}

page::Piece looks(const HeuristicReport& report) {
  ForestPlot plot{"looks", "Gain at each look", "", kGainTitle, Format::kDecimal, {}};
  for (const GainAtLook& look : report.offer.looks)
    plot.rows.push_back(gain_row(fmt::format("{} seeds", look.look.num_seeds), look.gain, look.interval.low,
                                 look.interval.high));
  describe(plot);
  return page::plot(plot_of(plot));
}

page::Piece neighbours(const HeuristicReport& report) {
  const auto& all = report.offer.neighbours;
  if (all.empty()) return page::note("There is no other family.");
  Table table;
  table.columns = {{"family", "family", Format::kText},
                   {"cka", "CKA", Format::kDecimal},
                   {"explained_by", "it explains of this one", Format::kPercent},
                   {"explains", "this one explains of it", Format::kPercent}};
  for (std::size_t i = 0; i < std::min(all.size(), kMaxNeighbours); ++i)
    table.rows.push_back(
        {report.offer.pool[all[i].family_idx], all[i].cka, all[i].explained_by, all[i].explains});
  page::Piece out = page::table(
      table, fmt::format("The nearest families, of {}. CKA: 1 for equal spaces, 0 for unrelated ones; "
                         "explained: R² of a ridge regression on examples that it has not seen.",
                         all.size()));
  out += page::heading("All families");
  const std::size_t own =
      report.own_families.empty() ? report.family_names.size() : report.own_families.front();
  out += family_tree("family-tree", report.family_names, report.cka, own);
  return out;
}

page::Piece dimension_health(const HeuristicReport& report) {
  const FamilyCost& cost = report.offer.cost;
  if (cost.dim == 0) return page::note("It has no features.");
  const std::size_t num_used = num_used_features(report);
  BarChart chart;
  chart.id = "health-chart";
  chart.title = "Health of the features";
  const auto add = [&](std::string label, std::size_t count) {
    const std::string shown =
        fmt::format("{} · {}", count, show(double(count) / double(cost.dim), Format::kPercent));
    chart.bars.push_back({label, shown, fmt::format("{}: {}", label, shown), double(count)});
    chart.description += fmt::format("{}: {}. ", label, shown);
  };
  add("features", cost.dim);
  add("won a round", num_used);
  add("never won", report.wins.size() - num_used);
  add("constant", cost.num_constant);
  add("copies of its own", cost.num_own_copies);
  add("copies of the pool's", cost.num_pool_copies);
  page::Piece out = page::plot(plot_of(chart));
  out += page::note(cost.num_faults == 0
                        ? "All values are finite."
                        : fmt::format("{} not finite.", counted(std::size_t(cost.num_faults), "value") +
                                                            (cost.num_faults == 1 ? " is" : " are")));
  std::vector<std::uint32_t> wins = report.wins;
  std::sort(wins.begin(), wins.end(), std::greater<>());
  const double all = std::accumulate(wins.begin(), wins.end(), 0.0);
  if (all == 0) return out;
  const std::size_t num_first = std::min(num_used, kFavourites);
  const double first = std::accumulate(wins.begin(), wins.begin() + std::ptrdiff_t(num_first), 0.0);
  out += page::note(fmt::format("The best {} {} of the {:.0f} rounds that it won.",
                                num_first == 1 ? "feature has" : fmt::format("{} features have", num_first),
                                show(first / all, Format::kPercent), all));
  return out;
}

page::Piece costs(const HeuristicReport& report) {
  page::Piece out = page::note(fmt::format("{} with one thread; the pool's median is {}.",
                                           cost_in_words(report.offer.cost.microseconds_per_image),
                                           median_in_words(report.offer.pool_microseconds)));
  if (report.costs.size() < 2)
    out += page::note(
        "No other heuristic of this pool was tried in the same way yet: there is nothing to compare.");
  else
    out += cost_front("cost-chart", report.costs,
                      {"gain, % of the log-loss", "% of the log-loss", Format::kDecimal});
  if (any_on_shared_base(report.others))
    out += page::note("The gains are those of the plot at the top, on their own and on shared bases alike.");
  return out;
}

page::Piece versions(const HeuristicReport& report) {
  if (report.offer.history.empty()) return page::note("No version is recorded.");
  Table table;
  table.columns = {{"measured_at", "measured", Format::kText},
                   {"version", "version", Format::kText},
                   {"settings", "settings", Format::kText},
                   {"plugin", "plugin", Format::kText},
                   {"seeds", "seeds", Format::kCount},
                   {"gain", "gain ± s.e., %", Format::kText},
                   {"base", "base", Format::kText},
                   {"finding", "finding", Format::kText}};
  for (const PastOffer& past : by_time(report.offer.history)) {
    const OfferRow& row = past.offer;
    table.rows.push_back({past.measured_at, row.version, row.settings,
                          row.plugin_sha256.substr(0, kBuildDigits), std::int64_t(row.num_seeds),
                          fmt::format("{} to {}", with_sign(row.low, 2), with_sign(row.high, 2)), row.base,
                          row.finding});
  }
  page::Piece out = page::table(
      table,
      "Builds of it beside this pool and on these data, oldest first: the interval of the gain. Of "
      "the plugin's SHA-256, the first 12 digits.");
  if (any_on_shared_base(report.offer.history)) out += page::note(kBasesMeaning);
  return out;
}

page::Piece provenance(const HeuristicReport& report) {
  Table table;
  table.columns = {{"what", "what", Format::kText}, {"value", "value", Format::kText}};
  table.rows = {{"plugin", report.plugin},
                {"SHA-256 of the plugin", report.offer.plugin_sha256},
                {"data set", report.offer.dataset},
                {"fingerprint of the data", report.dataset_fingerprint},
                {"experiment", report.offer.experiment},
                {"program", "mash " + report.program_version},
                {"machine", report.machine}};
  page::Piece out = page::table(table, "What was measured with what");
  if (report.commands.empty()) {
    out += page::note("No command is recorded that makes it again.");
  } else {
    out += page::paragraph(markup("These commands make it again:"));
    out += page::code("Commands", fmt::format("{}", fmt::join(report.commands, "\n")));
  }
  return out;
}

}  // namespace mash::sections
