// SPDX-License-Identifier: Apache-2.0
#include "framework/reproductions/reservoir/published.hpp"

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

// For r = 100 and 250 on each set; the paper does not have USPS.
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
    // INRIA as printed there.
    kGeemOfTable5 = figures({{{84.66, .30}, {84.33, .33}}}, {{{50.96, .36}, {54.87, .28}}}, {{{97.21, .21}, {97.53, .13}}});

constexpr std::array kStrategies{
    ReservoirMethod{"max", "Max", "reservoir", "keep", "max", "size", {100, 250}, 4, kMax},
    ReservoirMethod{"rand", "Rand", "reservoir", "keep", "rand", "size", {100, 250}, 1.5, kRand},
    ReservoirMethod{"wsam", "WSam", "reservoir", "keep", "wsam", "size", {100, 250}, 1.5, kWSam},
    ReservoirMethod{"geem", "GEEM", "reservoir", "keep", "geem", "size", {100, 250}, 1.5, kGeem},
};

// The columns of Table 4, of r = 250 alone.
constexpr ReservoirFigures
    kBisc = figures({{{}, {80.99, 1.11}}}, {{{}, {39.40, 1.91}}}, {{{}, {94.23, .97}}}),
    kChen = figures({{{}, {85.25, .82}}}, {{{}, {45.03, .93}}}, {{{}, {95.65, .38}}}),
    kOza = figures({{{}, {84.85, .54}}}, {{{}, {49.16, .40}}}, {{{}, {95.50, .49}}}),
    kGeemOfTable4 = figures({{{}, {84.33, .33}}}, {{{}, {54.87, .28}}}, {{{}, {97.53, .13}}});

constexpr std::array kOnline{
    ReservoirMethod{"selectors", "Bisc", "selectors", "", "", "fresh", {0, 250}, 1.5, kBisc, false},
    ReservoirMethod{"osboost", "OSBoost", "osboost", "", "", "fresh", {0, 250}, 1.5, {}, false},
    ReservoirMethod{"osboost.exp", "Chen", "osboost.exp", "", "", "fresh", {0, 250}, 1.5, kChen, false},
    ReservoirMethod{"osboost.ocp", "OSBoost.OCP", "osboost.ocp", "", "", "fresh", {0, 250}, 1.5, {}, false},
    ReservoirMethod{"oza-russell", "Oza", "oza-russell", "", "", "fresh", {0, 250}, 1.5, kOza, false},
    ReservoirMethod{"geem", "GEEM", "reservoir", "keep", "geem", "size", {0, 250}, 1.5, kGeemOfTable4},
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
    ReservoirTable{
        "reservoir-table4", "A reservoir and online boosting, Lefakis & Fleuret 2013, Table 4", kOnline,
        "All methods are shown the same number of examples, 250 in each of 250 rounds. Which column of "
        "the paper's table is which method is read from the order of the names in its head. It does "
        "not say which booster of Chen, Lin & Lu it has: its figures stand beside OSBoost.EXP."},
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
