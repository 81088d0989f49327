// SPDX-License-Identifier: Apache-2.0
#include "framework/records/boards.hpp"

#include <nlohmann/json.hpp>

#include "tests/records/queue_sample.hpp"

namespace mash {
namespace {

using ::testing::HasSubstr;

TEST(LadderStep, IsSaidAlikeByPagesAndDocuments) {
  EXPECT_EQ(ladder_step_in_words(0.5), "0.5 % of the log-loss");
  EXPECT_EQ(ladder_step_in_words(kPlaceboStep), "the error of a placebo's gain in their own test");
  EXPECT_EQ(ladder_step_json(0.5), 0.5);
  EXPECT_EQ(ladder_step_json(0), 0.0);
  EXPECT_TRUE(ladder_step_json(kPlaceboStep).is_null());
}

// With gains in steps of half a per cent. By hand: 1.3 is nearest to 1.5.
TEST(LadderRelease, GivesWholeStepsOfWhatIsBetter) {
  const auto released = [](double gain, std::optional<double> best_before) {
    std::optional<MeasuredGain> before;
    if (best_before) before.emplace().gain = *best_before;
    return release_figures({.gain = gain}, before, 0.5).gain;
  };
  EXPECT_EQ(released(1.3, std::nullopt), 1.5);
  EXPECT_EQ(released(-0.3, std::nullopt), -0.5);
  // Better than 1.5, but by less than a step.
  EXPECT_EQ(released(1.9, 1.5), 1.5);
  // Worse says nothing new.
  EXPECT_EQ(released(0.2, 1.5), 1.5);
  // A whole step, and more.
  EXPECT_EQ(released(2.0, 1.5), 2.0);
  EXPECT_EQ(released(2.7, 1.5), 2.5);
}

TEST(LadderRelease, HalfTheIntervalHasNoDigitsOfItsArithmetic) {
  EXPECT_EQ((MeasuredGain{11.2, .6, 11.2 - 1.2, 11.2 + 1.2, 16, "adds"}.half_width()), 1.2);
  EXPECT_EQ((MeasuredGain{11.37, .5, 10.385, 12.355, 16, "adds"}.half_width()), .985);
}

TEST(LadderRelease, WithoutAStepGivesTheGain) {
  EXPECT_EQ(release_figures({.gain = 1.2345}, std::nullopt, 0).gain, 1.2345);
  EXPECT_EQ(release_figures({.gain = 0.5}, MeasuredGain{.gain = 1.5}, 0).gain, 0.5);
}

// By hand: two digits of the error, and as many decimals of the others.
TEST(LadderRelease, WithoutAStepGivesNoMoreDigitsThanTheErrorHas) {
  const auto released = [](double gain, double error, double low, double high) {
    return release_figures({gain, error, low, high, 16, "adds"}, MeasuredGain{.gain = 7}, 0);
  };
  EXPECT_EQ(released(1.23456789, .0456789, 1.1442, 1.3249),
            (MeasuredGain{1.235, .046, 1.144, 1.325, 16, "adds"}));
  EXPECT_EQ(released(1.23456789, .456789, .3333, 2.1357), (MeasuredGain{1.23, .46, .33, 2.14, 16, "adds"}));
  EXPECT_EQ(released(12.3456789, 4.56789, 3.4, 21.3), (MeasuredGain{12.3, 4.6, 3.4, 21.3, 16, "adds"}));
  EXPECT_EQ(released(-123.456, 45.6789, -212.9, -33.92), (MeasuredGain{-123, 46, -213, -34, 16, "adds"}));
  // One label more or less among 450 moves the gain by less than it is rounded by.
  EXPECT_EQ(released(1.23456789, .0456789, 1.1442, 1.3249), released(1.23461234, .0456801, 1.1443, 1.3248));
}

// By hand, step 0.5: the gain 1.3 becomes 1.5, and the half width 0.6 two steps.
TEST(LadderRelease, MakesTheIntervalWiderAndJudgesByIt) {
  const MeasuredGain first = release_figures(
      {.gain = 1.3, .standard_error = .3, .low = .7, .high = 1.9, .num_seeds = 8, .finding = "x"},
      std::nullopt, .5);
  EXPECT_EQ(first.gain, 1.5);
  EXPECT_EQ(first.low, .5);
  EXPECT_EQ(first.high, 2.5);
  EXPECT_DOUBLE_EQ(first.standard_error, 1 / 1.96);
  EXPECT_EQ(first.num_seeds, 8u);
  EXPECT_EQ(first.finding, "adds");
  // 0.2 is within half a step of 0.
  const auto finding = [](double gain, double half_width) {
    return release_figures({.gain = gain, .low = gain - half_width, .high = gain + half_width}, std::nullopt,
                           .5)
        .finding;
  };
  EXPECT_EQ(finding(.2, .1), "undecided");
  EXPECT_EQ(finding(1.1, 1.0), "undecided");
  EXPECT_EQ(finding(-1.1, .5), "harmful");
  EXPECT_EQ(
      release_figures({.gain = 40, .low = 30, .high = 50, .finding = "suspicious"}, std::nullopt, .5).finding,
      "suspicious");
  EXPECT_EQ(release_figures({.gain = 1.27, .low = 1.2, .high = 1.4}, std::nullopt, .06).gain, 1.26);
  // The half width is a whole step, except for rounding.
  EXPECT_DOUBLE_EQ(release_figures({.gain = 1.3, .low = 1.2, .high = 1.4}, std::nullopt, .1).low, 1.2);
}

TEST(LadderRelease, OfWhatIsNoStepBetterNothingIsReleased) {
  const MeasuredGain before{1.5, .5, .5, 2.5, 8, "adds"};
  const MeasuredGain released = release_figures({1.9, .1, 1.7, 2.1, 16, "adds much"}, before, .5);
  EXPECT_EQ(released.gain, 1.5);
  EXPECT_EQ(released.standard_error, .5);
  EXPECT_EQ(released.low, .5);
  EXPECT_EQ(released.high, 2.5);
  EXPECT_EQ(released.num_seeds, 8u);
  EXPECT_EQ(released.finding, "adds");
  EXPECT_EQ(release_figures({1.9, .1, 1.7, 2.1, 16, "adds much"}, before, 0).finding, "adds much");
}

using Boards = sample::QueueTest;

TEST_F(Boards, AnotherExperimentSeedsOrStepIsTheNextVersion) {
  const Board same{0, "digits", "dataset: {name: digits}", 8};
  EXPECT_EQ(*put_board(records_, same), board_);
  const std::int64_t second = *put_board(records_, {0, "digits", "dataset: {name: mnist}", 8}),
                     third = *put_board(records_, {0, "digits", "dataset: {name: mnist}", 16}),
                     fourth = *put_board(records_, {0, "digits", "dataset: {name: mnist}", 16, 0.5}),
                     back = *put_board(records_, same);
  const std::vector<Board> versions = *read_board_versions(records_, "digits");
  ASSERT_EQ(versions.size(), 5u);
  const std::int64_t ids[] = {back, fourth, third, second, board_};
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(versions[i].id, ids[i]);
    EXPECT_EQ(versions[i].version, std::int64_t(5 - i));
  }
  EXPECT_EQ(versions[1].ladder_step, 0.5);
  EXPECT_EQ(find_board(records_, third)->value().num_seeds, 16u);
  EXPECT_FALSE(find_board(records_, 99)->has_value());
}

TEST_F(Boards, TermsAreOfAllVersionsAndMakeNone) {
  const BoardTerms terms{
      "Holes", "by the 15th", "ada@example.org", "2026-12-01T07:00:00Z", "2026-12-15T22:59:59Z",
      3,       "0=1, 2=3"};
  const std::int64_t revision = read_boards(records_)->at(0).revision;
  ASSERT_TRUE(put_board_terms(records_, "digits", terms).ok());
  const std::int64_t newer = *put_board(records_, {0, "digits", "dataset: {name: mnist}", 8});
  const std::vector<Board> versions = *read_board_versions(records_, "digits");
  ASSERT_EQ(versions.size(), 2u);
  for (const Board& version : versions) EXPECT_EQ(version.terms, terms);
  EXPECT_GT(versions[1].revision, revision) << "pages are made again";
  EXPECT_EQ(find_board(records_, newer)->value().terms, terms);
  ASSERT_TRUE(put_board_terms(records_, "digits", {}).ok());
  EXPECT_EQ(read_boards(records_)->at(0).terms, BoardTerms{});
  EXPECT_EQ(read_board_versions(records_, "digits")->size(), 2u);
}

TEST(BoardPhases, FollowFromTheTimes) {
  BoardTerms terms;
  EXPECT_EQ(phase_of(terms, "2026-12-01T00:00:00Z"), BoardPhase::kOpen);
  EXPECT_EQ(times_in_words(terms, "2026-12-01T00:00:00Z"), "");
  terms.opens_at = "2026-12-01T07:00:00Z";
  terms.closes_at = "2026-12-15T22:59:59Z";
  struct Row {
    const char *moment, *words;
    BoardPhase phase;
  };
  for (const auto& [moment, words, phase] :
       {Row{"2026-12-01T06:59:59Z", "opens on 2026-12-01 07:00 UTC", BoardPhase::kNotYetOpen},
        Row{"2026-12-01T07:00:00Z", "closes on 2026-12-15 22:59:59 UTC", BoardPhase::kOpen},
        Row{"2026-12-15T22:59:58Z", "closes on 2026-12-15 22:59:59 UTC", BoardPhase::kOpen},
        Row{"2026-12-15T22:59:59Z", "closed on 2026-12-15 22:59:59 UTC", BoardPhase::kClosed}}) {
    EXPECT_EQ(phase_of(terms, moment), phase) << moment;
    EXPECT_EQ(times_in_words(terms, moment), words) << moment;
  }
}

TEST_F(Boards, TheNewestVersionsAreListedInTheOrderOfTheFirst) {
  const std::int64_t letters = *put_board(records_, {0, "letters", "dataset: {name: digits}", 8});
  const std::int64_t newer = *put_board(records_, {0, "digits", "dataset: {name: mnist}", 8});
  const std::vector<Board> boards = *read_boards(records_);
  ASSERT_EQ(boards.size(), 2u);
  EXPECT_EQ(boards[0].id, newer);
  EXPECT_EQ(boards[1].id, letters);
  EXPECT_TRUE(read_board_versions(records_, "none")->empty());
}

TEST_F(Boards, PagesAreKeptByTheirNames) {
  EXPECT_FALSE(find_board_page(records_, board_, "experiment.html")->has_value());
  EXPECT_FALSE(*has_board_page(records_, board_, "experiment.html"));
  ASSERT_TRUE(put_board_page(records_, board_, "experiment.html", "<p>1").ok());
  ASSERT_TRUE(put_board_page(records_, board_, "experiment.html", "<p>2").ok());
  EXPECT_EQ(*find_board_page(records_, board_, "experiment.html"), "<p>2");
  EXPECT_TRUE(*has_board_page(records_, board_, "experiment.html"));
  EXPECT_FALSE(*has_board_page(records_, board_ + 1, "experiment.html"));
  EXPECT_FALSE(find_board_page(records_, board_ + 1, "experiment.html")->has_value());
}

TEST_F(Boards, EntriesAreRankedByTheGainThatIsReleased) {
  published(ada_, "holes", "1.0.0", 1);
  published(eve_, "edges", "1.0.0", 2);
  published(ada_, "lines", "1.0.0", 1);
  ASSERT_EQ(entries().size(), 3u);
  EXPECT_EQ(entries()[0].heuristic, "edges");
  EXPECT_EQ(entries()[1].heuristic, "holes");
  EXPECT_EQ(entries()[2].heuristic, "lines");
  EXPECT_EQ(entries()[0].contributor, "eve");
  EXPECT_EQ(entries()[0].low, 1.5);
  EXPECT_EQ(entries()[0].high, 2.5);
}

// Step 0.5: of gains 1.3, 1.9 and 2.7 the board shows 1.5, 1.5 and 2.5, each with a step to either side.
TEST_F(Boards, OnALadderAVersionShowsWhatIsReleased) {
  board_ = *put_board(records_, {0, "digits", "dataset: {name: digits}", 8, 0.5});
  published(ada_, "holes", "1.0.0", 1.3);
  EXPECT_EQ(entries()[0].gain, 1.5);
  EXPECT_NEAR(entries()[0].low, 1.0, 1e-12);
  const std::int64_t second = published(ada_, "holes", "1.1.0", 1.9);
  EXPECT_EQ(entries()[0].gain, 1.5);
  EXPECT_EQ(entries()[0].version, "1.1.0");
  EXPECT_EQ(find_judgement(records_, second)->value().gain, 1.9);
  EXPECT_EQ(find_judgement(records_, second)->value().standard_error, .25);
  EXPECT_DOUBLE_EQ(entries()[0].standard_error, .5 / 1.96);
  published(ada_, "holes", "1.2.0", 2.7);
  EXPECT_EQ(entries()[0].gain, 2.5);
  // Another heuristic has a ladder of its own.
  published(eve_, "edges", "1.0.0", 0.2);
  EXPECT_EQ(entries()[1].gain, 0);
}

TEST_F(Boards, OnALadderAVersionThatIsNoStepBetterShowsNothingOfItsOwn) {
  board_ = *put_board(records_, {0, "digits", "dataset: {name: digits}", 8, 0.5});
  published(ada_, "holes", "1.0.0", 1.3);
  const BoardEntry before = entries()[0];
  hand_in(ada_);
  const Lease lease = take();
  ASSERT_TRUE(name_submission(records_, lease, "holes", "1.1.0", "").ok());
  const Judgement worse{{-2, .1, -2.2, -1.8, 99, "harmful"}};
  ASSERT_TRUE(publish_submission(records_, lease, worse, 1).ok());
  const BoardEntry after = entries()[0];
  EXPECT_EQ(after.version, "1.1.0");
  EXPECT_EQ(after.gain, before.gain);
  EXPECT_EQ(after.standard_error, before.standard_error);
  EXPECT_EQ(after.low, before.low);
  EXPECT_EQ(after.high, before.high);
  EXPECT_EQ(after.num_seeds, before.num_seeds);
  EXPECT_EQ(after.finding, before.finding);
}

// The placebo of the first test says steps of .5, that of the second .2.
TEST_F(Boards, StepsMayBeThoseOfThePlaceboOfEachTest) {
  board_ = *put_board(records_, {0, "digits", "dataset: {name: digits}", 8, kPlaceboStep});
  const auto publish_next = [&](const std::string& version, double gain, double step) {
    hand_in(ada_);
    const Lease lease = take();
    ASSERT_TRUE(name_submission(records_, lease, "holes", version, "").ok());
    Judgement judgement{{gain, .1, gain - .2, gain + .2, 8, "adds"}};
    judgement.placebo_step = step;
    ASSERT_TRUE(publish_submission(records_, lease, judgement, 1).ok());
  };
  publish_next("1.0.0", 1.3, .5);
  EXPECT_EQ(entries()[0].gain, 1.5);
  publish_next("1.1.0", 1.6, .2);
  EXPECT_EQ(entries()[0].gain, 1.5) << "no step better";
  publish_next("1.2.0", 1.75, .2);
  EXPECT_DOUBLE_EQ(entries()[0].gain, 1.8);
}

TEST_F(Boards, AnotherRunOnALadderReleasesNothingNew) {
  board_ = *put_board(records_, {0, "digits", "dataset: {name: digits}", 8, 0.5});
  const std::int64_t first = published(ada_, "holes", "1.0.0", 1.3);
  ASSERT_TRUE(rerun_submission(records_, first).ok());
  ASSERT_TRUE(publish(take(), "holes", "1.0.0", 4).ok());  // fails: other figures
  published(ada_, "holes", "1.1.0", 1.4);
  EXPECT_EQ(entries()[0].gain, 1.5);
}

}  // namespace
}  // namespace mash
