// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "framework/operations/site/settings.hpp"
#include "framework/records/accounts.hpp"
#include "framework/records/boards.hpp"
#include "framework/records/records.hpp"

// Acts of a site's operator on its database; the server may run meanwhile.
namespace mash {

// Errors (kInput): the folder holds no site; those of Records::open.
Result<Records> open_site(const std::filesystem::path& folder);
Result<RecordsReader> open_site_to_read(const std::filesystem::path& folder);

struct NewUser {
  std::string name, role;
  std::optional<std::string> password = {};  // nothing: comes by a token
};
struct MadeUser {
  User user;
  std::optional<std::string> token = {};  // shown once; of those without a password
};
inline constexpr int kUserTokenDays = 365;
// Errors (kInput): those of add_user; an unknown role; a password of less than 10 or more than 200
// characters.
Result<MadeUser> make_user(Records& records, const NewUser& user);

nlohmann::ordered_json to_json(const MadeUser& made);

// Errors (kInput): there is none of that name; lists those that there are.
Result<User> named_user(const RecordsReader& records, const std::string& name);

struct UserRow {
  User user;
  std::string invited_as = {};  // the name of the invitation; empty: none, or without a name
  double used_seconds = 0;      // of runners' time in the last 24 hours
  std::int64_t num_waiting = 0;
};
Result<std::vector<UserRow>> list_users(const RecordsReader& records);
nlohmann::ordered_json to_json(std::span<const UserRow> users);

// Makes a token for the user. The token itself is kept nowhere. Errors (kInput): the scope is to operate, and
// the user is no operator.
Result<std::string> make_token(Records& records, const User& user, Scope scope, int days);

// Makes a code that lets one person register, in the name of the first operator. Errors (kInput): there is no
// operator.
Result<std::string> make_invitation(Records& records, int days);
// The names of a file, one a line; empty lines do not count. Errors (kInput), with the line: there is no such
// file, it has no name, a name is no line of text, too long, or there twice.
Result<std::vector<std::string>> read_names(const std::filesystem::path& file);
struct MadeInvitations {
  std::vector<Invitation> made;            // with the code in place of the secret
  std::vector<KeptInvitation> registered;  // of names that were left out: they have an account
  std::vector<KeptInvitation> open;        // of names in `made`, from before; they stay open
};
// An invitation for each name by which nobody has registered; all of them, or where there is an error none.
// Errors (kInput): there is no operator.
Result<MadeInvitations> make_invitations(Records& records, const std::vector<std::string>& names, int days);
// Why names were left out or have two invitations now, a sentence each.
std::vector<std::string> remarks_on(const MadeInvitations& invitations);
// The invitations that are open, the oldest first.
Result<std::vector<KeptInvitation>> open_invitations(const RecordsReader& records);
// The address by which an invited person registers; "" where the site's is empty.
std::string registration_link(const std::string& site_url, const std::string& code);

// Gives the user a password, which is made where there is none; returns it. Ends the sessions of the user.
// Errors (kInput): those of make_user on passwords; the account is closed.
Result<std::string> reset_password(Records& records, const User& user, std::optional<std::string> password);

struct DescribedBoard {
  Board board;  // its number of seeds and step are those below, or of a new board
  TermsChange terms = {};
  std::optional<CopiesRule> copies = {};  // from now on, in all its versions; nothing: as it was
  std::optional<std::size_t> num_seeds = {};
  std::optional<double> ladder_step = {};
};
struct ConfiguredBoard {
  Board board;
  std::optional<Board> former = {};  // the version before; nothing: there is no new one, or it is the first
  CopiesRule copies = CopiesRule::kMark;
};
// The board that these settings describe. Errors (kInput): the name is not made of at most 64 letters,
// digits, '.', '_' and '-'; those of read_experiment; those of changed_terms.
Result<DescribedBoard> described_board(const SiteBoard& settings);
// The board as configure_board makes it, in the place of the newest version: a number of seeds or a step that
// is not described stays as it is there.
Result<Board> wanted_board(const RecordsReader& records, const DescribedBoard& described);
// Makes the board or, where it differs from the newest version, its next version, and changes its terms and
// its rule for copies.
// Errors (kInput): those of changed_terms.
Result<ConfiguredBoard> configure_board(Records& records, const DescribedBoard& described);
// Changes these of a board as it is there. Errors (kInput): those of changed_terms.
Result<ConfiguredBoard> change_terms(Records& records, const DescribedBoard& described);
nlohmann::ordered_json to_json(const ConfiguredBoard& board);
// "version 2; at most 8 seeds; ladder step placebo; closes on ...".
std::string board_in_words(const Board& board);
// "placebo", or the number.
std::string ladder_step_text(const Board& board);
// The remark on a new version for an operator: what differs from the one before, and what to do. REQUIRES:
// put.former.
std::string new_version_remark(const ConfiguredBoard& put);

// Whether `user` may write into the store of the site, so that the programs of the site can use what it
// leaves there. Errors (kInput): the user is root (0), and the site belongs to another one, whom it names.
Status check_leaves_usable_files(const std::filesystem::path& folder, std::uint32_t user);

// Errors (kInput): there is none of that name; lists those that there are.
Result<Board> named_board(const RecordsReader& records, const std::string& name);

struct BoardRow {
  Board board;
  std::size_t num_entries = 0;
  CopiesRule copies = CopiesRule::kMark;
};
// The boards, in their newest versions.
Result<std::vector<BoardRow>> list_boards(const RecordsReader& records);
nlohmann::ordered_json to_json(std::span<const BoardRow> boards);

}  // namespace mash
