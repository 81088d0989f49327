// SPDX-License-Identifier: Apache-2.0
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstring>
#include <map>
#include <thread>
#include <tuple>

#include "framework/base/child_process.hpp"
#include "framework/base/shell_word.hpp"
#include "framework/cli/heuristic.hpp"
#include "framework/cli/json_output.hpp"
#include "framework/cli/terminal.hpp"
#include "framework/operations/compile.hpp"

namespace mash {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr auto kLookEvery = std::chrono::milliseconds(50);

struct WatchOptions {
  OutputOptions output;
  std::string place = ".";
  bool test = false;
  std::uint32_t num_cycles = 0;  // 0: for ever
};

// The files whose change asks for a build, with what tells that one has changed. An editor may write a file
// anew or put another in its place: size, time and inode together notice both.
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

// What a build came to: the document of `mash heuristic build --json`, or why there is none.
struct Outcome {
  Json built;
  std::string messages;  // of the compiler, the test and the program
};

Outcome outcome_of(const ChildResult& result) {
  Outcome outcome{Json::parse(result.out, nullptr, false), result.err};
  if (!result.succeeded() || outcome.built.is_discarded()) outcome.built = Json();
  if (result.status.signal != 0)
    outcome.messages +=
        fmt::format("mash: the heuristic ended the program: {}\n", ::strsignal(result.status.signal));
  return outcome;
}

std::string describe(const Outcome& outcome) {
  std::string text = outcome.messages;
  if (outcome.built.is_null()) return text;
  for (const Json& plugin : outcome.built["plugins"]) {
    for (const Json& look : plugin["heuristics"]) text += describe_first_look(look) + "\n";
    text += plugin["file"].get<std::string>() + "\n";
  }
  return text + fmt::format("built {}in {:.1f} s\n", outcome.built["tested"].get<bool>() ? "and tested " : "",
                            outcome.built["seconds"].get<double>());
}

// At most so many lines of a text.
std::string first_lines(const std::string& text, std::size_t num_lines) {
  std::size_t end = 0;
  for (std::size_t line = 0; line < num_lines; ++line) {
    end = text.find('\n', end);
    if (end == std::string::npos || ++end == text.size()) return text;
  }
  return text.substr(0, end) + "...\n";
}

// Shows one build after the other: in place on a terminal, else each below the last.
class Screen {
 public:
  Screen(const WatchOptions& options)
      : options_(options), in_place_(!options.output.json && ::isatty(STDOUT_FILENO)) {}

  void show_start() {
    ++num_builds_;
    if (in_place_) show("building ...\n", "33");
  }

  void show_outcome(const Outcome& outcome) {
    if (options_.output.json) {
      Json json{{"build", num_builds_}, {"ok", !outcome.built.is_null()}};
      if (outcome.built.is_null()) json["message"] = outcome.messages;
      json.update(outcome.built.is_null() ? Json::object() : outcome.built);
      print_json(json, -1);
    } else if (in_place_) {
      show(describe(outcome), outcome.built.is_null() ? "31" : "32");
    } else {
      fmt::print("build {}\n{}", num_builds_, describe(outcome));
    }
    std::fflush(stdout);
  }

 private:
  void show(const std::string& text, const char* colour) const {
    const bool plain = std::getenv("NO_COLOR") != nullptr;
    struct winsize size {};
    const std::size_t rows =
        ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row > 6 ? size.ws_row : 24;
    fmt::print("\033[H\033[2J{}mash heuristic watch {}{}: build {}, Ctrl-C ends\n\n{}",
               plain ? "" : fmt::format("\033[{}m", colour), shell_word(options_.place),
               plain ? "" : "\033[0m", num_builds_, first_lines(text, rows - 4));
    std::fflush(stdout);
  }

  const WatchOptions& options_;
  bool in_place_;
  std::uint32_t num_builds_ = 0;
};

// Builds in a process of its own: what hangs or crashes there does no harm here. Gives nothing where the
// sources change or the user stops before it ends.
Result<std::optional<Outcome>> build_apart(const WatchOptions& options, const HeuristicSource& source,
                                           const Snapshot& sources, const StopFlag& stop) {
  std::vector<std::string> command{"/proc/self/exe", "heuristic", "build", source.place.string(), "--json"};
  if (options.test) command.push_back("--test");
  if (options.output.quiet) command.push_back("--quiet");
  MASH_ASSIGN(ChildProcess child,
              ChildProcess::start({.arguments = command, .group = ChildCommand::Group::kOwn}));
  while (!child.has_ended()) {
    if (stop.raised() || snapshot_of(source) != sources) return std::optional<Outcome>();
    std::this_thread::sleep_for(kLookEvery);
  }
  return std::optional(outcome_of(child.wait()));
}

Status watch(const WatchOptions& options) {
  MASH_ASSIGN(const HeuristicSource source, find_heuristic_source(options.place));
  const StopFlag& stop = stop_on_signals();
  Screen screen(options);
  Snapshot built, before;
  for (std::uint32_t num_done = 0;
       !stop.raised() && (options.num_cycles == 0 || num_done < options.num_cycles);) {
    // A save is over when nothing has changed from one look to the next.
    const Snapshot now = snapshot_of(source);
    const bool is_settled = now == std::exchange(before, now);
    if (now.empty() || now == built || !is_settled) {
      std::this_thread::sleep_for(kLookEvery);
      continue;
    }
    built = now;
    screen.show_start();
    MASH_ASSIGN(const auto outcome, build_apart(options, source, now, stop));
    if (!outcome) continue;
    screen.show_outcome(*outcome);
    ++num_done;
  }
  return Done{};
}

}  // namespace

Subcommand add_heuristic_watch(CLI::App& parent) {
  const auto options = std::make_shared<WatchOptions>();
  CLI::App* app =
      parent.add_subcommand("watch", "Build a heuristic again whenever one of its sources is saved");
  app->add_option("PLACE", options->place, "What to build, as for mash heuristic build")
      ->type_name("DIR|FILE.cpp")
      ->capture_default_str();
  app->add_flag("--test", options->test, "Also run the tests");
  app->add_option("--cycles", options->num_cycles,
                  "End after this many builds; 0: only when Ctrl-C is pressed")
      ->type_name("N")
      ->check(within(0, 1000000))
      ->capture_default_str();
  options->output.add_to(*app);
  app->footer(
      "Example:\n  mash heuristic watch my-edges --test\n"
      "Each build runs in a process of its own. With --json, each is a line with one document.");
  return {app, [options] { return watch(*options); }};
}

}  // namespace mash
