// SPDX-License-Identifier: Apache-2.0
#include "framework/reproductions/contribution/simulation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <map>

namespace mash {
namespace {

constexpr double kAllowed = .05;  // of tests of nothing

std::size_t count(const PlantedRepetitions& kind, std::span<const OfferVerdict> verdicts) {
  return std::size_t(std::count_if(
      kind.repetitions.begin(), kind.repetitions.end(), [&](const PlantedRepetition& repetition) {
        return std::find(verdicts.begin(), verdicts.end(), repetition.verdict) != verdicts.end();
      }));
}

constexpr OfferVerdict kSaysAdds[] = {OfferVerdict::kAdds, OfferVerdict::kAddsMuch};

template <class Figure>
Statistics over_repetitions(const PlantedRepetitions& kind, Figure figure) {
  std::vector<double> values;
  for (const PlantedRepetition& repetition : kind.repetitions) values.push_back(double(figure(repetition)));
  return statistics_of(values);
}

std::string verdicts_of(const PlantedRepetitions& kind) {
  std::map<OfferVerdict, std::size_t> counts;
  for (const PlantedRepetition& repetition : kind.repetitions) ++counts[repetition.verdict];
  std::string text;
  for (const auto& [verdict, number] : counts)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", number, to_string(verdict));
  return text;
}

}  // namespace

double binomial_tail(std::size_t num_errors, std::size_t num_trials, double probability) {
  if (num_errors == 0) return 1;
  const boost::math::binomial_distribution<> distribution(double(num_trials), probability);
  return boost::math::cdf(boost::math::complement(distribution, double(num_errors) - 1));
}

ReproductionReport simulation_report(std::span<const PlantedRepetitions> kinds) {
  ReproductionReport report;
  report.name = "offer-simulation";
  Table& table = report.table;
  table.title = "What the offer test says of families whose worth is known";
  table.columns = {{"kind", "planted", Format::kText},
                   {"expected", "should be told", Format::kText},
                   {"trials", "trials", Format::kCount},
                   {"verdicts", "was told", Format::kText},
                   {"gain", "gain, % of the log-loss", Format::kDecimal},
                   {"gain_sd", "sd over trials", Format::kDecimal},
                   {"seeds", "seeds, mean", Format::kDecimal},
                   {"trained", "T = 1000 with and without, %", Format::kDecimal, true}};
  std::size_t num_noise = 0, num_wrong = 0;
  for (const PlantedRepetitions& kind : kinds) {
    const Statistics gain =
        over_repetitions(kind, [](const PlantedRepetition& repetition) { return repetition.gain; });
    const Statistics seeds =
        over_repetitions(kind, [](const PlantedRepetition& repetition) { return repetition.num_seeds; });
    table.rows.push_back({kind.kind, kind.expected, std::int64_t(kind.repetitions.size()), verdicts_of(kind),
                          gain.mean, kind.repetitions.size() > 1 ? Cell(gain.sd) : Cell(), seeds.mean,
                          kind.trained_gains.empty() ? Cell() : Cell(estimate(kind.trained_gains))});
    if (!kind.is_noise) continue;
    num_noise += kind.repetitions.size();
    num_wrong += count(kind, kSaysAdds);
  }
  if (num_noise > 0)
    report.remarks.push_back(
        fmt::format("of {} families that say nothing {} were told to add: {:.1f} %; that many or more where "
                    "the true rate is "
                    "{:.0f} %: p = {:.2g}",
                    num_noise, num_wrong, 100 * double(num_wrong) / double(num_noise), 100 * kAllowed,
                    binomial_tail(num_wrong, num_noise, kAllowed)));
  return report;
}

}  // namespace mash
