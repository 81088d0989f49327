// SPDX-License-Identifier: Apache-2.0
// A site with a board and a user: what a request says in its address, its form or its JSON.
#include <nlohmann/json.hpp>

#include "framework/records/accounts.hpp"
#include "framework/records/boards.hpp"
#include "server/http/site.hpp"
#include "tests/fuzz/request.hpp"
#include "tests/fuzz/target.hpp"
#include "tests/support/scratch_folder.hpp"

namespace mash::fuzz {
namespace {

server::Site& site() {
  static const testing::ScratchFolder folder;
  static server::Site site = [] {
    const std::filesystem::path database = folder / "mash.db";
    Records records = *Records::open(database);
    MASH_PROMISE(put_board(records, {0, "digits", "dataset: {name: digits}", 8}).ok());
    const auto ada = add_user(records, {0, "ada", std::string(kContributorRole), ""});
    MASH_PROMISE(ada.ok() && add_token(records, *ada, {.scope = Scope::kSubmit}, "ada-token", 1).ok());
    return *server::Site::open(database, {});
  }();
  return site;
}

std::string post(std::string_view target, std::string_view body) {
  return fmt::format(
      "POST {} HTTP/1.1\r\nHost: mash.test\r\nAuthorization: Bearer ada-token\r\nContent-Length: "
      "{}\r\n\r\n{}",
      target, body.size(), body);
}

std::string get(std::string_view target) {
  return fmt::format("GET {} HTTP/1.1\r\nHost: mash.test\r\nAuthorization: Bearer ada-token\r\n\r\n", target);
}

}  // namespace

bool take(std::string_view input) {
  const auto request = read_request(input);
  if (!request) return false;
  const server::Response response = site().answer(*request);
  MASH_PROMISE(response.status >= 200 && response.status != 500);
  MASH_PROMISE(response.text().size() <= server::kMaxPageBytes);
  for (const auto& [name, value] : response.headers)
    MASH_PROMISE(value.find_first_of("\r\n") == std::string::npos);
  if (response.content_type.starts_with("application/json"))
    MASH_PROMISE(nlohmann::json::accept(response.text()));
  if (response.content_type.starts_with("text/")) MASH_PROMISE(is_utf8(response.text()));
  return response.status < 400;
}

std::vector<std::string> seeds() {
  return {post("/api/v1/submissions",
               R"({"file_name": "rows.cpp", "source": "int a;", "licence": "MIT", "board": "digits"})"),
          get("/boards/digits?sort=gain&find=%C3%A4&page=1&by=contributor"),
          get("/api/v1/leaderboard?board=digits&by=heuristic"),
          get("/api/v1/submissions?user=ada&state=all&before=9"),
          get("/submissions"),
          get("/feed.atom"),
          get("/rules")};
}

}  // namespace mash::fuzz
