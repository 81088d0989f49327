// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/site/admin.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

#include "framework/base/secrets.hpp"
#include "framework/operations/site/serve.hpp"
#include "tests/support/scratch_folder.hpp"

namespace mash {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
namespace fs = std::filesystem;

class Listener : public Remarks {
 public:
  void warn(std::string_view text) override { tell(text); }
  void tell(std::string_view text) override { said.emplace_back(text); }
  std::vector<std::string> said;
};

class ServerAdmin : public ::testing::Test {
 protected:
  void SetUp() override {
    settings_.folder = folder_ / "site";
    write_experiment(5);
    settings_.boards = {{"digits", folder_ / "board.yaml", 4}};
    prepare();
  }
  void write_experiment(int budget) {
    std::ofstream(folder_ / "board.yaml") << "dataset: {name: digits, train: 100, test: 50}\n"
                                          << "sampler: {name: laminating, budget: " << budget << "}\n";
  }
  void write_experiment(const std::string& yaml) { std::ofstream(folder_ / "board.yaml") << yaml; }
  void prepare() {
    remarks_.said.clear();
    const Status prepared = prepare_site(settings_, remarks_);
    ASSERT_TRUE(prepared.ok()) << prepared.error().message;
  }
  Records open() { return std::move(*open_site(settings_.folder)); }

  testing::ScratchFolder folder_;
  ServeSettings settings_;
  Listener remarks_;
};

template <class T>
std::string refusal(const Result<T>& result) {
  return result.ok() || result.error().kind != ErrorKind::kInput ? "" : result.error().message;
}

TEST_F(ServerAdmin, ASiteIsMadeOnceAndOnlyItsOwnerMayReadIt) {
  EXPECT_EQ(fs::status(settings_.folder).permissions(), fs::perms::owner_all);
  EXPECT_TRUE(fs::is_directory(settings_.folder / "store"));
  const auto boards = *read_boards(open());
  ASSERT_EQ(boards.size(), 1u);
  EXPECT_EQ(boards[0].name, "digits");
  EXPECT_EQ(boards[0].version, 1);
  EXPECT_EQ(boards[0].num_seeds, 4u);
  EXPECT_THAT(remarks_.said, ElementsAre(HasSubstr("board digits: the pictures of its private part can be "
                                                   "made by anybody, as its data are generated")));
  prepare();
  EXPECT_EQ(read_boards(open())->front().version, 1);
}

TEST_F(ServerAdmin, AChangedExperimentIsANewVersionAndTheOperatorHearsHowToRunAllAgain) {
  write_experiment(7);
  prepare();
  EXPECT_EQ(read_boards(open())->front().version, 2);
  EXPECT_THAT(remarks_.said, ElementsAre(AllOf(HasSubstr("with another experiment; "),
                                               HasSubstr("mash server rerun digits")),
                                         HasSubstr("by anybody")));
  settings_.boards[0].ladder_step = 1;
  settings_.boards[0].where = "server.yaml:7";
  prepare();
  EXPECT_EQ(read_boards(open())->front().version, 3);
  EXPECT_THAT(remarks_.said,
              ElementsAre(AllOf(HasSubstr("server.yaml:7: board digits: version 3 now, with ladder step 1 in "
                                          "place of 0; what was judged before"),
                                HasSubstr("what mash server board put changes stays only where")),
                          HasSubstr("by anybody")));
}

// As terms do.
TEST_F(ServerAdmin, SeedsAndStepStayWhereTheyAreNotNamed) {
  Records records = open();
  const auto put = [&](const SiteBoard& board) { return *configure_board(records, *described_board(board)); };
  settings_.boards[0].ladder_step = .5;
  prepare();
  SiteBoard board{"digits", folder_ / "board.yaml"};
  EXPECT_FALSE(put(board).former) << "nothing is another";
  write_experiment(7);
  const ConfiguredBoard changed = put(board);
  ASSERT_TRUE(changed.former);
  EXPECT_EQ(changed.board.num_seeds, 4u);
  EXPECT_EQ(changed.board.ladder_step, .5);
  EXPECT_EQ(board_in_words(changed.board), "version 3; at most 4 seeds; ladder step 0.5");
  board.num_seeds = 8;
  EXPECT_EQ(wanted_board(records, *described_board(board))->num_seeds, 8u);
  EXPECT_EQ(put(board).board.ladder_step, .5);
  EXPECT_THAT(
      new_version_remark({changed.board, put({"digits", "demo", 16, kPlaceboStep}).board}),
      HasSubstr("with another experiment, 4 seeds in place of 16, ladder step 0.5 in place of placebo"));
  EXPECT_EQ(put({"new", "demo"}).board.num_seeds, kUsualBoardSeeds);
}

// A Ladder withholds nothing of pictures that everybody has; others have one, also after those.
TEST_F(ServerAdmin, ABoardOfKnownPicturesHasNoLadderUnlessOneIsWanted) {
  Records records = open();
  const auto step_of = [&](const SiteBoard& board) {
    return configure_board(records, *described_board(board))->board.ladder_step;
  };
  const fs::path own = folder_ / "own.yaml";
  std::ofstream(own) << "dataset: {name: folder, path: /pictures}\nheuristics: [gradient]\nbooster: "
                        "{name: adaboost.mh, rounds: 10}\nweak: {name: stump}\nsampler: {name: laminating, "
                        "budget: 10}\n";
  EXPECT_EQ(step_of({"a", "demo"}), 0);
  EXPECT_EQ(step_of({"a", own}), kPlaceboStep);
  EXPECT_EQ(step_of({"a", "demo"}), kPlaceboStep) << "stays";
  EXPECT_EQ(step_of({"b", own}), kPlaceboStep);
  EXPECT_EQ(step_of({"c", "demo", 16, kPlaceboStep}), kPlaceboStep);
  EXPECT_EQ(step_of({"c", own}), kPlaceboStep);
  EXPECT_EQ(step_of({"d", "demo", 16, .5}), .5);
  EXPECT_EQ(step_of({"d", own}), .5);
}

// Root's files in the store of another user would be locked by nobody else.
TEST_F(ServerAdmin, RootLeavesNothingInTheStoreOfAnotherUser) {
  constexpr uid_t kOther = 65534;
  const fs::path folder = settings_.folder;
  if (::geteuid() == 0) {
    EXPECT_TRUE(check_leaves_usable_files(folder, 0).ok()) << "it is root's own";
    ASSERT_EQ(::chown(folder.c_str(), kOther, kOther), 0);
  }
  EXPECT_THAT(refusal(check_leaves_usable_files(folder, 0)),
              AllOf(HasSubstr("folder " + folder.string() + ": belongs to the user "),
                    HasSubstr("the same command as that user: sudo -u ")));
  EXPECT_TRUE(check_leaves_usable_files(folder, 1000).ok()) << "the system refuses others";
}

TEST_F(ServerAdmin, WithoutBoardsTheFolderKeepsThoseItHasOrHasTheDemo) {
  settings_.boards.clear();
  prepare();
  EXPECT_EQ(read_boards(open())->size(), 1u);
  settings_.folder = folder_ / "other";
  prepare();
  EXPECT_EQ(read_boards(open())->front().name, "demo");
}

TEST_F(ServerAdmin, ABoardThatCannotBeIsNamedWithItsLine) {
  settings_.boards[0] = {"digits", "nonsense", 4, 0, "server.yaml:7"};
  const Status unknown = prepare_site(settings_, remarks_);
  EXPECT_THAT(refusal(unknown), HasSubstr("server.yaml:7: unknown experiment 'nonsense'; known: "));
  for (const char* name : {"../up", "a b", "-a", ".a", "a/b", "\xC3\xA4"})
    EXPECT_THAT(refusal(described_board({name, "demo"})), HasSubstr("expected a name of letters")) << name;
  EXPECT_TRUE(described_board({"A-1_b.c", "demo"}).ok());
  settings_.boards = {{"", "demo", 4, 0, "s.yaml:2"}, {"demo", folder_ / "board.yaml", 4, 0, "s.yaml:3"}};
  EXPECT_EQ(refusal(prepare_site(settings_, remarks_)),
            "s.yaml:3: two boards are called 'demo'; give one of them another name");
  settings_.folder = folder_ / "other";
  EXPECT_FALSE(prepare_site(settings_, remarks_).ok());
  EXPECT_FALSE(fs::exists(folder_ / "other"));
}

TEST_F(ServerAdmin, APlaceThatNobodyCannotReachIsRefusedBeforeAnythingIsMade) {
  const fs::path closed = folder_ / "closed", site = closed / "not-yet" / "site";
  fs::create_directories(closed);
  settings_.folder = site;
  for (const bool open : {false, true}) {
    fs::permissions(folder_.path(), fs::perms(0755));
    fs::permissions(closed, open ? fs::perms(0711) : fs::perms(0700));
    const std::string refused = refusal(check_serve_settings(settings_));
    const bool refuses = ::geteuid() == 0 && !open;  // the programs of another user stay that user's
    EXPECT_EQ(refused.find(closed.string() + " does not let in") != refused.npos, refuses) << refused;
    EXPECT_TRUE(fs::is_empty(closed));
  }
}

TEST_F(ServerAdmin, TheFirstOperatorIsMadeOnceWithATokenThatOperates) {
  const auto token = *make_first_operator(settings_);
  ASSERT_TRUE(token);
  const auto holder = *find_holder(open(), *token);
  ASSERT_TRUE(holder);
  EXPECT_EQ(holder->user.role, kOperatorRole);
  EXPECT_EQ(holder->token.scope, Scope::kOperate);
  EXPECT_FALSE(*make_first_operator(settings_));
}

TEST_F(ServerAdmin, AUserComesByTheTokenOrByThePassword) {
  Records records = open();
  const MadeUser ada = *make_user(records, {"ada", "contributor"});
  ASSERT_TRUE(ada.token);
  EXPECT_EQ((*find_holder(records, *ada.token))->token.scope, Scope::kSubmit);
  const MadeUser bob = *make_user(records, {"bob", "operator", "correct horse"});
  EXPECT_FALSE(bob.token);
  EXPECT_TRUE(matches_password((*find_user(records, "bob"))->password_hash, "correct horse"));
  EXPECT_THAT(*read_tokens(records, bob.user.id), IsEmpty());
  const auto rows = *list_users(records);
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].user.name, "ada");
  EXPECT_EQ(rows[0].used_seconds, 0);
  EXPECT_EQ(rows[0].num_waiting, 0);
}

TEST_F(ServerAdmin, ABoardWhoseSettingsMeanTheSameKeepsItsVersion) {
  write_experiment(
      "sampler: {budget: 5.0, name: laminating, features: auto}\n"
      "dataset: {name: digits, train: 100, test: '50', clutter: 1}\nbooster: adaboost.mh\n");
  prepare();
  EXPECT_EQ((*read_boards(open()))[0].version, 1);
  write_experiment(6);
  prepare();
  EXPECT_EQ((*read_boards(open()))[0].version, 2);
}

TEST_F(ServerAdmin, WhatIsNoUserIsRefused) {
  Records records = open();
  ASSERT_TRUE(make_user(records, {"ada", "contributor"}).ok());
  EXPECT_EQ(refusal(make_user(records, {"eve", "king"})),
            "unknown role 'king'; known: contributor, operator");
  EXPECT_NE(refusal(make_user(records, {"Ada", "contributor"})), "");
  EXPECT_NE(refusal(make_user(records, {"a/b", "contributor"})), "");
  EXPECT_EQ(refusal(make_user(records, {"eve", "contributor", "short"})),
            "password: expected 10 to 200 characters");
  EXPECT_EQ(refusal(named_user(records, "eve")), "unknown user 'eve'; known: ada");
  EXPECT_EQ(named_user(records, "ADA")->name, "ada");
  EXPECT_EQ(list_users(records)->size(), 1u);
}

TEST_F(ServerAdmin, OnlyOperatorsGetATokenThatOperates) {
  Records records = open();
  const User ada = make_user(records, {"ada", "contributor"})->user;
  const User bob = make_user(records, {"bob", "operator"})->user;
  EXPECT_EQ(refusal(make_token(records, ada, Scope::kOperate, 1)),
            "ada is a contributor; a token that operates is for an operator");
  const auto token = make_token(records, bob, Scope::kRead, 1);
  ASSERT_TRUE(token.ok());
  EXPECT_EQ((*find_holder(records, *token))->token.scope, Scope::kRead);
}

TEST_F(ServerAdmin, AnInvitationLetsOnePersonRegister) {
  Records records = open();
  EXPECT_THAT(refusal(make_invitation(records, 7)), HasSubstr("mash server user add makes one"));
  ASSERT_TRUE(make_user(records, {"bob", "operator"}).ok());
  const std::string code = *make_invitation(records, 7);
  EXPECT_TRUE(accept_invitation(records, {0, "ada", std::string(kContributorRole), ""}, code).ok());
  EXPECT_FALSE(accept_invitation(records, {0, "eve", std::string(kContributorRole), ""}, code).ok());
}

TEST_F(ServerAdmin, AStartLeavesTermsThatTheFileDoesNotName) {
  settings_.boards[0].terms = {.title = "Holes"};
  prepare();
  Records records = open();
  const Board board = read_boards(records)->front();
  ASSERT_TRUE(change_terms(records, {board, {.closes = "2020-12-15T22:59Z", .attempts_a_day = 3}}).ok());
  prepare();
  const BoardTerms terms = read_boards(records)->front().terms;
  EXPECT_EQ(terms.title, "Holes");
  EXPECT_EQ(terms.closes_at, "2020-12-15T22:59:00Z") << "a restart opens no board";
  EXPECT_EQ(terms.attempts_a_day, 3);
}

TEST_F(ServerAdmin, TheTermsOfTheFileAreThoseOfTheBoardAndMakeNoVersion) {
  settings_.boards[0].terms = {"Holes", "", "", "2026-12-01T08:00+01:00", "", 3, ""};
  prepare();
  Board board = read_boards(open())->front();
  EXPECT_EQ(board.version, 1);
  EXPECT_EQ(board.terms.title, "Holes");
  EXPECT_EQ(board.terms.opens_at, "2026-12-01T07:00:00Z");
  Records records = open();
  const ConfiguredBoard changed = *change_terms(records, {board, {.closes = "2026-12-15T23:59+01:00"}});
  EXPECT_EQ(changed.board.terms.closes_at, "2026-12-15T22:59:00Z");
  EXPECT_EQ(read_boards(records)->front().terms, changed.board.terms);
  EXPECT_THAT(refusal(change_terms(records, {changed.board, {.closes = "2025-01-01T00:00Z"}})),
              HasSubstr("expected a time after that of opens"));
  const std::int64_t revision = read_boards(records)->front().revision;
  ASSERT_TRUE(change_terms(records, {changed.board}).ok());
  EXPECT_EQ(read_boards(records)->front().revision, revision) << "nothing has changed";
  EXPECT_THAT(refusal(described_board({"digits", "demo", 4, 0, "", {.points = "x"}})),
              HasSubstr("points: found 'x'"));
  // A board that is refused is not changed in part.
  settings_.boards[0].experiment = "demo";
  settings_.boards[0].terms = {.closes = "2020-01-01T00:00Z"};
  EXPECT_THAT(refusal(prepare_site(settings_, remarks_)), HasSubstr("expected a time after that of opens"));
  EXPECT_EQ(read_boards(records)->front().version, 1);
}

TEST_F(ServerAdmin, NamesOfAFileAreInvited) {
  const std::string file = folder_ / "names.txt";
  const auto write_names = [&](const std::string& text) { std::ofstream(file) << text; };
  write_names(
      "\xEF\xBB\xBF"
      "Ada Lovelace\r\n\n  Grace Hopper \n=Eve");
  const auto names = *read_names(file);
  EXPECT_THAT(names, ElementsAre("Ada Lovelace", "Grace Hopper", "=Eve"));
  Records records = open();
  EXPECT_THAT(refusal(make_invitations(records, names, 7)), HasSubstr("mash server user add makes one"));
  ASSERT_TRUE(make_user(records, {"bob", "operator"}).ok());
  const auto invitations = make_invitations(records, names, 7)->made;
  ASSERT_EQ(invitations.size(), 3u);
  EXPECT_EQ(invitations[1].name, "Grace Hopper");
  const User grace{0, "grace", std::string(kContributorRole), ""};
  ASSERT_TRUE(accept_invitation(records, grace, invitations[1].secret).ok());
  EXPECT_FALSE(accept_invitation(records, {0, "eve", "contributor", ""}, invitations[1].secret).ok());
  const MadeInvitations again = *make_invitations(records, names, 7);
  ASSERT_EQ(again.made.size(), 2u);
  EXPECT_EQ(again.made[1].name, "=Eve");
  const std::vector<std::string> remarks = remarks_on(again);
  ASSERT_EQ(remarks.size(), 3u);
  EXPECT_EQ(remarks[0], "Grace Hopper has the account grace by an earlier invitation, and gets no other");
  EXPECT_THAT(remarks[1], HasSubstr("Ada Lovelace has an earlier invitation, which is open until "));
  EXPECT_EQ(open_invitations(records)->size(), 4u);
  const auto rows = *list_users(records);
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].invited_as, "");
  EXPECT_EQ(rows[1].invited_as, "Grace Hopper");
  EXPECT_EQ(registration_link("https://a.example", "x"), "https://a.example/register?invitation=x");
  EXPECT_EQ(registration_link("", "x"), "");
  for (const auto& [text, expected] :
       {std::pair("\n \n", "found no name, expected one a line"),
        std::pair("Ada\n\nAda\n", "names.txt:3: 'Ada' is in line 1 already"),
        std::pair("Ada\nx\x01y\n", "names.txt:2: found 'x?y', expected a name of at most 200 bytes")}) {
    write_names(text);
    EXPECT_THAT(refusal(read_names(file)), HasSubstr(expected));
  }
  write_names(std::string(201, 'a'));
  EXPECT_THAT(refusal(read_names(file)), HasSubstr("expected a name of at most 200 bytes"));
  EXPECT_NE(refusal(read_names(folder_ / "none.txt")), "");
}

TEST_F(ServerAdmin, APasswordIsMadeOrTakenAndEndsSessions) {
  Records records = open();
  const User ada = make_user(records, {"ada", "contributor"})->user;
  ASSERT_TRUE(add_token(records, ada.id, {.kind = "session"}, "session", 1).ok());
  EXPECT_EQ(refusal(reset_password(records, ada, "short")), "password: expected 10 to 200 characters");
  EXPECT_TRUE(*find_holder(records, "session"));
  const std::string made = *reset_password(records, ada, {});
  EXPECT_GE(made.size(), 40u);
  EXPECT_TRUE(matches_password((*find_user(records, "ada"))->password_hash, made));
  EXPECT_FALSE(*find_holder(records, "session"));
  EXPECT_EQ(*reset_password(records, ada, "correct horse"), "correct horse");
  EXPECT_TRUE(matches_password((*find_user(records, "ada"))->password_hash, "correct horse"));
  ASSERT_TRUE(close_account(records, ada.id, ClosedWork::kStays).ok());
  EXPECT_THAT(refusal(reset_password(records, ada, {})), HasSubstr("is closed"));
}

TEST_F(ServerAdmin, AFolderWithoutASiteIsNoSite) {
  EXPECT_THAT(refusal(open_site(folder_ / "none")), HasSubstr("holds no site"));
  EXPECT_THAT(refusal(open_site_to_read(folder_ / "none")), HasSubstr("holds no site"));
  EXPECT_FALSE(fs::exists(folder_ / "none"));
  EXPECT_EQ(refusal(named_board(open(), "digit")),
            "unknown board 'digit'; did you mean 'digits'? known: digits");
}

}  // namespace
}  // namespace mash
