// SPDX-License-Identifier: Apache-2.0
#include "framework/cli/submission_wait.hpp"

#include <unistd.h>

#include "framework/base/program_end.hpp"
#include "framework/base/shell_word.hpp"
#include "framework/base/utf8.hpp"
#include "framework/cli/json_output.hpp"
#include "framework/operations/site/documents.hpp"

namespace mash {
namespace {

using Document = ServerClient::Document;

Result<Document> wait_for(ServerClient& client, std::int64_t id, double most_seconds, ServerWork& work) {
  const Stopwatch watch;
  std::string latest;
  const auto on_look = [&](const Document& submission) {
    for (const Document& event : submission["events"]) {
      latest = text_at(event, "text");
      work.context().remarks.tell(describe_event(event));
    }
    work.show_line(fmt::format("{}, {:.0f} s: {}", text_at(submission, "state"), watch.seconds(), latest));
  };
  auto document = wait_for_end(client, id, most_seconds, work.context(), on_look);
  if (document.ok()) return document;
  const Error& error = document.error();
  return Error{error.kind, fmt::format("{}; submission {} goes on: mash status {} --wait --server {}",
                                       error.message, id, id, shell_word(client.url()))};
}

std::string rank_line(ServerClient& client, std::int64_t id, const std::string& board, Remarks& remarks) {
  const auto found = client.leaderboard({.board = board});
  if (!found.ok()) remarks.warn(fmt::format("its rank is not known: {}", found.error().message));
  const auto rank = found.ok() ? rank_of(*found, id) : std::nullopt;
  if (!rank) return "";
  const std::string name = text_at(*found, "board");
  return fmt::format("  {:<10}{}{}\n", "rank", printable(*rank),
                     name.empty() ? "" : printable(" of the board " + name));
}

}  // namespace

void ServerWork::Line::show(std::string_view text) {
  constexpr std::size_t kWidth = 70;
  clear();
  if (!is_shown_ || text.empty()) return;
  print_error_text(printable(text, kWidth));
  is_drawn_ = true;
}

void ServerWork::Line::warn(std::string_view text) {
  clear();
  remarks_.warn(text);
}

void ServerWork::Line::tell(std::string_view text) {
  clear();
  remarks_.tell(text);
}

void ServerWork::Line::clear() {
  if (is_drawn_) print_error_text("\r\033[K");
  is_drawn_ = false;
}

ServerWork::ServerWork(const OutputOptions& output)
    : command_(output),
      line_(!output.quiet && takes_escapes(STDERR_FILENO), command_.context().remarks),
      context_{command_.context().workers, command_.context().progress, line_, command_.context().stop} {}

void ServerWork::show_line(std::string_view text) { line_.show(text); }

Status wait_and_print(ServerClient& client, std::int64_t id, double most_seconds, const OutputOptions& output,
                      ServerWork& work) {
  MASH_ASSIGN(const Document document, wait_for(client, id, most_seconds, work));
  work.show_line("");
  const Status ended = how_it_ended(document);
  if (output.json) {
    print_json(document);
  } else if (ended.ok()) {
    fmt::print("{}{}  {:<10}{}\n", harmless(describe_submission(document)),
               rank_line(client, id, text_at(document, "board"), work.context().remarks), "page",
               printable(client.address_of(text_at(document, "page"))));
  }
  if (!document["is_final"].get<bool>())
    return failure("{} s are over; submission {} goes on: mash status {} --wait --server {}", most_seconds,
                   id, id, shell_word(client.url()));
  if (ended.ok()) return ended;
  return Error{ended.error().kind,
               fmt::format("{}\n{}", ended.error().message, client.address_of(text_at(document, "page")))};
}

}  // namespace mash
