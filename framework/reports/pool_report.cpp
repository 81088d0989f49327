// SPDX-License-Identifier: Apache-2.0
#include "framework/reports/pool_report.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "framework/reports/contribution_json.hpp"
#include "framework/reports/contribution_sections.hpp"
#include "framework/reports/credit.hpp"

namespace mash {
namespace {

using Json = nlohmann::ordered_json;

// The families by what the pool loses without them.
std::vector<std::size_t> by_loss(const PoolReport& report) {
  std::vector<std::size_t> order(report.pool.families.size());
  for (std::size_t k = 0; k < order.size(); ++k) order[k] = k;
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return report.pool.families[a].added.gain.mean > report.pool.families[b].added.gain.mean;
  });
  return order;
}

std::string verdict_of(const PoolReport& report, std::size_t family_idx) {
  std::vector<std::string_view> words;
  for (const Diagnosis& diagnosis : report.diagnoses[family_idx]) words.push_back(to_string(diagnosis.kind));
  const Comparison& added = report.pool.families[family_idx].added;
  if (added.is_better()) words.push_back("adds");
  if (added.is_worse()) words.push_back("harms");
  if (words.empty() && report.pool.seeds.size() < 2) return "not judged: one seed";
  if (words.empty() && !added.gain.half_width) return "not judged: equal gains";
  return words.empty() ? "within noise" : fmt::format("{}", fmt::join(words, ", "));
}

Table contribution_table(const PoolReport& report) {
  Table table;
  table.title = "What each family contributes";
  table.columns = {{"family", "family", Format::kText},
                   {"verdict", "verdict", Format::kText},
                   {"alone_error", "alone", Format::kPercent, true},
                   {"loss", "loss without", Format::kPercent, true},
                   {"loss_with_twin", "without its twin too", Format::kPercent, true},
                   {"twin", "twin (CKA)", Format::kText},
                   {"margin_share", "of the margin", Format::kPercent},
                   {"importance", "permuted", Format::kPercent},
                   {"shapley", "credit ± s.e.", Format::kText},
                   {"us_per_image", "µs/image", Format::kDecimal}};
  for (const std::size_t k : by_loss(report)) {
    const FamilyContribution& family = report.pool.families[k];
    Cell twin, shapley;
    if (!family.neighbours.empty())
      twin = fmt::format("{} ({:.2f})", report.pool.families[family.neighbours[0].family_idx].name,
                         family.neighbours[0].cka);
    if (family.shapley) shapley = credit_text(*family.shapley);
    table.rows.push_back({family.name, verdict_of(report, k), family.alone_error, family.added.gain,
                          family.added_with_twin ? Cell(family.added_with_twin->gain) : Cell(), twin,
                          family.margin_share.mean, family.importance.mean, shapley,
                          family.cost.microseconds_per_image});
  }
  return table;
}

std::string basis(const PoolReport& report) {
  return fmt::format("{} rounds (--rounds), {} seeds, sampler {}; intervals are 95 %, over seeds, paired",
                     report.pool.rounds, report.pool.seeds.size(), report.sampler);
}

std::string uncovered_sentence(const PoolReport& report) {
  return fmt::format(
      "{} of {} test examples ({:.2f} %) are missed by every family alone.", report.uncovered.size(),
      report.num_test,
      100 * double(report.uncovered.size()) / double(std::max<std::size_t>(1, report.num_test)));
}

std::string credit_sentence(const ShapleyCredit& credit) {
  return fmt::format("Credit adds up to {:.3f} nats of the log-loss of a test picture, {}", credit.total,
                     credit.num_permutations == 0
                         ? "from all sets of families"
                         : fmt::format("from {} orders of the families", credit.num_permutations));
}

// A sentence for each diagnosis.
std::vector<std::string> reasons(const PoolReport& report) {
  std::vector<std::string> sentences;
  for (const std::size_t k : by_loss(report))
    for (const Diagnosis& diagnosis : report.diagnoses[k])
      sentences.push_back(fmt::format("{} is {}: {}", report.pool.families[k].name, to_string(diagnosis.kind),
                                      diagnosis.reason));
  return sentences;
}

page::Piece verdict_section(const PoolReport& report) {
  page::Piece out;
  for (const std::string& remark : report.remarks) out += page::note(remark + ".");
  out +=
      page::note(fmt::format("Every family was trained alone, left out, and left out together with its "
                             "nearest neighbour (its twin): "
                             "{}. \"Redundant\" needs another family that tells the same, \"useless\" helps "
                             "neither alone nor beside "
                             "the others, \"suspicious\" may see the label. Each verdict stands by itself: "
                             "of twenty families one may "
                             "seem to add or to harm by chance.",
                             basis(report)));
  out += page::table(
      contribution_table(report),
      "Alone: test error of the family by itself. Loss without: what the test error of the pool (all "
      "families) "
      "rises by without the family, in points. CKA: 1 where two families tell the same, 0 where they have "
      "nothing in common. Of the margin: its share of the lead of the right class in the votes. Permuted: "
      "what "
      "the error rises by where the family's values go to other images, without training again. Credit: its "
      "Shapley value, its fair share of what all families together remove of the log-loss of a test picture, "
      "in nats; \"not measured\" where its standard error is more than half of it.");
  out += page::note(uncovered_sentence(report));
  return out;
}

page::Piece reasons_section(const PoolReport& report) {
  std::vector<Html> items;
  for (const std::string& sentence : reasons(report)) items.push_back(markup("{}", sentence));
  return items.empty() ? page::note("No family is redundant, useless or suspicious.") : page::list(items);
}

page::Piece forest_section(const PoolReport& report) {
  std::vector<sections::Gain> gains;
  for (const std::size_t k : by_loss(report)) {
    const FamilyContribution& family = report.pool.families[k];
    gains.push_back({family.name, family.added.gain, family.added.gains});
  }
  page::Piece out = page::note(
      "How much better the pool is for each family, in points of test error, with 95 % intervals over seeds; "
      "a "
      "dot is a seed. An interval that holds zero says: not seen with so few rounds and seeds.");
  out += sections::gain_forest("pool-gains", "Loss without the family", gains);
  return out;
}

page::Piece tree_section(const PoolReport& report) {
  const auto names = report.family_names();
  page::Piece out = page::note(
      "Families that see the same join far to the right, at a small 1 − CKA. CKA: 1 where two families tell "
      "the "
      "same, 0 where they have nothing in common.");
  out += sections::family_tree("pool-tree", names, report.cka, names.size());
  return out;
}

page::Piece front_section(const PoolReport& report) {
  page::Piece out = page::note(
      "Each point is a family, better the further up and left; no other is both cheaper and of more use than "
      "one "
      "on the stepped line. The margin is the lead of the right class in the votes.");
  out += sections::cost_front("pool-front", report.costs);
  return out;
}

Json family_json(const PoolReport& report, std::size_t family_idx) {
  const FamilyContribution& family = report.pool.families[family_idx];
  Json json{{"family", family.name},
            {"alone_error", estimate_json(family.alone_error)},
            {"loss_when_dropped", estimate_json(family.added.gain)},
            {"losses", family.added.gains},
            {"fixed", family.added.fixed},
            {"broken", family.added.broken},
            {"mcnemar_p_mid", family.added.examples.p_mid},
            {"loss_when_dropped_with_twin",
             family.added_with_twin ? estimate_json(family.added_with_twin->gain) : Json()},
            {"margin_share", estimate_json(family.margin_share)},
            {"permutation_importance",
             {{"mean", family.importance.mean}, {"standard_error", family.importance.standard_error}}},
            {"shapley", family.shapley ? credit_json(*family.shapley) : Json()},
            {"microseconds_per_image", family.cost.microseconds_per_image},
            {"neighbours", neighbours_json(family.neighbours, report.family_names())},
            {"findings", diagnoses_json(report.diagnoses[family_idx])}};
  return json;
}

}  // namespace

std::vector<std::string> PoolReport::family_names() const {
  std::vector<std::string> names;
  for (const FamilyContribution& family : pool.families) names.push_back(family.name);
  return names;
}

std::string render_text(const PoolReport& report) {
  const Estimate& error = report.pool.pool_error;
  std::string text = fmt::format("{}\n\n{}\n", basis(report), render_text(contribution_table(report)));
  for (const std::string& remark : report.remarks) text += remark + "\n";
  for (const std::string& sentence : reasons(report)) text += sentence + "\n";
  text += fmt::format(
      "\nAll families together: {} test error; always answering the most frequent class: {:.2f} %\n",
      show(error, Format::kPercent), 100 * report.pool.constant_error);
  if (report.pool.shapley) text += credit_sentence(*report.pool.shapley) + "\n";
  text += uncovered_sentence(report) + "\n";
  for (const MistakeCluster& cluster : report.clusters)
    text +=
        fmt::format("{} mistakes of the pool like test example {}, {} of them {} taken for {}\n",
                    cluster.mistakes.size(), report.mistakes[cluster.medoid].example_idx, cluster.num_pair,
                    report.class_names[cluster.label], report.class_names[cluster.predicted]);
  text += fmt::format("({:.1f} s; {} trainings, {} found in the records)\n", report.seconds,
                      report.num_trained, report.num_found);
  return text;
}

Json to_json(const PoolReport& report) {
  Json json{{"rounds", report.pool.rounds},
            {"seeds", report.pool.seeds},
            {"sampler", report.sampler},
            {"constant_error", report.pool.constant_error},
            {"pool_error", estimate_json(report.pool.pool_error)},
            {"mean_margin", report.pool.mean_margin},
            {"families", Json::array()},
            {"uncovered", report.uncovered},
            {"clusters", Json::array()},
            {"seconds", report.seconds},
            {"trainings", report.num_trained},
            {"trainings_found", report.num_found},
            {"command", report.command}};
  for (const std::size_t k : by_loss(report)) json["families"].push_back(family_json(report, k));
  for (const MistakeCluster& cluster : report.clusters)
    json["clusters"].push_back({{"size", cluster.mistakes.size()},
                                {"medoid", report.mistakes[cluster.medoid].example_idx},
                                {"label", report.class_names[cluster.label]},
                                {"said", report.class_names[cluster.predicted]},
                                {"of_that_pair", cluster.num_pair}});
  json["remarks"] = report.remarks;
  json["shapley"] = Json();
  if (const auto& shapley = report.pool.shapley)
    json["shapley"] = {{"total", shapley->total},
                       {"permutations", shapley->num_permutations},
                       {"subsets", shapley->num_subsets}};
  return json;
}

std::vector<page::Section> pool_sections(const PoolReport& report) {
  return {{"contribution", "What each family contributes", verdict_section(report)},
          {"reasons", "Why these verdicts", reasons_section(report), true},
          {"gains", "Loss without each family", forest_section(report), true},
          {"tree", "Who sees the same", tree_section(report), true},
          {"front", "Cost and use", front_section(report), true}};
}

}  // namespace mash
