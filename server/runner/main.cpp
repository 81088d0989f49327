// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <string>
#include <tuple>

#include "classifiers/scan/kernels/pass_width.hpp"
#include "framework/base/instruction_set.hpp"
#include "framework/base/program_end.hpp"
#include "framework/commandline/manual.hpp"
#include "framework/commandline/usage.hpp"
#include "framework/commandline/values.hpp"
#include "framework/commandline/version.hpp"
#include "server/runner/queue.hpp"

namespace {

constexpr mash::EnvironmentVariable kEnvironment[] = {mash::kImplementationVariable,
                                                      mash::kPassWidthVariable};

mash::StopFlag& stop_flag() {
  static mash::StopFlag flag;
  return flag;
}
extern "C" void on_signal(int) { stop_flag().raise(); }

int refuse(const std::string& why) {
  mash::print_error_text(fmt::format("mash-runner: {}\n", why));
  return 2;
}

// A line each on stderr, for the journal.
class Log : public mash::Remarks {
 public:
  void warn(std::string_view text) override { line("warning: ", text); }
  void tell(std::string_view text) override { line("", text); }

 private:
  // One call, so that lines of threads stay apart.
  static void line(std::string_view kind, std::string_view text) {
    std::string whole = fmt::format("mash-runner: {}{}", kind, text);
    std::replace_if(
        whole.begin(), whole.end(), [](char c) { return std::iscntrl(static_cast<unsigned char>(c)); }, ' ');
    mash::print_error_text(whole + "\n");
  }
};

// Limits that are given as sizes.
struct SizeLimits {
  std::string family = "2G", source = "4M", free_disk = "1G";

  void add_to(CLI::App& app) {
    const auto add = [&](const char* name, std::string& size, const char* text) {
      app.add_option(name, size, text)->type_name("SIZE")->capture_default_str();
    };
    add("--family-limit", family,
        "Space that the features of one submission may take on disk while they are computed; one that "
        "would take more is rejected");
    add("--source-limit", source, "Size of the largest source that is compiled");
    add("--free-disk", free_disk, "Free space of the store's disk below which no submission is taken");
  }
  // Errors (kInput): one is no size.
  mash::Status read(mash::server::QueueSettings& settings) const {
    for (const auto& [name, text, limit] :
         {std::tuple("--family-limit", &family, &settings.places.family_limit),
          std::tuple("--source-limit", &source, &settings.places.source_limit),
          std::tuple("--free-disk", &free_disk, &settings.free_disk)}) {
      const auto size = mash::parse_size(*text);
      if (!size.ok()) return size.error().at(name);
      *limit = *size;
    }
    return mash::Done{};
  }
};

int run(int argc, char** argv) {
  mash::outlive_file_limits();
  CLI::App app("Judges what was submitted to a server: compiles, checks and offers it, all in boxes",
               "mash-runner");
  app.formatter(mash::help_formatter());
  mash::add_version_flag(app);
  mash::server::QueueSettings settings;
  int num_threads = 0;
  app.add_option("--db", settings.places.database, "Database of the server")->required()->type_name("FILE");
  app.add_option("--store", settings.places.store, "Folder for features and trainings")
      ->required()
      ->type_name("DIR");
  app.add_option("--heuristics", settings.places.heuristics,
                 "Folder of plugins, or a plugin file, that boards may name (may be repeated)")
      ->type_name("PATH")
      ->allow_extra_args(false);
  SizeLimits limits;
  limits.add_to(app);
  app.add_option("--threads", num_threads, "Threads; 0 for one per core [0]")
      ->type_name("N")
      ->check(mash::within(0, 1024));
  app.add_option("--lease", settings.lease_seconds,
                 "Seconds without a sign of life after which another runner takes over its submission")
      ->type_name("S")
      ->check(mash::within(1.0, 86400.0))
      ->capture_default_str();
  app.add_option(
         "--patience", settings.patience_seconds,
         "Seconds after which a submission fails; where its own code was running, its contributor is told so")
      ->type_name("S")
      ->check(mash::within(1.0, 1e6))
      ->capture_default_str();
  app.add_option(
         "--most-seeds", settings.most_seeds,
         "While nothing waits, measure the entries of boards whose ranks are least certain with twice as "
         "many seeds, up to N, what all heuristics of a contributor add together, and what each entry adds "
         "beside all others; 0: never")
      ->type_name("N")
      ->check(mash::within(0, int(mash::kMostBoardSeeds)))
      ->capture_default_str();
  app.add_flag("--until-empty", settings.ends_when_empty, "End when nothing waits");
  app.footer("Example:\n  mash-runner --db site/mash.db --store site/store");
  if (const auto written = mash::write_manual_if_asked(app, {8, kEnvironment}, argc, argv))
    return written->ok() ? 0 : 1;
  if (const mash::Status chosen = mash::choose_instruction_set_of_environment(); !chosen.ok())
    return refuse(chosen.error().message);
  if (const mash::Status chosen = mash::choose_pass_width_of_environment(); !chosen.ok())
    return refuse(chosen.error().message);
  if (const auto code = mash::read_command_line(app, argc, argv)) return *code;
  if (const mash::Status read = limits.read(settings); !read.ok()) return refuse(read.error().message);
  std::signal(SIGINT, on_signal);
  std::signal(SIGTERM, on_signal);
  const mash::Workers workers(num_threads);
  Log log;
  const mash::Status ran = run_queue(settings, {workers, mash::no_progress(), log, stop_flag()});
  if (ran.ok()) return 0;
  log.warn(ran.error().message);
  return ran.error().kind == mash::ErrorKind::kInput ? 2 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  return mash::run_guarded("mash-runner", mash::version_text, [&] { return run(argc, argv); });
}
