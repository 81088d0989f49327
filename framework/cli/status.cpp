// SPDX-License-Identifier: Apache-2.0
#include <set>

#include "framework/base/utf8.hpp"
#include "framework/cli/json_output.hpp"
#include "framework/cli/options.hpp"
#include "framework/cli/server_options.hpp"
#include "framework/cli/submission_wait.hpp"
#include "framework/operations/site/documents.hpp"

namespace mash {
namespace {

using Document = ServerClient::Document;

struct StatusOptions {
  OutputOptions output;
  ServerOptions server;
  std::optional<std::int64_t> id;
  bool is_waiting = false;
  double most_seconds = kMostSecondsToWait;
};

Status show_one(ServerClient& client, std::int64_t id, const OutputOptions& output) {
  MASH_ASSIGN(const Document document, client.status(id));
  if (output.json) {
    print_json(document);
    return Done{};
  }
  std::string text = describe_submission(document);
  text += fmt::format("  {:<10}{}\n", "page", client.address_of(text_at(document, "page")));
  if (const std::string reason = text_at(document, "reason"); !reason.empty()) text += "\n" + reason + "\n";
  if (!document["events"].empty()) text += "\n";
  for (const Document& event : document["events"])
    text += fmt::format("{}  {}\n", text_at(event, "at"), describe_event(event));
  fmt::print("{}", harmless(text));
  return Done{};
}

// One's own: those in work, and the latest of the others.
Status show_own(ServerClient& client, const OutputOptions& output) {
  MASH_ASSIGN(const Document me, client.me());
  const std::string user = text_at(me, "user");
  MASH_ASSIGN(const Document in_work, client.submissions(user, true));
  MASH_ASSIGN(const Document latest, client.submissions(user, false));
  Document document{{"user", user}, {"submissions", Document::array()}};
  std::set<double> listed;
  for (const Document* list : {&in_work, &latest})
    for (const Document& submission : (*list)["submissions"])
      if (listed.insert(number_at(submission, "id").value_or(0)).second)
        document["submissions"].push_back(submission);
  if (output.json)
    print_json(document);
  else
    fmt::print("{}", render_text(submissions_table(document)));
  return Done{};
}

Status show_status(const StatusOptions& options) {
  MASH_ASSIGN(ServerAccess access, options.server.access(!options.id));
  ServerWork work(options.output);
  MASH_ASSIGN(ServerClient client, ServerClient::open(std::move(access), {}, work.context()));
  if (!options.id) return show_own(client, options.output);
  if (!options.is_waiting) return show_one(client, *options.id, options.output);
  return wait_and_print(client, *options.id, options.most_seconds, options.output, work);
}

}  // namespace

Subcommand add_status(CLI::App& program) {
  const auto options = std::make_shared<StatusOptions>();
  CLI::App* app =
      program.add_subcommand("status", "Show how submissions to a server stand: one, or your latest");
  CLI::Option* id = app->add_option("ID", options->id, "Number of a submission")
                        ->type_name("N")
                        ->check(within(std::int64_t(1), INT64_MAX));
  options->server.add_to(*app);
  CLI::Option* wait = app->add_flag("--wait", options->is_waiting,
                                    "Wait until it has ended; the exit code is that of mash submit")
                          ->needs(id);
  app->add_option("--timeout", options->most_seconds,
                  "Stop waiting after this many seconds; the submission itself continues")
      ->type_name("SECONDS")
      ->check(within(1, 1'000'000))
      ->capture_default_str()
      ->needs(wait);
  options->output.add_to(*app);
  app->footer(
      "Yours are listed with a token; one that is public is shown to everybody.\n"
      "Examples:\n  mash status --server https://mash.example.org --token-file ~/.mash-token\n"
      "  mash status 7 --wait --server https://mash.example.org");
  return {app, [options]() { return show_status(*options); }};
}

}  // namespace mash
