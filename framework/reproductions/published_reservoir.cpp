// SPDX-License-Identifier: Apache-2.0
#include "framework/reproductions/published_reservoir.hpp"

#include <vector>

#include "framework/base/settings.hpp"

namespace mash {
namespace {

constexpr std::array<ReservoirSet, kReservoirSets> kSets{{
    {"mnist", "MNIST", true},
    {"usps", "USPS"},
    {"cifar10", "CIFAR-10"},
    {"inria", "INRIA Person"},
}};

using Figure = PublishedAccuracy;

// Of r = 100 and 250 on each set; the paper does not have USPS.
constexpr ReservoirFigures figures(std::array<Figure, 2> mnist, std::array<Figure, 2> cifar,
                                   std::array<Figure, 2> inria) {
  return {mnist, {}, cifar, inria};
}

// clang-format off
constexpr ReservoirFigures
    kMax = figures({{{66.74, 1.45}, {68.25, .81}}}, {{{29.59, .59}, {29.16, .71}}}, {{{95.57, .49}, {96.31, .37}}}),
    kRand = figures({{{79.97, .24}, {79.59, .22}}}, {{{46.02, .35}, {45.88, .24}}}, {{{91.54, .49}, {91.72, .35}}}),
    kWSam = figures({{{83.96, .29}, {84.07, .23}}}, {{{48.92, .34}, {50.09, .24}}}, {{{94.29, .23}, {94.63, .30}}}),
    kGeem = figures({{{84.66, .30}, {84.33, .33}}}, {{{50.96, .36}, {54.87, .28}}}, {{{97.21, .21}, {97.52, .13}}}),
    kWss = figures({{{84.21, .27}, {84.51, .16}}}, {{{50.38, .38}, {51.66, .30}}}, {{{94.24, .30}, {94.65, .16}}}),
    kMada = figures({{{79.00, .33}, {78.99, .31}}}, {{{48.87, .26}, {49.44, .33}}}, {{{94.26, .27}, {94.65, .10}}}),
    kFix = figures({{{85.37, .33}, {88.02, .15}}}, {{{48.41, .88}, {52.40, .77}}}, {{{92.46, .67}, {93.82, .74}}}),
    // As printed there.
    kGeemOfTable5 = figures({{{84.66, .30}, {84.33, .33}}}, {{{50.96, .36}, {54.87, .28}}}, {{{97.21, .21}, {97.53, .13}}});

constexpr std::array kStrategies{
    ReservoirMethod{"max", "Max", "reservoir", "keep", "max", "size", {100, 250}, 4, kMax},
    ReservoirMethod{"rand", "Rand", "reservoir", "keep", "rand", "size", {100, 250}, 1.5, kRand},
    ReservoirMethod{"wsam", "WSam", "reservoir", "keep", "wsam", "size", {100, 250}, 1.5, kWSam},
    ReservoirMethod{"geem", "GEEM", "reservoir", "keep", "geem", "size", {100, 250}, 1.5, kGeem},
};

constexpr std::array kSamples{
    ReservoirMethod{"wss", "WSS", "logitboost", "examples", "by_weight", "drawn", {100, 250}, 1.5, kWss},
    ReservoirMethod{"mada", "Mada", "logitboost", "examples", "mada", "drawn", {100, 250}, 1.5, kMada},
    ReservoirMethod{"fix", "Fix", "logitboost", "examples", "fixed", "drawn", {1000, 2500}, 1.5, kFix},
    ReservoirMethod{"geem", "GEEM", "reservoir", "keep", "geem", "size", {100, 250}, 1.5, kGeemOfTable5},
};
// clang-format on

constexpr std::array kTables{
    ReservoirTable{"reservoir-table3", "What a reservoir keeps, Lefakis & Fleuret 2013, Table 3",
                   kStrategies},
    ReservoirTable{"reservoir-table5", "A reservoir and samples of all data, Lefakis & Fleuret 2013, Table 5",
                   kSamples},
};

}  // namespace

std::span<const ReservoirSet, kReservoirSets> reservoir_sets() { return kSets; }

Result<const ReservoirTable*> find_reservoir_table(std::string_view name) {
  std::vector<std::string_view> known;
  for (const ReservoirTable& table : kTables) {
    if (table.name == name) return &table;
    known.push_back(table.name);
  }
  return unknown_name("table", name, known);
}

}  // namespace mash
