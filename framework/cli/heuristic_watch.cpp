// SPDX-License-Identifier: Apache-2.0
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstring>
#include <map>
#include <thread>
#include <tuple>

#include "framework/base/bounded_json.hpp"
#include "framework/base/child_process.hpp"
#include "framework/base/file.hpp"
#include "framework/base/hash.hpp"
#include "framework/base/shell_word.hpp"
#include "framework/cli/background_offer.hpp"
#include "framework/cli/heuristic.hpp"
#include "framework/cli/json_output.hpp"
#include "framework/cli/terminal.hpp"
#include "framework/cli/trial_options.hpp"
#include "framework/operations/experiment/heuristic_settings.hpp"
#include "framework/operations/workshop/check.hpp"

namespace mash {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr auto kLookEvery = std::chrono::milliseconds(50);

struct WatchOptions {
  TrialOptions trial;  // of the offer test
  std::string place = ".";
  bool test = false, no_gain = false;
  std::uint32_t num_cycles = 0;  // 0: for ever
  // The options of the offer test that were given, as they are passed on to it.
  std::vector<std::string> given;

  const OutputOptions& output() const { return trial.run.output; }
  bool is_boxed() const { return trial.run.isolation == Isolation::kBox; }
};

// The files whose change asks for a build, with what tells that one has changed. An editor may write a file
// again or put another in its place: size, time and inode together notice both.
using Snapshot = std::map<fs::path, std::tuple<std::int64_t, std::int64_t, std::uint64_t, std::uint64_t>>;

void add_file(Snapshot& snapshot, const fs::path& path) {
  struct stat info {};
  if (::stat(path.c_str(), &info) == 0 && S_ISREG(info.st_mode))
    snapshot[path] = {info.st_mtim.tv_sec, info.st_mtim.tv_nsec, std::uint64_t(info.st_size), info.st_ino};
}

bool is_header(const fs::path& path) {
  return path.extension() == ".h" || path.extension() == ".hpp" || path.extension() == ".hh";
}

bool is_build_input(const fs::path& path) {
  return is_header(path) || path.extension() == ".cpp" || path.extension() == ".cc" ||
         path.extension() == ".cxx" || path.extension() == ".cmake" || path.filename() == "CMakeLists.txt";
}

// For a project all files that may go into its build; for a source that file, its test and the headers beside
// it.
Snapshot snapshot_of(const HeuristicSource& source) {
  Snapshot snapshot;
  std::error_code code;
  if (!source.is_project) {
    add_file(snapshot, source.place);
    if (snapshot.empty()) return snapshot;
    add_file(snapshot, test_of(source.place));
    const fs::path folder = source.place.has_parent_path() ? source.place.parent_path() : ".";
    for (fs::directory_iterator entry(folder, code), end; !code && entry != end; entry.increment(code))
      if (is_header(entry->path())) add_file(snapshot, entry->path());
    return snapshot;
  }
  for (fs::recursive_directory_iterator entry(source.place, code), end; !code && entry != end;
       entry.increment(code)) {
    std::error_code unknown;
    const bool is_hidden = entry->path().filename().string().starts_with('.');
    if (is_hidden || entry->path() == source.place / kBuildFolder ||
        fs::exists(entry->path() / "CMakeCache.txt", unknown))
      entry.disable_recursion_pending();
    else if (is_build_input(entry->path()))
      add_file(snapshot, entry->path());
  }
  return snapshot;
}

// The outcome of a build: the document of `mash heuristic build --json`, or why there is none.
struct Outcome {
  Json built;
  std::string messages;  // of the compiler, the test and the program
  Json checked = {};     // the document of `mash heuristic check --json`, of what was built

  bool is_good(bool anyway) const { return !built.is_null() && (anyway || checked["passed"].get<bool>()); }
};

// The heuristics in a document of `mash heuristic check --json`.
std::vector<Json> heuristics_in(const Json& checked) {
  if (!checked.contains("heuristics")) return {checked};
  return {checked["heuristics"].begin(), checked["heuristics"].end()};
}

// Says for each heuristic why it fails its checks, or that it does not.
std::string describe_checks(const Json& checked) {
  std::string text;
  for (const Json& heuristic : heuristics_in(checked))
    text += heuristic["passed"].get<bool>()
                ? fmt::format("checked: {} checks, none fails\n", heuristic["checks"].size())
                : heuristic["cause"].get<std::string>() + "\n";
  return text;
}

// An item of plugins.*.heuristics in a document of `mash heuristic build --json`.
FirstLook first_look_in(const Json& item) {
  FirstLook look;
  look.info.id = item["id"];
  look.info.version = item["version"];
  if (item["dim"].is_null()) {
    look.dim = failure("{}", item["dim_error"].get<std::string>());
    return look;
  }
  look.dim = item["dim"].get<std::uint32_t>();
  look.microseconds_per_image = item["microseconds_per_image"];
  look.num_faults = item["faults"];
  look.first_fault = item.value("first_fault", "");
  return look;
}

Outcome outcome_of(const ChildResult& result) {
  Outcome outcome{Json(), result.err};
  if (auto built = parse_json<Json>(result.out, kOurOwnJson); built.ok() && result.succeeded())
    outcome.built = *std::move(built);
  if (result.status.signal != 0)
    outcome.messages +=
        fmt::format("mash: the heuristic ended the program: {}\n", ::strsignal(result.status.signal));
  return outcome;
}

// gain: "" where it is not known yet.
std::string describe(const Outcome& outcome, const std::string& gain = "") {
  std::string text = outcome.messages;
  if (outcome.built.is_null()) return text;
  for (const Json& plugin : outcome.built["plugins"]) {
    for (const Json& item : plugin["heuristics"]) text += describe_first_look(first_look_in(item)) + "\n";
    text += plugin["file"].get<std::string>() + "\n";
  }
  text += fmt::format("built {}in {:.1f} s{}{}\n", outcome.built["tested"].get<bool>() ? "and tested " : "",
                      outcome.built["seconds"].get<double>(), gain.empty() ? "" : ", gain ", gain);
  return outcome.checked.is_null() ? text : text + describe_checks(outcome.checked);
}

// The first num_lines lines of a text.
std::string first_lines(const std::string& text, std::size_t num_lines) {
  std::size_t end = 0;
  for (std::size_t line = 0; line < num_lines; ++line) {
    end = text.find('\n', end);
    if (end == std::string::npos || ++end == text.size()) return text;
  }
  return text.substr(0, end) + "...\n";
}

// Shows one build after the other, each with its gain: in place on a terminal, else each below the last.
class Screen {
 public:
  Screen(const WatchOptions& options)
      : options_(options), in_place_(!options.output().json && takes_escapes(STDOUT_FILENO)) {}

  void show_start() {
    ++num_builds_;
    gain_.clear();
    below_.clear();
    first_answer_.clear();
    if (in_place_) draw("building ...\n", "33");
  }

  void show_built(const Outcome& outcome) {
    if (in_place_) draw(describe(outcome) + "checking ...\n", "33");
  }

  void show_outcome(const Outcome& outcome) {
    outcome_ = outcome;
    const bool is_good = outcome.is_good(options_.trial.anyway);
    if (options_.output().json) {
      Json json{{"build", num_builds_}, {"ok", is_good}};
      if (!is_good)
        json["message"] = outcome.built.is_null() ? outcome.messages : describe_checks(outcome.checked);
      json.update(outcome.built.is_null() ? Json::object() : outcome.built);
      if (!outcome.checked.is_null()) json["checked"] = outcome.checked;
      print_json(json, -1);
    } else if (in_place_) {
      draw_outcome();
    } else {
      fmt::print("build {}\n{}", num_builds_, describe(outcome));
    }
    std::fflush(stdout);
  }

  // Shows what the offer test of the build has told.
  void show_news(const OfferNews& news) {
    const bool is_last = news.document.is_null() || news.document["ended"].get<bool>();
    if (options_.output().json) {
      Json json{{"build", num_builds_}, {"offer", news.document}};
      if (news.document.is_null()) json["message"] = news.failure;
      print_json(json, -1);
    } else if (in_place_) {
      if (!news.document.is_null()) gain_ = describe_gain(news.document);
      below_ = (is_last ? verdict_of(news) : "testing goes on\n") + versions_of(news);
      draw_outcome();
    } else {
      fmt::print("{}",
                 is_last ? verdict_of(news) + versions_of(news)
                         : fmt::format("gain of build {}: {}\n", num_builds_, describe_gain(news.document)));
    }
    std::fflush(stdout);
  }

  // Before its first look. first_answer: empty where there is none yet.
  void show_doing(const std::string& doing, const std::string& first_answer) {
    if (first_answer != first_answer_ && !in_place_ && !options_.output().json) {
      fmt::print("{}\n", first_answer);
      std::fflush(stdout);
    }
    first_answer_ = first_answer;
    if (!in_place_ || !gain_.empty() || doing == doing_) return;
    doing_ = doing;
    below_ =
        fmt::format("{}{}testing the gain ... {}\n", first_answer, first_answer.empty() ? "" : "\n", doing);
    draw_outcome();
  }

 private:
  static std::string verdict_of(const OfferNews& news) {
    return news.document.is_null() ? fmt::format("the gain is not known: {}\n", news.failure)
                                   : news.document["verdict"].get<std::string>() + "\n";
  }
  static std::string versions_of(const OfferNews& news) {
    if (news.document.is_null() || news.document["history"].size() < 2) return "";
    return fmt::format("versions: {}\n", describe_history(news.document));
  }

  void draw_outcome() const {
    draw(describe(outcome_, gain_) + below_, outcome_.is_good(options_.trial.anyway) ? "32" : "31");
  }

  void draw(const std::string& text, const char* colour) const {
    struct winsize size {};
    const std::size_t rows =
        ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row > 6 ? size.ws_row : 24;
    fmt::print("\033[H\033[2J\033[{}mmash heuristic watch {}\033[0m: build {}, Ctrl-C ends\n\n{}", colour,
               shell_word(options_.place), num_builds_, first_lines(text, rows - 4));
    std::fflush(stdout);
  }

  const WatchOptions& options_;
  bool in_place_;
  std::uint32_t num_builds_ = 0;
  Outcome outcome_;  // of the last build
  // News of its offer test: the gain stands beside the compile time, the rest below everything.
  std::string gain_, below_, doing_, first_answer_;
};

// One version of the sources, from the save that made it to what became of it. What is run runs in processes
// of its own: what hangs or crashes there does no harm here.
class Version {
 public:
  Version(const WatchOptions& options, const HeuristicSource& source, const Snapshot& sources,
          const StopFlag& stop)
      : options_(options), source_(source), sources_(sources), stop_(stop) {}

  // Both give nothing where the sources change or the user stops before they end.
  Result<std::optional<Outcome>> build() const {
    std::vector<std::string> arguments{"build", source_.place.string()};
    if (options_.test) arguments.push_back("--test");
    if (options_.is_boxed()) arguments.push_back("--box");
    MASH_ASSIGN(const auto result, run(std::move(arguments)));
    return result ? std::optional(outcome_of(*result)) : std::nullopt;
  }
  // Checks what was built: the document of `mash heuristic check --json`.
  Result<std::optional<Json>> check(std::vector<std::string> plugins) const {
    plugins.insert(plugins.begin(), "check");
    plugins.insert(plugins.end(), {"--level", std::string(checks::level_name(kLevelBeforeTrial))});
    if (options_.is_boxed()) plugins.insert(plugins.end(), {"--isolation", "box"});
    for (const std::string& setting : options_.trial.own)
      plugins.insert(plugins.end(), {"--setting", setting});
    MASH_ASSIGN(const auto result, run(std::move(plugins)));
    if (!result) return std::optional<Json>();
    auto checked = parse_json<Json>(result->out, kOurOwnJson);
    if (!checked.ok()) return failure("{}", result->err);
    return std::optional(*std::move(checked));
  }

 private:
  // mash heuristic ARGUMENTS --json
  Result<std::optional<ChildResult>> run(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), {"/proc/self/exe", "heuristic"});
    arguments.push_back("--json");
    if (options_.output().quiet) arguments.push_back("--quiet");
    MASH_ASSIGN(ChildProcess child,
                ChildProcess::start({.arguments = std::move(arguments), .group = ChildCommand::Group::kOwn}));
    while (!child.has_ended()) {
      if (stop_.raised() || snapshot_of(source_) != sources_) return std::optional<ChildResult>();
      std::this_thread::sleep_for(kLookEvery);
    }
    return std::optional(child.wait());
  }

  const WatchOptions& options_;
  const HeuristicSource& source_;
  const Snapshot& sources_;
  const StopFlag& stop_;
};

// The files of the plugins that a build has made.
std::vector<std::string> plugins_in(const Json& built) {
  std::vector<std::string> files;
  for (const Json& plugin : built["plugins"]) files.push_back(plugin["file"]);
  return files;
}

// Findings on plugins, kept so that those that a save has not changed are not checked again.
class CheckedPlugins {
 public:
  // The document for what a version has built; nothing where it gives none.
  Result<std::optional<Json>> check(const Json& built, const Version& version) {
    std::vector<std::string> files = plugins_in(built);
    Sha256 content;
    for (const std::string& file : files) {
      MASH_ASSIGN(const std::string bytes, read_file(file));
      content.update(bytes);
    }
    const std::string hash = content.hex();
    if (hash == hash_) return std::optional(checked_);
    MASH_ASSIGN(auto checked, version.check(std::move(files)));
    if (checked) hash_ = hash, checked_ = *checked;
    return checked;
  }

 private:
  std::string hash_;
  Json checked_;
};

// Shows what an offer test has told since the last call.
Status show_offer(BackgroundOffer& offer, Screen& screen) {
  MASH_ASSIGN(const auto all_news, offer.news());
  for (const OfferNews& news : all_news) screen.show_news(news);
  if (!offer.has_ended()) screen.show_doing(offer.now_doing(), offer.first_answer());
  return Done{};
}

Status watch(const WatchOptions& options) {
  MASH_ASSIGN(const HeuristicSource source, find_heuristic_source(options.place));
  const StopFlag& stop = stop_on_signals();
  Screen screen(options);
  CheckedPlugins checked_plugins;
  std::optional<BackgroundOffer> offer;
  Snapshot built, before;
  const auto is_over = [&](std::uint32_t num_done) {
    return options.num_cycles > 0 && num_done >= options.num_cycles && (!offer || offer->has_ended());
  };
  for (std::uint32_t num_done = 0; !stop.raised() && !is_over(num_done);) {
    // A save is over when nothing has changed from one look to the next.
    const Snapshot now = snapshot_of(source);
    const bool is_settled = now == std::exchange(before, now);
    if (now.empty() || now == built || !is_settled) {
      if (offer) MASH_TRY(show_offer(*offer, screen));
      std::this_thread::sleep_for(kLookEvery);
      continue;
    }
    offer.reset();
    built = now;
    screen.show_start();
    const Version version(options, source, now, stop);
    MASH_ASSIGN(auto outcome, version.build());
    if (!outcome) continue;
    if (!outcome->built.is_null()) {
      screen.show_built(*outcome);
      MASH_ASSIGN(auto checked, checked_plugins.check(outcome->built, version));
      if (!checked) continue;
      outcome->checked = *std::move(checked);
    }
    screen.show_outcome(*outcome);
    ++num_done;
    if (!options.no_gain && outcome->is_good(options.trial.anyway))
      offer.emplace(plugins_in(outcome->built), options.given);
  }
  return Done{};
}

// Options that are not the offer test's alone.
constexpr std::string_view kOfBuilds[] = {"PLACE",    "--test", "--no-gain", "--cycles",
                                          "--anyway", "--json", "--quiet"};

// Options of builds and of their checks, which have an effect without an offer test.
constexpr std::string_view kWithoutGain[] = {"PLACE",    "--test", "--no-gain", "--cycles",
                                             "--anyway", "--json", "--quiet",   "--setting"};

// Options of `app` that the offer test is to be given.
std::vector<std::string> given_to_the_test(const CLI::App& app) {
  std::vector<std::string> arguments;
  for (const CLI::Option* option : app.get_options()) {
    const std::string name = option->get_name();
    if (std::find(std::begin(kOfBuilds), std::end(kOfBuilds), name) != std::end(kOfBuilds)) continue;
    for (const std::string& value : option->results()) {
      arguments.push_back(name);
      if (option->get_expected_min() > 0) arguments.push_back(value);
    }
  }
  return arguments;
}

}  // namespace

Subcommand add_heuristic_watch(CLI::App& parent) {
  const auto options = std::make_shared<WatchOptions>();
  CLI::App* app = parent.add_subcommand(
      "watch",
      "Build and check a heuristic again whenever one of its sources is saved, and show what it adds");
  app->add_option("PLACE", options->place, "What to build, as for mash heuristic build")
      ->type_name("DIR|FILE.cpp")
      ->capture_default_str();
  app->add_flag("--test", options->test, "Also run the tests");
  app->add_flag("--no-gain", options->no_gain, "Leave out the offer test, which shows what it adds");
  app->add_option("--cycles", options->num_cycles,
                  "End after this many builds and the offer test of the last; 0: only when Ctrl-C is pressed")
      ->type_name("N")
      ->check(within(0, 1000000))
      ->capture_default_str();
  options->trial.add_to(*app);
  app->add_option("--seconds")
      ->description("Stop an offer test after S seconds of training, but not before its first 4 seeds [60]")
      ->type_name("S")
      ->check(within(1, 1'000'000));
  app->add_option("--seeds")->description("Use at most N seeds [64]")->type_name("N")->check(within(4, 128));
  app->footer(
      "Example:\n"
      "  mash heuristic watch my-edges --test\n"
      "  mash heuristic watch my-edges --setting levels=8\n"
      "Each build runs in a process of its own. After a good one the heuristic is offered beside the\n"
      "pool, as mash heuristic try does, in the background, until the next save. With --json, each build\n"
      "and each look of an offer test is a line with one document.");
  return {app, [options, app]() -> Status {
            if (options->no_gain) MASH_TRY(refuse_other_options(*app, "--no-gain", kWithoutGain));
            MASH_TRY(parse_heuristic_settings({options->trial.own, "--setting"}));
            options->given = given_to_the_test(*app);
            return watch(*options);
          }};
}

}  // namespace mash
