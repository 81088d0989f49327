// SPDX-License-Identifier: Apache-2.0
#include "framework/reports/run/pool_report.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "framework/render/forest_plot.hpp"
#include "framework/reports/contribution_json.hpp"
#include "framework/reports/contribution_sections.hpp"
#include "framework/reports/credit.hpp"
#include "framework/reports/few_seeds.hpp"

namespace mash {
namespace {

using Json = nlohmann::ordered_json;

// The families by what they add, most first; without a test by what the pool loses without them.
std::vector<std::size_t> by_gain(const PoolReport& report) {
  const auto gain = [&](std::size_t k) {
    return report.offers.empty() ? report.pool.families[k].added.gain.mean
                                 : report.offers[k].figures.last.gain;
  };
  std::vector<std::size_t> order(report.pool.families.size());
  for (std::size_t k = 0; k < order.size(); ++k) order[k] = k;
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return gain(a) > gain(b); });
  return order;
}

OfferVerdict verdict_on(const PoolReport& report, std::size_t family_idx) {
  return verdict_of(report.offers[family_idx].figures);
}

Estimate gain_of(const OfferFigures& figures) {
  return {figures.last.gain, (figures.last.interval.high - figures.last.interval.low) / 2};
}

// Nothing where no gain may be told.
Cell gain_cell_of(const OfferFigures& figures) {
  return figures.leaves_nothing() ? Cell() : Cell(gain_of(figures));
}

Table contribution_table(const PoolReport& report) {
  Table table;
  table.title = "What each family contributes";
  table.columns = {{"family", "family", Format::kText},
                   {"finding", "verdict", Format::kText},
                   {"gain", "adds, % of the log-loss", Format::kDecimal, true},
                   {"offer_seeds", "seeds", Format::kCount},
                   {"win_index", "wins offers, times its share", Format::kDecimal},
                   {"alone_error", "error alone", Format::kPercent, true},
                   {"twin", "nearest (CKA)", Format::kText},
                   {"margin_share", "of the margin", Format::kPercent},
                   {"importance", "permuted", Format::kPercent},
                   {"shapley", "credit ± s.e.", Format::kText},
                   {"us_per_image", "µs/image", Format::kDecimal}};
  for (const std::size_t k : by_gain(report)) {
    const FamilyContribution& family = report.pool.families[k];
    Cell verdict, gain, num_seeds, win_index, twin, margin_share, shapley;
    if (!report.offers.empty()) {
      const OfferFigures& figures = report.offers[k].figures;
      verdict = std::string(to_string(verdict_of(figures)));
      gain = gain_cell_of(figures);
      num_seeds = std::int64_t(figures.last.look.num_seeds);
      win_index = figures.win_index();
    }
    if (!family.neighbours.empty())
      twin = fmt::format("{} ({:.2f})", report.pool.families[family.neighbours[0].family_idx].name,
                         family.neighbours[0].cka);
    if (family.margin_share) margin_share = family.margin_share->mean;
    if (family.shapley) shapley = credit_text(*family.shapley);
    table.rows.push_back({family.name, verdict, gain, num_seeds, win_index, family.alone_error, twin,
                          margin_share, family.importance.mean, shapley, family.cost.microseconds_per_image});
  }
  return table;
}

std::string basis(const PoolReport& report) {
  const std::string remark = few_seeds_remark(error_over_seeds(1, report.pool.seeds.size()));
  return fmt::format(
      "Error alone, margin, permuted and credit: {} rounds (--rounds), {} seeds, sampler {}; intervals are "
      "95 %, over seeds.{}{}",
      report.pool.rounds, report.pool.seeds.size(), report.sampler, remark.empty() ? "" : " ", remark);
}

// The reason why no part of the margin is told; nothing where the parts are.
std::string margin_sentence(const PoolReport& report) {
  if (std::ranges::all_of(report.pool.families, [](const auto& one) { return one.margin_share.has_value(); }))
    return "";
  return fmt::format(
      "Of the margin: nothing is told, as the mean margin of the {} examples is not above 0 with every seed "
      "(on average it is {:.3f}). The right class has no lead there that could be divided",
      report.judging_side, report.pool.mean_margin);
}

std::string uncovered_sentence(const PoolReport& report) {
  return fmt::format(
      "{} of {} {} examples ({:.2f} %) are missed by every family alone.", report.uncovered.size(),
      report.num_test, report.judging_side,
      100 * double(report.uncovered.size()) / double(std::max<std::size_t>(1, report.num_test)));
}

std::string credit_sentence(const ShapleyCredit& credit) {
  return fmt::format("Credit adds up to {:.3f} nats of the log-loss of a test picture, {}", credit.total,
                     credit.num_permutations == 0
                         ? "from all sets of families"
                         : fmt::format("from {} orders of the families", credit.num_permutations));
}

// The samples for which errors of credits speak, and how they become smaller.
std::string credit_error_sentence(const PoolReport& report) {
  const ShapleyCredit& credit = *report.pool.shapley;
  const std::size_t num_seeds = report.pool.seeds.size();
  const bool is_sampled = credit.num_permutations > 0;
  return fmt::format(
      "Standard errors of credits are over {}{}{} {} pictures; more {}--seeds make them smaller",
      num_seeds < 2 ? "" : fmt::format("{} seeds{}", num_seeds, is_sampled ? ", " : " and "),
      is_sampled ? fmt::format("{} orders and ", credit.num_permutations) : "", report.num_test,
      report.judging_side, is_sampled ? "--orders and " : "");
}

// The reason why these gains and intervals are not those of other commands.
std::string gain_sentence(const PoolReport& report) {
  return report.offers.empty()
             ? ""
             : "Adds: intervals hold with 95 % at all looks of a test together (after 4 seeds alone with "
               "99.8 %); "
               "the pool was trained with each family, which was then taken out. mash heuristic try and mash "
               "report HEURISTIC train it without, and mash leaderboard --measure asks the test pictures: "
               "they "
               "estimate the same gain, with other draws";
}

// The verdict on each family in a sentence, the most useful first.
std::vector<std::string> sentences(const PoolReport& report) {
  std::vector<std::string> sentences;
  if (report.offers.empty()) return sentences;
  for (const std::size_t k : by_gain(report)) sentences.push_back(headline(report.offers[k]));
  return sentences;
}

// "Of 26 families, ...: adds: 3, adds nothing measurable: 20, undecided: 3"
std::string summary(const PoolReport& report) {
  if (report.offers.empty()) return "";
  std::map<OfferVerdict, std::size_t> counts;
  for (std::size_t k = 0; k < report.offers.size(); ++k) ++counts[verdict_on(report, k)];
  std::string text;
  for (const auto& [verdict, count] : counts)
    text += fmt::format("{}{}: {}", text.empty() ? "" : ", ", to_string(verdict), count);
  const HeuristicOffer& any = report.offers[0];
  return fmt::format(
      "Of {} families, each offered beside the others and judged on {} held-out of {} training pictures: {}",
      report.offers.size(), any.pictures.num_held_out, any.pictures.num_train, text);
}

page::Piece verdict_section(const PoolReport& report) {
  page::Piece out;
  for (const std::string& remark : report.remarks) out += page::note(remark + ".");
  if (!report.offers.empty()) out += page::note(summary(report) + ".");
  out += page::table(contribution_table(report),
                     "Adds: by how many per cent the log-loss of pictures that did not train falls where the "
                     "family is offered "
                     "beside the others in " +
                         std::to_string(report.offers.empty() ? 0 : report.offers[0].rounds) +
                         " rounds, with its interval over seeds and pictures. Wins offers: 1 where its "
                         "features are chosen as "
                         "often as the pool's average candidate. Error alone: " +
                         report.judging_side +
                         " error of the family by "
                         "itself. CKA: 1 where "
                         "two families tell the same, 0 where they have nothing in common. Of the margin: "
                         "its share of the lead "
                         "of the right class in the votes. Permuted: what the error rises by where the "
                         "family's values go to "
                         "other images, without training again. Credit: its Shapley value, its fair share of "
                         "what all families "
                         "together remove of the log-loss of a test picture, in nats; \"not measured\" where "
                         "its standard error "
                         "is more than half of it.");
  if (const std::string why = margin_sentence(report); !why.empty()) out += page::note(why + ".");
  out += page::note(uncovered_sentence(report));
  out += page::note(basis(report));
  if (!report.offers.empty()) out += page::note(gain_sentence(report) + ".");
  if (report.pool.shapley) out += page::note(credit_error_sentence(report) + ".");
  return out;
}

page::Piece sentences_section(const PoolReport& report) {
  std::vector<Html> items;
  for (const std::string& sentence : sentences(report)) items.push_back(markup("{}", sentence));
  return items.empty() ? page::note("The families could not be tested.") : page::list(items);
}

page::Piece forest_section(const PoolReport& report) {
  if (report.offers.empty()) return page::note("The families could not be tested.");
  ForestPlot plot;
  plot.id = "pool-gains";
  plot.title = "What each family adds";
  plot.x_title = "gain, % of the log-loss (right of 0: better)";
  for (const std::size_t k : by_gain(report)) {
    const OfferFigures& figures = report.offers[k].figures;
    if (figures.leaves_nothing()) continue;
    ForestRow row{report.pool.families[k].name,
                  fmt::format("{:+.2f} ({:+.2f} to {:+.2f})", figures.last.gain, figures.last.interval.low,
                              figures.last.interval.high),
                  gain_of(figures),
                  {}};
    plot.description += fmt::format("{}: {} %. ", row.label, row.text);
    plot.rows.push_back(std::move(row));
  }
  page::Piece out = page::note(
      "What each family removes of the log-loss beside the others, in per cent. An interval that holds zero "
      "says: not seen with this number of seeds; it is no proof that there is nothing.");
  out += page::plot(plot_of(plot));
  return out;
}

page::Piece tree_section(const PoolReport& report) {
  const auto names = report.family_names();
  page::Piece out = page::note(
      "Families that see the same join far to the right, at a small 1 − CKA. CKA: 1 where two families "
      "tell the same, 0 where they have nothing in common.");
  out += sections::family_tree("pool-tree", names, report.cka, names.size());
  return out;
}

page::Piece front_section(const PoolReport& report) {
  page::Piece out = page::note(
      "Each point is a family, better the further up and left; no other is both cheaper and of more use "
      "than one on the stepped line. The margin is the lead of the right class in the votes.");
  if (const std::string why = margin_sentence(report); report.costs.empty() && !why.empty())
    return page::note(why + ".");
  out += sections::cost_front("pool-front", report.costs);
  return out;
}

Json family_json(const PoolReport& report, std::size_t family_idx) {
  const FamilyContribution& family = report.pool.families[family_idx];
  Json json{{"family", family.name},
            {"alone_error", estimate_json(family.alone_error)},
            // Differences of errors: the first two names are wrong, and are kept for those who read them.
            {"loss_when_dropped", estimate_json(family.added.gain)},
            {"losses", family.added.gains},
            {"error_when_dropped", estimate_json(family.added.gain)},
            {"errors_when_dropped", family.added.gains},
            {"fixed", family.added.fixed},
            {"broken", family.added.broken},
            {"mcnemar_p_mid", family.added.examples.p_mid},
            {"margin_share", family.margin_share ? estimate_json(*family.margin_share)
                                                 : Json{{"mean", nullptr}, {"ci95", nullptr}}},
            {"alpha_share", estimate_json(family.alpha_share)},
            {"permutation_importance",
             {{"mean", family.importance.mean}, {"standard_error", family.importance.standard_error}}},
            {"shapley", family.shapley ? credit_json(*family.shapley) : Json()},
            {"microseconds_per_image", family.cost.microseconds_per_image},
            {"neighbours", neighbours_json(family.neighbours, report.family_names())}};
  if (!report.offers.empty()) {
    const HeuristicOffer& offer = report.offers[family_idx];
    json["finding"] = to_string(verdict_of(offer.figures));
    json["verdict"] = headline(offer);
    json["advice"] = next_step(offer);
    json["gain"] = offer.figures.leaves_nothing() ? Json() : gain_json(offer.figures.last);
    json["win_index"] = offer.figures.win_index();
    json["speed_up"] = offer.figures.speed_up();
  }
  return json;
}

// The name of a test example, where it has one.
std::optional<std::string> test_name(const PoolReport& report, std::size_t example_idx) {
  if (example_idx >= report.test_names.size()) return std::nullopt;
  return report.test_names[example_idx];
}

std::string medoid_in_brackets(const PoolReport& report, const MistakeCluster& cluster) {
  const auto name = test_name(report, report.mistakes[cluster.medoid].example_idx);
  return name ? fmt::format(" ({})", *name) : "";
}

}  // namespace

std::vector<std::string> PoolReport::family_names() const {
  std::vector<std::string> names;
  for (const FamilyContribution& family : pool.families) names.push_back(family.name);
  return names;
}

std::string render_text(const PoolReport& report) {
  const Estimate& error = report.pool.pool_error;
  std::string text = summary(report);
  if (!text.empty()) text += "\n\n";
  text += render_text(contribution_table(report)) + "\n" + basis(report) + "\n";
  if (const std::string why = margin_sentence(report); !why.empty()) text += why + "\n";
  if (!report.offers.empty()) text += gain_sentence(report) + "\n";
  for (const std::string& remark : report.remarks) text += remark + "\n";
  if (!report.offers.empty()) text += "\n";
  for (const std::string& sentence : sentences(report)) text += sentence + "\n";
  text += fmt::format(
      "\nAll families together: {} {} error; always answering the most frequent class: {:.2f} %\n",
      show(error, Format::kPercent), report.judging_side, 100 * report.pool.constant_error);
  if (report.pool.shapley)
    text += credit_sentence(*report.pool.shapley) + "\n" + credit_error_sentence(report) + "\n";
  text += uncovered_sentence(report) + "\n";
  for (const MistakeCluster& cluster : report.clusters)
    text += fmt::format(
        "{} mistakes of the pool like {} example {}{}; most often {} is taken for {} ({} of them)\n",
        cluster.mistakes.size(), report.judging_side, report.mistakes[cluster.medoid].example_idx,
        medoid_in_brackets(report, cluster), report.class_names[cluster.label],
        report.class_names[cluster.predicted], cluster.num_pair);
  text += fmt::format("({:.1f} s; {} trainings, {} found in the records)\n", report.seconds,
                      report.num_trained, report.num_found);
  return text;
}

Json to_json(const PoolReport& report) {
  Json json{{"rounds", report.pool.rounds},
            {"seeds", report.pool.seeds},
            {"sampler", report.sampler},
            {"constant_error", report.pool.constant_error},
            {"judged_by", report.judging_side},
            {"pool_error", estimate_json(report.pool.pool_error)},
            {"mean_margin", report.pool.mean_margin},
            {"families", Json::array()},
            {"uncovered", report.uncovered},
            {"clusters", Json::array()},
            {"seconds", report.seconds},
            {"trainings", report.num_trained},
            {"trainings_found", report.num_found},
            {"command", report.command}};
  for (const std::size_t k : by_gain(report)) json["families"].push_back(family_json(report, k));
  for (const MistakeCluster& cluster : report.clusters)
    json["clusters"].push_back({{"size", cluster.mistakes.size()},
                                {"medoid", report.mistakes[cluster.medoid].example_idx},
                                {"label", report.class_names[cluster.label]},
                                {"said", report.class_names[cluster.predicted]},
                                {"of_that_pair", cluster.num_pair}});
  for (std::size_t c = 0; c < report.clusters.size(); ++c)
    if (const auto name = test_name(report, report.mistakes[report.clusters[c].medoid].example_idx))
      json["clusters"][c]["medoid_name"] = *name;
  for (const std::size_t example : report.uncovered)
    if (const auto name = test_name(report, example)) json["uncovered_names"].push_back(*name);
  json["remarks"] = report.remarks;
  json["shapley"] = Json();
  if (const auto& shapley = report.pool.shapley)
    json["shapley"] = {{"total", shapley->total},
                       {"permutations", shapley->num_permutations},
                       {"subsets", shapley->num_subsets},  // each with each seed that it was asked for
                       {"seeded_subsets", shapley->num_subsets}};
  return json;
}

std::vector<page::Section> pool_sections(const PoolReport& report) {
  return {{"contribution", "What each family contributes", verdict_section(report)},
          {"gains", "What each family adds", forest_section(report)},
          {"verdicts", "The verdicts in words", sentences_section(report), true},
          {"tree", "Who sees the same", tree_section(report), true},
          {"front", "Cost and use", front_section(report), true}};
}

}  // namespace mash
