// SPDX-License-Identifier: Apache-2.0
#include "server/http/about/rules.hpp"

#include <fmt/format.h>

#include "framework/base/amounts.hpp"
#include "framework/render/wording.hpp"
#include "server/http/boards/example_heuristic.hpp"
#include "server/http/frame/layout.hpp"

namespace mash::server {
namespace {

page::Section heuristic_section() {
  page::Piece body = page::paragraph(
      markup("A heuristic turns a picture into numbers, its features: how bright each row is, how many holes "
             "there are, where edges point to. A booster then chooses among the features of all heuristics "
             "and builds a classifier of them. A heuristic is good when the classifier becomes better with "
             "it than without it, beside all the others. It is one C++20 file, and this one is complete:"));
  body += page::code(kExampleFile, kExampleSource);
  const std::vector<Html> rules = {
      markup(
          "The number of features (<code>dim</code>) follows from the picture's size and the settings only."),
      markup("A feature follows from the picture's pixels and the settings only: not from other pictures, "
             "the order of calls, a clock, or random numbers without a fixed seed."),
      markup("Every value is finite: no NaN, no infinity."),
      markup("One heuristic in each file. It may include the C++ standard library and <code>mash/</code> "
             "headers, and nothing else.")};
  body += page::list(rules);
  body += page::paragraph(markup(
      "The headers come with MASH. <code>mash heuristic new NAME</code> makes a project from a template, "
      "<code>mash heuristic check FILE.cpp</code> runs the same checks as this server and many more, and "
      "<code>mash heuristic try FILE.cpp</code> measures at home what the heuristic adds."));
  return {"heuristic", "What a heuristic is", std::move(body)};
}

page::Section submit_section(const Visit& visit) {
  page::Piece body = page::paragraph(markup(
      "In a browser: {}, then {}: choose the file or paste its text, name its licence, and watch each step.",
      link("/login", "log in"), link("/submit", "submit")));
  body +=
      page::paragraph(markup("From a shell: make a token on {} and put it into $MASH_TOKEN. The command "
                             "waits, tells each step, and says the rank at the end.",
                             link("/me", "your page")));
  body += page::code("Submitting from a shell",
                     fmt::format("export MASH_TOKEN=...\nmash submit {} --server {} --licence Apache-2.0\n",
                                 kExampleFile, site_url(visit)));
  body += page::paragraph(markup("Other programs use {}.", link("/api", "the API")));
  return {"submit", "How to submit", std::move(body)};
}

page::Section judging_section() {
  const std::vector<Html> items = {
      markup(
          "<b>Same offers.</b> Models are trained from the same beginning with the heuristic and without it, "
          "with the same other choices. The gain is by how many per cent the log-loss is smaller with it."),
      markup("<b>The report</b> judges by a held-out part of the training side: its contributor learns what "
             "changed on which classes and pictures, and what to try next."),
      markup("<b>The rank</b> judges by the private part of the test side, which nobody sees. {} says which "
             "part is for what.",
             link("/datasets#parts", "The page of data sets")),
      markup("<b>Seeds, not seconds.</b> All heuristics of a board are measured with the same seeds, however "
             "soon the answer is clear, and never by a clock: the same source comes to the same figures, "
             "however "
             "busy the server is. While nothing waits, those whose ranks are least certain are measured with "
             "twice as many."),
      markup("<b>Names do not count.</b> The same features get the same draws under any name. What has the "
             "features of another heuristic of the board, to the bit, stands with it and has no rank of its "
             "own."),
      markup("<b>Intervals.</b> Each gain has a 95 % interval over seeds and pictures. <i>Adds</i> means "
             "that all of it is above 0. <i>Undecided</i> is not the same as adding nothing: the interval "
             "holds both."),
      markup(
          "<b>Rank sets.</b> Two heuristics are told apart by their losses on the same pictures with the "
          "same seeds. A rank of 2–5 among 20 means: one is surely better, and 15 are surely worse; the set "
          "holds the rank with 95 % (with the corrections of Holm, and a fifth of the misses for each "
          "doubling of the seeds). The table is sorted by the expected rank, the mean of the rank if errors "
          "are normal."),
      markup("<b>Ladder.</b> A board may release gains in steps, and a new version's gain only where it is "
             "better by a step than the best before (Blum and Hardt 2015). So nobody learns the private "
             "pictures by handing in many versions. Each heuristic has a ladder of its own; a version that "
             "is no step better shows the former figures whole. {} says which boards do.",
             link("/experiments", "The page of experiments")),
      markup("<b>Verified</b> means that a second, independent run gave the same figures.")};
  return {"judging", "How it is judged", page::list(items)};
}

page::Section words_section() {
  const std::vector<Html> items = {
      markup("<b>Gain, in per cent of the log-loss</b>: the log-loss is how surprised a classifier is by the "
             "right answers, 0 when it is sure of all of them. A gain of 5 % means that it is 5 % smaller "
             "with the heuristic than without it."),
      markup(
          "<b>Gain of the report, gain of the board</b>: the report judges by training pictures, which it "
          "may show, the board by hidden ones, and often with more seeds. So the two differ, and the board's "
          "counts."),
      markup("<b>Pool</b>: the heuristics of the board's own experiment, beside which yours is offered."),
      markup("<b>Seed</b>: a number from which all random choices of a training follow."),
      markup("<b>Expected rank</b>: the mean of the ranks that a heuristic may have, by how likely each is."),
      markup("<b>Placebo</b>: as many more candidates of the pool itself in the place of the heuristic. What "
             "they gain comes of more candidates alone, and of chance."),
      markup(
          "<b>Duels won</b>: the rounds in which the booster took a feature of the heuristic, as a share of "
          "all rounds in which it was offered."),
      markup("<b>Ladder</b>: gains are told in steps, and a new version's only when it is a step better.")};
  return {"words", "What the words mean", page::list(items)};
}

page::Section limits_section(const SiteSettings& settings) {
  const std::vector<Html> items = {
      markup("The source has at most {}, in one file of text (UTF-8).",
             bytes_in_words(settings.most_source_bytes)),
      markup("Compiling takes at most 60 s."),
      markup("It runs without network, files, other programs and threads, in a box that keeps it from all "
             "else. An attempt to leave it fails, or ends the run."),
      markup("A picture may take 1 µs for each pixel, times log₂ of their number, 10 µs for each feature, "
             "and 1 s beyond that. Its memory may grow by 200 MiB."),
      markup("Each contributor has {:.0f} s of compute time in {}, unless the operator sets another number. "
             "What fails by the server's fault does not count, up to twice as much again.",
             settings.quota_seconds, counted(std::size_t(settings.quota_days), "day")),
      markup("At most {} of one contributor wait or are in work.",
             counted(std::size_t(settings.most_waiting), "submission")),
      markup("A board may open and close at a time, and take only some attempts of each contributor in 24 "
             "hours. Its page and the form say so. What does not compile, what has an id that is taken, what "
             "fails a check before its features are computed, and what fails by the server's fault is no "
             "attempt.")};
  return {"limits", "Limits", page::list(items)};
}

page::Section ending_section() {
  page::Piece body = page::paragraph(
      markup("A submission is received, checked, compiled, validated, has its features extracted, and is "
             "judged. Its page shows each step and ends with one of these words:"));
  const std::vector<Html> items = {
      markup("<b>published</b>: it stands on the board. Read its report, and hand in a better version."),
      markup("<b>superseded</b>: a higher version of it stands on the board. It stays in the history."),
      markup("<b>rejected</b>: it does not compile, fails a check, crashes, takes too long or too much "
             "memory, gives values that are not finite, or its name is taken. This is its contributor's to "
             "change, as the reason says; the time counts as used."),
      markup(
          "<b>failed</b>: the judging itself did not work, and the page says whose fault it is. By the "
          "server's fault no time is counted: hand it in again. Code that uses up all the time that a whole "
          "submission has is its contributor's fault."),
      markup("<b>cancelled</b>: its contributor or an operator ended it. The time until then counts as used; "
             "the source of one that no runner had taken is not kept.")};
  body += page::list(items);
  body +=
      page::paragraph(markup("When a server or a runner stops in the middle, the next one begins the "
                             "submission again: it is never lost, and never counted twice."));
  return {"ending", "How a submission ends", std::move(body)};
}

page::Section names_section() {
  const std::vector<Html> items = {
      markup("The id in <code>MASH_HEURISTIC</code> is its name here. It belongs to the first who published "
             "it. Put your name in front, as in <code>your-name/row-means</code>: ids that begin with the "
             "name of a user "
             "are for that user, and other beginnings for the first who publishes under them."),
      markup("To publish again, raise the version. Each version is published once; the highest one stands on "
             "the board, and all of them stay on the page of the heuristic."),
      markup("A heuristic whose features equal those of an earlier one is listed below it as its copy, "
             "without a rank of its own; some boards reject it. The page of each board says which. Operators "
             "see how alike features and sources are."),
      markup("When a board gets another experiment, that is a new version of the board. What was judged "
             "before stays as history, and an operator can have the published ones judged again.")};
  return {"names", "Versions and names", page::list(items)};
}

page::Section visibility_section() {
  const std::vector<Html> items = {
      markup(
          "<b>Licence.</b> You name it when you submit, as the SPDX name of a free licence such as MIT: it "
          "lets others read the source, and this server compile, run and show it. Other names are not "
          "taken. Hand in only what you may."),
      markup("<b>Everybody</b> sees the source, the report and the figures of what is published, and also "
             "what is in work or did not come to its end, unless it was submitted as private."),
      markup("<b>Private</b>: until it is published, only you and the operators see it. Once published it is "
             "as open as the others."),
      markup("<b>Nobody</b> sees the private pictures, or what a heuristic says while it works on them. "
             "Passwords and tokens are kept as hashes only."),
      markup("<b>Removal.</b> An operator may remove what breaks the law, a licence or these rules: source, "
             "log and report are then shown to nobody, and only the reason stays. To have something of your "
             "own removed, ask the operator; while it is in work you can cancel it yourself."),
      markup("<b>Closing an account.</b> You can do it on {}, and an operator can. Password, tokens and name "
             "are forgotten; nobody else can take the name, or ids that begin with it. What is not published "
             "is removed with its sources. What is published stays on the boards, without your name, or is "
             "removed too: you choose. A user who wants another name asks an operator.",
             link("/me", "your page")),
      markup("<b>Not allowed</b>: attempts to leave the box, to learn the private pictures, to hold the "
             "server up, or to get around the quotas with several accounts.")};
  return {"visibility", "Licences, and who sees what", page::list(items)};
}

}  // namespace

Response show_rules(Visit& visit, const Parts&) {
  const std::vector<page::Section> sections = {heuristic_section(),
                                               submit_section(visit),
                                               judging_section(),
                                               words_section(),
                                               limits_section(visit.site.settings),
                                               ending_section(),
                                               names_section(),
                                               visibility_section()};
  return site_page(visit, "Rules",
                   markup("What a heuristic is, how it is judged, and what may be handed in."), sections);
}

}  // namespace mash::server
