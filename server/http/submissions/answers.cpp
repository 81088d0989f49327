// SPDX-License-Identifier: Apache-2.0
#include "server/http/submissions/answers.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "framework/base/amounts.hpp"
#include "framework/base/hash.hpp"
#include "framework/base/number.hpp"
#include "framework/base/percent.hpp"
#include "framework/base/secrets.hpp"
#include "framework/base/utc_time.hpp"
#include "framework/render/wording.hpp"
#include "server/http/boards/example_heuristic.hpp"
#include "server/http/boards/pages.hpp"
#include "server/http/boards/tables.hpp"
#include "server/http/boards/terms.hpp"
#include "server/http/frame/intake.hpp"
#include "server/http/frame/layout.hpp"
#include "server/http/heuristics/history.hpp"
#include "server/http/heuristics/source_view.hpp"

namespace mash::server {
namespace {

constexpr std::size_t kMaxEvents = 1000, kRows = 50;
constexpr int kSourceRows = 24;

std::string address_of(std::int64_t id) { return fmt::format("/submissions/{}", id); }

Table list_of(const std::vector<Submission>& submissions) {
  Table table{"Submissions",
              {{"id", "submission", Format::kCount},
               {"state", "state"},
               {"board", "board"},
               {"heuristic", "heuristic"},
               {"version", "version"},
               {"contributor", "contributor"},
               {"received_at", "received (UTC)"},
               {"seconds", "compute time, s", Format::kDecimal},
               {"reason", "reason"}},
              {},
              "nothing was handed in yet"};
  for (const Submission& one : submissions)
    table.rows.push_back({one.id, std::string(word_of(one.state)), one.board, name_of(one), one.version,
                          one.contributor, one.received_at, shown_seconds(one.seconds), one.reason});
  return table;
}

page::Section list_section(std::string_view id, std::string_view heading,
                           const std::vector<Submission>& submissions, std::string_view caption) {
  const Table table = list_of(submissions);
  if (table.rows.empty()) return {id, heading, page::paragraph(markup("{}.", table.hint))};
  const page::TableLinks links{{}, [&](std::size_t row, std::size_t column) {
                                 return column == 0 ? address_of(submissions[row].id) : std::string();
                               }};
  return {id, heading, page::linked_table(table, caption, links)};
}

std::string_view mood_of(const Submission& submission) {
  if (submission.state == SubmissionState::kPublished) return "good";
  return is_final(submission.state) && submission.state != SubmissionState::kSuperseded ? "bad" : "open";
}

// Advice on it for now.
Html advice(const Submission& submission) {
  switch (submission.state) {
    case SubmissionState::kPublished:
    case SubmissionState::kSuperseded:
      return markup(
          "{} says what it changes, on which classes and pictures, and what to try next. Its place is on {}.",
          link(address_of(submission.id) + "/report", "The report"),
          link(heuristic_path(submission.heuristic), "the page of the heuristic"));
    case SubmissionState::kRejected:
      return markup("Change the source as the reason and the log say, and {}.",
                    link("/submit", "hand it in again"));
    case SubmissionState::kFailed:
      return submission.fault == Blame::kServer
                 ? markup(
                       "This is the server's fault: it costs you no compute time. Hand it in again; if it "
                       "fails again, tell the operator its number.")
                 : markup("The log says more. Change the source and {}.",
                          link("/submit", "hand it in again"));
    case SubmissionState::kCancelled: return markup("Nothing more happens to it.");
    case SubmissionState::kReceived:
      return submission.is_held ? markup("An operator holds it; it waits until they release it.")
                                : markup("It waits for a runner. This page shows each step as it comes.");
    default: return markup("A runner works at it. This page shows each step as it comes.");
  }
}

// Why it is in its state, or for whom; "" where nothing was told.
std::string reason_of(const Submission& submission, const std::vector<SubmissionEvent>& events) {
  if (submission.state != SubmissionState::kCancelled || events.empty()) return submission.reason;
  const std::string& text = events.back().text;
  return text == word_of(submission.state) ? "" : text;  // as older versions told it
}

page::Section state_section(const Visit& visit, const Submission& submission,
                            const std::vector<SubmissionEvent>& events) {
  const std::string reason = reason_of(submission, events);
  Html body =
      markup("<p class=\"headline {}\" data-state role=\"status\">{}</p>\n<p>{}</p>\n", mood_of(submission),
             reason.empty() ? fmt::format("This submission is {}.", word_of(submission.state))
                            : fmt::format("This submission is {}: {}", word_of(submission.state), reason),
             advice(submission));
  const bool is_own = visit.is_user(submission.user_id) || visit.is_operator();
  if (is_own && !is_final(submission.state))
    body += button_form(visit, address_of(submission.id) + "/cancel", "Cancel this submission");
  return {"state", "State", {std::move(body), ""}};
}

// A list, so that steps that come later are lines of the same shape.
page::Section log_section(const Submission& submission, const std::vector<SubmissionEvent>& events) {
  Html lines;
  for (const SubmissionEvent& event : events)
    lines += markup("<li>{} {}: {}</li>\n", event.at, word_of(event.state), event.text);
  const Html live = is_final(submission.state) ? Html{}
                                               : markup(" data-live=\"{}/events?after={}\"",
                                                        "/submissions/" + std::to_string(submission.id),
                                                        events.empty() ? 0 : events.back().id);
  return {"log", "Log", {markup("<ol class=\"log\"{} aria-live=\"polite\">\n{}</ol>\n", live, lines), ""}};
}

// Why a submission has no place on its board: another run of one that stands, or another version.
std::string stands_in_its_place(const BoardStand& stand, const Submission& submission) {
  const bool is_of_one_that_stands =
      submission.rerun_of && std::ranges::find(stand.entries, *submission.rerun_of,
                                               &BoardEntry::submission_id) != stand.entries.end();
  return is_of_one_that_stands ? fmt::format("submission {}, which it ran again, stands on {}",
                                             *submission.rerun_of, stand.board.name)
                               : fmt::format("another version of it stands on {}", stand.board.name);
}

// The place on its board in words: "2–5", and of what.
page::KeyFigure rank_figure(const BoardStand& stand, const Submission& submission) {
  const auto found = std::ranges::find(stand.entries, submission.id, &BoardEntry::submission_id);
  if (found == stand.entries.end()) return {"Rank", "–", stands_in_its_place(stand, submission)};
  const EntryRank& rank = stand.ranks[std::size_t(found - stand.entries.begin())];
  if (rank.copy_of)
    return {"Rank", rank_text(rank), fmt::format("without a rank of its own on {}", stand.board.name)};
  return {"Rank", rank_text(rank),
          rank.own ? fmt::format("of {} on {}; {:.1f} is expected", stand.num_ranked(), stand.board.name,
                                 rank.expected)
                   : fmt::format("of {} on {}", stand.num_ranked(), stand.board.name)};
}

// The section on what was measured, as its board tells it; nothing where it was not judged.
Result<std::optional<page::Section>> gained_section(const Visit& visit, const Submission& submission) {
  MASH_ASSIGN(const auto entry, find_judged(visit.records, submission.id));
  MASH_ASSIGN(const auto board, find_board(visit.records, submission.board_id));
  if (!entry || !board) return std::optional<page::Section>();
  MASH_ASSIGN(const auto stand, visit.site.boards.stand(visit.records, *board));
  const auto place = std::ranges::find(stand->entries, entry->submission_id, &BoardEntry::submission_id);
  const page::KeyFigure figures[] = {
      {"Gain", gain_text(*entry),
       fmt::format("of the log-loss; 95 %, {}", counted(entry->num_seeds, "seed"))},
      rank_figure(*stand, submission),
      place == stand->entries.end() ? page::KeyFigure{"Beyond", "–", stands_in_its_place(*stand, submission)}
                                    : beyond_figure(*stand, submission.id),
      {"Finding",
       place == stand->entries.end() ? finding_in_words(*entry)
                                     : finding_text(*stand, std::size_t(place - stand->entries.begin())),
       "beside the board's own heuristics"},
      {"Cost", in_digits(entry->microseconds, 3) + " µs", "a picture"}};
  page::Piece body = page::key_figures(figures);
  body += page::paragraph(markup(
      "A rank such as 2–5 may be any of these. {}: all others, and {}.",
      link(fmt::format("{}?version={}", board_path(*board), board->version), "The board " + board->name),
      link(board_path(*board) + "#measured", "what is measured")));
  body += page::paragraph(markup(
      "{} tells another gain: it judges by a held-out part of the training pictures, with {}, so that it may "
      "show them. This one is of pictures that nobody is shown, and may be of more seeds.",
      link(address_of(submission.id) + "/report", "The report"), counted(board->num_seeds, "seed")));
  if (board->ladder_step != 0)
    body += page::note(fmt::format(
        "Gains are released in steps of {}: this one is that of the best version before, unless it is better "
        "by a step.",
        ladder_step_in_words(board->ladder_step)));
  return std::optional(page::Section{"gained", "What it gained", std::move(body)});
}

Result<std::vector<page::Section>> sections_of(const Visit& visit, const Submission& submission) {
  MASH_ASSIGN(const auto events, read_events(visit.records, 0, submission.id, kMaxEvents));
  MASH_ASSIGN(const auto findings, read_findings(visit.records, submission.id));
  MASH_ASSIGN(auto gained, gained_section(visit, submission));
  std::vector<page::Section> sections{state_section(visit, submission, events)};
  if (gained) sections.push_back(*std::move(gained));
  sections.push_back(log_section(submission, events));
  sections.push_back({"source", "Source", source_piece(submission, findings)});
  return sections;
}

// The fields of a form that was sent, or what it begins with.
struct SubmitForm {
  Handed handed{std::string(kExampleFile), std::string(kExampleSource), "Apache-2.0", ""};
  std::string key = make_secret();  // of this page
  std::string trouble = {};         // why it was not taken; empty: it was not sent yet
  std::string settings = {};        // of the heuristic, as they were typed
};

SubmitForm form_of(const Fields& form) {
  const auto text = [&](std::string_view name) { return std::string(value_of(form, name)); };
  Handed handed{text("file_name"),       text("source"), text("licence"), text("board"), "",
                !text("private").empty()};
  if (!text("file.file_name").empty()) {
    handed.source = text("file");
    handed.file_name = text("file.file_name");
  }
  std::erase(handed.source, '\r');  // browsers send lines of text with it
  // The same page sent twice is one submission; with another text, from the page before, it is a new one.
  if (!text("key").empty())
    handed.request_key =
        sha256(fmt::format("{}\n{}\n{}\n{}\n{}\n{}\n{}", text("key"), handed.file_name, handed.licence,
                           handed.board, handed.is_private, handed.source, text("settings")));
  return {std::move(handed), text("key").empty() ? make_secret() : text("key"), "", text("settings")};
}

Html submit_fields(const Visit& visit, const SubmitForm& values, const std::vector<Board>& boards) {
  std::vector<Choice> choices;
  for (const Board& board : boards) {
    const std::string times = times_in_words(board.terms, moment_now());
    choices.push_back(
        {board.name, fmt::format("{}{}{}{}{}", board.name, board.terms.title.empty() ? "" : ": ",
                                 board.terms.title, times.empty() ? "" : ", ", times)});
  }
  Html fields = markup(
      "<p><label>A C++ file <span class=\"hint\">or paste its text below; the file wins where both are "
      "given</span><input type=\"file\" name=\"file\" accept=\".cpp,.cc,.cxx,text/plain\"></label></p>\n");
  fields += text_area({"source", "Source",
                       fmt::format("one heuristic in one file, at most {}",
                                   bytes_in_words(visit.site.settings.most_source_bytes)),
                       "text", values.handed.source},
                      kSourceRows);
  fields +=
      text_field({"file_name", "Name of the file", "for the text above", "text", values.handed.file_name});
  fields +=
      text_field({"licence", "Licence",
                  "of your source, as the SPDX name of a free one, such as MIT: everybody who may see the "
                  "source reads it under this licence",
                  "text", values.handed.licence});
  fields += text_field(
      {.name = "settings",
       .label = "Settings",
       .hint = "of the heuristic, in place of its defaults, such as levels=8, grid=3; may be empty",
       .value = values.settings,
       .is_required = false});
  if (choices.size() > 1)
    fields += select_field({"board", "Board"}, choices,
                           values.handed.board.empty() ? usual_board(boards).name : values.handed.board);
  fields +=
      check_box("private", "Private until it is published",
                "Only you and the operators see it until then. What does not come to be published stays "
                "private.",
                values.handed.is_private);
  fields += markup("<input type=\"hidden\" name=\"key\" value=\"{}\">\n", values.key);
  fields += submit_button("Submit");
  return fields;
}

Response submit_page(const Visit& visit, const SubmitForm& values) {
  const auto boards = read_boards(visit.records);
  if (!boards.ok()) return failed(visit, boards.error());
  auto intake = intake_piece(visit, *boards);
  if (!intake.ok()) return failed(visit, intake.error());
  page::Piece body = values.trouble.empty() ? page::Piece{} : page::headline(values.trouble, "bad");
  body += page::Piece{form(visit, "/submit", submit_fields(visit, values, *boards)), ""};
  std::vector<page::Section> sections = {
      {"form", "The heuristic", std::move(body)},
      {"next", "What happens next",
       page::paragraph(markup(
           "It is compiled and checked in a box without network or files, its features are computed on the "
           "board's pictures, and it is offered to a booster beside the board's own heuristics. You see "
           "each step as it happens. The same is done from a shell by <code>mash submit FILE.cpp --server "
           "{} --licence Apache-2.0</code>. {} says how it is judged.",
           site_url(visit), link("/rules", "Rules")))}};
  if (!intake->html.markup.empty())
    sections.insert(sections.begin(), {"board", "The board", *std::move(intake)});
  return site_page(visit, "Submit a heuristic", markup("One C++ file, one heuristic."), sections,
                   {.has_contents = false});
}

// Takes what the form holds, with the settings that were typed.
std::variant<std::int64_t, NotTaken> hand_in_form(Visit& visit, const User& user, SubmitForm& sent) {
  auto settings = settings_of_line(sent.settings);
  if (!settings.ok()) return NotTaken{422, settings.error().message};
  sent.handed.settings = *std::move(settings);
  return hand_in(visit, user, sent.handed);
}

}  // namespace

Response show_submissions(Visit& visit, const Parts&) {
  SubmissionFilter filter;
  filter.most = kRows + 1;  // one more says that there is a next page
  if (const auto before = whole_number_in(visit.request.value("before"))) filter.before_id = *before;
  const std::string name(visit.request.value("user"));
  if (!name.empty()) {
    const auto user = find_user(visit.records, name);
    if (!user.ok()) return failed(visit, user.error());
    filter.user_id = *user ? (*user)->id : 0;
  }
  filter.with_private = visit.is_operator() || (filter.user_id && visit.is_user(*filter.user_id));
  auto submissions = read_submissions(visit.records, filter);
  if (!submissions.ok()) return failed(visit, submissions.error());
  const bool has_more = submissions->size() > kRows;
  if (has_more) submissions->pop_back();
  page::Section list = list_section("list", "Latest first", *submissions,
                                    "What was handed in, and how far it is. Private ones are not listed.");
  if (has_more)
    list.body.html += markup(
        "<p class=\"pages\">{}</p>\n",
        link(address_with(visit.request, "before", std::to_string(submissions->back().id)), "Older ones"));
  return site_page(visit, name.empty() ? "Submissions" : "Submissions of " + name,
                   markup("What was handed in to this server."), {&list, 1});
}

Response show_submission(Visit& visit, const Parts& parts) {
  const auto found = visible_submission(visit, parts[0], SourceText::kRead);
  if (!found.ok()) return failed(visit, found.error());
  if (!found->has_value()) return not_found(visit);
  const Submission& submission = **found;
  const std::string heading = fmt::format("Submission {}", submission.id);
  if (!submission.removed_why.empty())
    return trouble(visit, 410, heading, "It was removed: " + submission.removed_why);
  const auto sections = sections_of(visit, submission);
  if (!sections.ok()) return failed(visit, sections.error());
  PageLook look;
  if (!is_final(submission.state)) look = {address_of(submission.id), "/live.js"};
  const Html lead = markup(
      "{}{}, handed in for {} by {} on {}.{}", name_of(submission),
      submission.settings.empty() ? "" : fmt::format(" ({})", settings_in_words(submission.settings)),
      link("/boards/" + percent_encoded(submission.board), "the board " + submission.board),
      link("/contributors/" + percent_encoded(submission.contributor), submission.contributor),
      submission.received_at,
      submission.rerun_of
          ? markup(" It runs {} again.",
                   link(address_of(*submission.rerun_of), fmt::format("submission {}", *submission.rerun_of)))
          : Html{});
  return site_page(visit, heading, lead, *sections, look);
}

namespace {

// A submission that may be seen, with its judgement.
struct Judged {
  Submission submission;
  Judgement judgement;
};
// Else the answer.
std::variant<Judged, Response> visible_judgement(const Visit& visit, const Parts& parts) {
  const auto found = visible_submission(visit, parts[0]);
  if (!found.ok()) return failed(visit, found.error());
  if (!found->has_value() || !is_judged(**found) || !(*found)->removed_why.empty()) return not_found(visit);
  auto judgement = find_judgement(visit.records, (*found)->id);
  if (!judgement.ok()) return failed(visit, judgement.error());
  if (!judgement->has_value()) return not_found(visit);
  return Judged{**found, **std::move(judgement)};
}

// Links from the report of a submission, and why its gains are not those of the board.
Result<Html> links_back(const Visit& visit, const Submission& submission) {
  MASH_ASSIGN(const auto board, find_board(visit.records, submission.board_id));
  Html links = link(address_of(submission.id), fmt::format("Back to submission {}", submission.id));
  if (!submission.heuristic.empty())
    links += markup(" · {}", link(heuristic_path(submission.heuristic), submission.heuristic));
  if (board) links += markup(" · {}", link(board_path(*board), "Board " + board->name));
  links += markup(" · {}",
                  link("/rules#words", "These gains are of training pictures, the board's of hidden ones"));
  return links;
}

}  // namespace

Response show_report(Visit& visit, const Parts& parts) {
  auto judgement = visible_judgement(visit, parts);
  if (auto* refused = std::get_if<Response>(&judgement)) return *std::move(refused);
  auto& [submission, judged] = std::get<Judged>(judgement);
  if (is_api(visit.request)) return whole_page(std::move(judged.report_html));
  const auto links = links_back(visit, submission);
  if (!links.ok()) return failed(visit, links.error());
  return whole_page(with_way_back(std::move(judged.report_html), "Submission", *links));
}

Response show_report_json(Visit& visit, const Parts& parts) {
  auto judgement = visible_judgement(visit, parts);
  if (auto* refused = std::get_if<Response>(&judgement)) return *std::move(refused);
  return {200, "application/json", std::get<Judged>(judgement).judgement.report_json};
}

Response show_source(Visit& visit, const Parts& parts) {
  auto found = visible_submission(visit, parts[0], SourceText::kRead);
  if (!found.ok()) return failed(visit, found.error());
  if (!found->has_value() || !(*found)->removed_why.empty()) return not_found(visit);
  if ((*found)->source.empty()) return trouble(visit, 410, "Taken back", kTakenBack);
  return {200, "text/plain; charset=utf-8", std::move((*found)->source)};
}

Response show_submit(Visit& visit, const Parts&) {
  const auto who = holder(visit, Scope::kSubmit);
  if (const auto* refused = std::get_if<Response>(&who)) return *refused;
  return submit_page(visit, {});
}

Response show_submit_again(Visit& visit) {
  SubmitForm sent = form_of(visit.form);
  sent.trouble = visit.who
                     ? "Your session is another one now, so nothing was handed in yet. Send it once more."
                     : "Your session has ended, so nothing was handed in. Log in on another page, then "
                       "come back to this one and send it once more.";
  Response response = submit_page(visit, sent);
  response.status = visit.who ? 403 : 401;
  return response;
}

Response take_submit(Visit& visit, const Parts&) {
  const auto who = holder(visit, Scope::kSubmit);
  if (!visit.who && !value_of(visit.form, "source").empty()) return show_submit_again(visit);
  if (const auto* refused = std::get_if<Response>(&who)) return *refused;
  SubmitForm sent = form_of(visit.form);
  const auto taken = hand_in_form(visit, std::get<TokenHolder>(who).user, sent);
  if (const auto* refused = std::get_if<NotTaken>(&taken)) {
    Response response = submit_page(visit, {sent.handed, sent.key, refused->why, sent.settings});
    response.status = refused->status;
    return response;
  }
  return see_other(address_of(std::get<std::int64_t>(taken)));
}

Response take_cancel(Visit& visit, const Parts& parts) {
  const auto found = own_submission(visit, parts[0]);
  if (const auto* refused = std::get_if<Response>(&found)) return *refused;
  const Submission& submission = std::get<Submission>(found);
  const std::int64_t id = submission.id;
  const Status cancelled = cancel_for(visit, submission);
  return cancelled.ok() ? see_other(address_of(id)) : failed(visit, cancelled.error());
}

}  // namespace mash::server
