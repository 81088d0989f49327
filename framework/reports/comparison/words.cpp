// SPDX-License-Identifier: Apache-2.0
#include "framework/reports/comparison/words.hpp"

#include <algorithm>
#include <cmath>

#include "framework/render/wording.hpp"
#include "framework/reports/comparison/tables.hpp"
#include "framework/reports/few_seeds.hpp"

namespace mash {
namespace {

constexpr std::size_t kMaxListedClasses = 20;

// Differences of errors are shown in points, a hundredth each.
double shown(const ComparisonReport& comparison, double difference) {
  return comparison.is_of_offers() ? difference : 100 * difference;
}

std::string_view unit_of(const ComparisonReport& comparison) {
  return comparison.is_of_offers() ? "% of the log-loss" : "points";
}

// "3 seeds in common, 24 examples": what the decisive test generalises to.
std::string basis_of(const ComparedPair& pair) {
  if (pair.over_both && pair.decisive() == &*pair.over_both)
    return fmt::format("{} in common, {} examples", counted(pair.num_seeds, "seed"), pair.num_examples);
  return fmt::format("{} examples; as trained: other seeds may say otherwise", pair.num_examples);
}

// Which is better, of two that are told apart.
std::string better_sentence(const ComparisonReport& comparison, const ComparedPair& pair,
                            const PairedDifference& difference) {
  const bool higher_is_better = comparison.is_of_offers();
  const bool is_second = (difference.mean > 0) == higher_is_better;
  const std::size_t better = is_second ? pair.second : pair.first,
                    other = is_second ? pair.first : pair.second;
  double low = std::abs(difference.mean), high = low;
  if (difference.interval) {
    low = std::min(std::abs(difference.interval->low), std::abs(difference.interval->high));
    high = std::max(std::abs(difference.interval->low), std::abs(difference.interval->high));
  }
  const std::string p_value =
      *pair.p_corrected < .0001 ? "p < 0.0001" : fmt::format("p = {:.2g}", *pair.p_corrected);
  return fmt::format(
      "{} is better than {}: {} {:.2f} {} {}, between {:.2f} and {:.2f} ({}; {}).", letter_of(better),
      letter_of(other), higher_is_better ? "it gains" : fmt::format("its {} is", comparison.error_name()),
      std::abs(shown(comparison, difference.mean)), unit_of(comparison), higher_is_better ? "more" : "lower",
      shown(comparison, low), shown(comparison, high), p_value, basis_of(pair));
}

// Differences that may be true of two that are not told apart, and that would have been seen.
std::string open_sentences(const ComparisonReport& comparison, const ComparedPair& pair,
                           const PairedDifference& difference) {
  const std::string first = letter_of(pair.first), second = letter_of(pair.second);
  const auto signed_size = [&](double size) { return with_sign(shown(comparison, size), 2); };
  std::string text = fmt::format(
      "{} and {} are not told apart, which does not make them equal. The {} of {} is {} {} from that of {}",
      first, second, comparison.is_of_offers() ? "gain" : comparison.error_name(), second,
      signed_size(difference.mean), unit_of(comparison), first);
  if (!difference.interval) return text + " on each seed alike, which says nothing of how far that holds.";
  text += fmt::format("; the true difference may be anything between {} and {} ({}).",
                      signed_size(difference.interval->low), signed_size(difference.interval->high),
                      basis_of(pair));
  // Two errors differ by 100 points at most.
  if (!difference.visible)
    return text +
           " Even a difference of 100 points would not be seen in four of five comparisons like this one.";
  return text + fmt::format(
                    " A difference of {:.2f} would have been seen in four of five comparisons like this one.",
                    shown(comparison, *difference.visible));
}

// A reminder of how little few seeds say, where the interval speaks of other seeds.
std::string few_seeds_sentence(const ComparedPair& pair, const PairedDifference& difference) {
  const bool is_over_seeds = pair.over_both && pair.decisive() == &*pair.over_both;
  const std::string remark = is_over_seeds && difference.error ? few_seeds_remark(*difference.error) : "";
  return remark.empty() ? "" : " " + remark;
}

// The classes that a terminal shows: all of a few, else those that differ most.
ComparisonReport with_listed_classes(const ComparisonReport& comparison) {
  ComparisonReport some = comparison;
  if (some.classes.size() <= kMaxListedClasses) return some;
  const auto size = [](const ComparedClass& of_class) {
    double most = 0;
    for (const ClassDifference& other : of_class.differences)
      most = std::max(most, std::abs(other.difference.mean));
    return most;
  };
  std::stable_sort(some.classes.begin(), some.classes.end(),
                   [&](const auto& a, const auto& b) { return size(a) > size(b); });
  some.classes.resize(kMaxListedClasses);
  return some;
}

std::string titled(std::string_view title, const Table& table) {
  return table.rows.empty() ? "" : fmt::format("\n{}\n{}", title, render_text(table));
}

std::string titles_of_classes(const ComparisonReport& comparison, bool all) {
  const std::string what = comparison.is_of_offers()
                               ? "What the examples of each class have of the differences of gains"
                               : fmt::format("{}s by class, and their differences in points",
                                             capitalized(comparison.error_name()));
  if (all || comparison.classes.size() <= kMaxListedClasses) return what + ":";
  return fmt::format("{}: the {} of {} that differ most", what, kMaxListedClasses, comparison.classes.size());
}

}  // namespace

std::string name_of(const ComparedPair& pair) {
  return fmt::format("{} − {}", letter_of(pair.second), letter_of(pair.first));
}

std::string difference_in_words(const ComparisonReport& comparison, double difference) {
  return with_sign(shown(comparison, difference), 2);
}

std::string interval_in_words(const ComparisonReport& comparison, const PairedDifference& difference) {
  if (!difference.interval) return "–";
  return fmt::format("{} to {}", difference_in_words(comparison, difference.interval->low),
                     difference_in_words(comparison, difference.interval->high));
}

std::string sentences_of(const ComparisonReport& comparison, const ComparedPair& pair) {
  if (!pair.why_not.empty())
    return fmt::format("{} and {}: no paired test, as {}.", letter_of(pair.first), letter_of(pair.second),
                       pair.why_not);
  const PairedDifference& difference = *pair.shown;
  return (pair.is_told_apart() ? better_sentence(comparison, pair, difference)
                               : open_sentences(comparison, pair, difference)) +
         few_seeds_sentence(pair, difference);
}

std::string render_text(const ComparisonReport& comparison, bool all) {
  std::string text;
  for (std::size_t i = 0; i < comparison.size(); ++i)
    text += fmt::format("{}  {}\n", letter_of(i), side_line(comparison, i));
  text += "\n";
  for (const ComparedPair& pair : comparison.pairs) text += sentences_of(comparison, pair) + "\n";
  for (const std::string& remark : comparison.remarks) text += remark + "\n";
  if (!comparison.command.empty())
    text += fmt::format("What is missing is made by: {}\n", comparison.command);
  const Table settings = settings_table(comparison, all);
  text += settings.rows.empty() ? fmt::format("\n{}\n", settings.hint)
                                : titled(all ? "Settings:" : "Settings that differ:", settings);
  text += titled("Results:", results_table(comparison));
  text += titled(comparison.is_of_offers()
                     ? "Differences, in % of the log-loss:"
                     : fmt::format("Differences of {}s, in points:", comparison.error_name()),
                 pairs_table(comparison));
  text += titled(titles_of_classes(comparison, all),
                 classes_table(all ? comparison : with_listed_classes(comparison)));
  text += titled(fmt::format("Families used, at most {}, by their largest share:", kMaxFamiliesShown),
                 families_table(comparison));
  return text;
}

}  // namespace mash
