// SPDX-License-Identifier: Apache-2.0
// That the scan refuses calls in an order that its life does not have, and says which call and why.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "classifiers/scan/stump_scan.hpp"
#include "tests/support/world.hpp"

namespace mash {
namespace {

// The text of the logic_error that the call throws; empty where it throws none.
std::string refusal(const std::function<void()>& call) {
  try {
    call();
  } catch (const std::logic_error& error) {
    return error.what();
  }
  return "";
}

class ScanLife : public ::testing::Test {
 protected:
  ScanLife() { initialise(InitialWeights::kUniform, world.workers, weights); }

  std::span<const DrawnRows> draw() {
    return scan.draw(1, [](std::size_t) { return ExampleDraw{{1, 4, 7}, {1, 2, 1}, 4}; });
  }

  testing::World world{testing::learnable_table(100, 4, 3, 1)};
  SignedWeights weights{world.dataset.train.labels, 3};
  StumpScan scan{world.features(), weights, {}, world.workers};
  const std::vector<std::uint32_t> features{0, 2}, rows{0, 1, 2, 3, 5, 8, 13, 21};
  const std::vector<std::uint8_t> negated = std::vector<std::uint8_t>(100, 1);
};

TEST_F(ScanLife, NothingIsLookedAtBeforeTheFirstRound) {
  const DrawnRows all;
  EXPECT_EQ(refusal([&] { draw(); }), "StumpScan::draw was called before the first round");
  EXPECT_EQ(refusal([&] { scan.evaluate(features); }),
            "StumpScan::evaluate was called before the first round");
  EXPECT_EQ(refusal([&] { scan.evaluate(features, all); }),
            "StumpScan::evaluate was called before the first round");
  EXPECT_EQ(refusal([&] { scan.extend(features, all); }),
            "StumpScan::extend was called before the first round");
  EXPECT_EQ(refusal([&] { scan.refit(0); }), "StumpScan::refit was called before the first round");
  EXPECT_EQ(refusal([&] { scan.refit(features); }), "StumpScan::refit was called before the first round");
  EXPECT_EQ(scan.ledger().meters().ops, 0u) << "what is refused is not counted";
  EXPECT_EQ(scan.ledger().meters().ue, 0u);
}

TEST_F(ScanLife, ThereIsNoFocusBeforeTheFirstRound) {
  EXPECT_EQ(refusal([&] { scan.focus({rows, 0.1}); }), "StumpScan::focus was called before the first round");
  EXPECT_EQ(refusal([&] { scan.end_focus(); }), "StumpScan::end_focus was called before the first round");
}

TEST_F(ScanLife, NoRoundBeginsInAFocus) {
  scan.new_round(1, 1);
  scan.focus({rows, 0.1});
  EXPECT_EQ(refusal([&] { scan.new_round(1, 2); }), "StumpScan::new_round was called in a focus");
  EXPECT_EQ(scan.weights().num_examples(), rows.size()) << "nothing has changed";
}

TEST_F(ScanLife, AFocusThatIsNotThereDoesNotEnd) {
  scan.new_round(1, 1);
  EXPECT_EQ(refusal([&] { scan.end_focus(); }),
            "StumpScan::end_focus was called in a round, without a focus");
  scan.focus({rows, 0.1});
  scan.end_focus();
  EXPECT_NE(refusal([&] { scan.end_focus(); }), "");
}

std::string refusal_of_old_rows(std::string_view call) {
  return fmt::format(
      "StumpScan::{} was called with rows that are not those of the last draw with these weights", call);
}

TEST_F(ScanLife, RowsOfAnEarlierDrawAreRefused) {
  scan.new_round(1, 1);
  const DrawnRows old = draw()[0];
  EXPECT_EQ(refusal([&] { scan.evaluate(features, old); }), "");
  const DrawnRows last = draw()[0];
  EXPECT_EQ(refusal([&] { scan.evaluate(features, old); }), refusal_of_old_rows("evaluate"));
  EXPECT_EQ(refusal([&] { scan.extend(features, old); }), refusal_of_old_rows("extend"));
  EXPECT_EQ(refusal([&] { scan.extend(features, last); }), "");
}

TEST_F(ScanLife, RowsThatWereDrawnWithOtherWeightsAreRefused) {
  const std::vector<std::function<void()>> changes{[&] { scan.new_round(1, 2); },
                                                   [&] {
                                                     scan.focus({rows, 0.1});
                                                   },
                                                   [&] {
                                                     scan.focus({rows, 0.2});
                                                   },
                                                   [&] { scan.end_focus(); }};
  scan.new_round(1, 1);
  for (const auto& change : changes) {
    const DrawnRows drawn = draw()[0];
    change();
    EXPECT_EQ(refusal([&] { scan.evaluate(features, drawn); }), refusal_of_old_rows("evaluate"));
    EXPECT_EQ(refusal([&] { scan.extend(features, drawn); }), refusal_of_old_rows("extend"));
  }
}

TEST_F(ScanLife, ARoundDoesNotGoOnWithOtherWeights) {
  const auto refusal_of = [](std::string_view call) {
    return fmt::format("StumpScan::{} was called after the weights changed, without a new_round", call);
  };
  scan.new_round(1, 1);
  const DrawnRows drawn = draw()[0];
  weights.normalise(world.workers);
  EXPECT_EQ(refusal([&] { draw(); }), refusal_of("draw"));
  EXPECT_EQ(refusal([&] { scan.evaluate(features); }), refusal_of("evaluate"));
  EXPECT_EQ(refusal([&] { scan.evaluate(features, drawn); }), refusal_of("evaluate"));
  EXPECT_EQ(refusal([&] { scan.extend(features, drawn); }), refusal_of("extend"));
  EXPECT_EQ(refusal([&] { scan.refit(0); }), refusal_of("refit"));
  EXPECT_EQ(refusal([&] { scan.focus({rows, 0.1}); }), refusal_of("focus"));
  scan.new_round(1, 2);
  EXPECT_EQ(refusal([&] {
              scan.evaluate(features);
              scan.refit(0);
            }),
            "");
}

TEST_F(ScanLife, EveryOtherOrderIsLegal) {
  const auto look = [&] {
    const auto drawn = draw();
    scan.evaluate(features, drawn[0]);
    scan.extend(features, drawn[0]);
    scan.extend(features, {});
    scan.evaluate(features);
    scan.refit(features[0]);
  };
  EXPECT_EQ(refusal([&] {
              scan.new_round(1, 1);
              scan.new_round(1, 2);
              look();
              scan.focus({rows, 0.1});
              scan.end_focus();
              look();
              scan.focus({rows, 0.1});
              look();
              scan.focus({{}, 1, negated});
              look();
              scan.end_focus();
              look();
              scan.new_round(1, 3);
            }),
            "");
}

}  // namespace
}  // namespace mash
