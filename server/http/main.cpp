// SPDX-License-Identifier: Apache-2.0
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/resource.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <limits>
#include <map>
#include <string_view>
#include <type_traits>

#include "framework/base/instruction_set.hpp"
#include "framework/base/program_end.hpp"
#include "framework/base/settings.hpp"
#include "framework/commandline/manual.hpp"
#include "framework/commandline/usage.hpp"
#include "framework/commandline/values.hpp"
#include "framework/commandline/version.hpp"
#include "server/http/site.hpp"
#include "server/http/wire/listener.hpp"

namespace {

using mash::server::AnsweredRequest;
using mash::server::Registration;

mash::StopFlag& stop_flag() {
  static mash::StopFlag flag;
  return flag;
}
extern "C" void on_signal(int) { stop_flag().raise(); }

struct Options {
  mash::server::ListenSettings listen;
  mash::server::SiteSettings site;
  std::string database, free_disk = "1G";
  bool logs_requests = false;
};

void add_store_options(CLI::App& app, Options& options) {
  app.add_option("--store", options.site.store, "Folder of the runners [store, beside the database]")
      ->type_name("DIR");
  app.add_option("--free-disk", options.free_disk,
                 "Free space of the store's disk below which no submission is taken, which /healthz tells")
      ->type_name("SIZE")
      ->capture_default_str();
}

void add_options(CLI::App& app, Options& options) {
  auto& listen = options.listen;
  auto& site = options.site;
  app.add_option("--db", options.database, "Database of the server")->required()->type_name("FILE");
  add_store_options(app, options);
  app.add_option("--address", listen.address, "Address to listen on")->type_name("IP")->capture_default_str();
  app.add_option("--port", listen.port, "Port to listen on; 0 takes a free one")
      ->type_name("N")
      ->capture_default_str();
  app.add_option("--threads", listen.num_threads, "Threads that make answers")
      ->type_name("N")
      ->check(mash::within(1, 256))
      ->capture_default_str();
  app.add_option("--public-url", site.public_url, "How others reach it, such as https://mash.example.org")
      ->type_name("URL");
  static const std::map<std::string_view, Registration> kRegistrations = {
      {"closed", Registration::kClosed},
      {"invitation", Registration::kInvitation},
      {"open", Registration::kOpen}};
  constexpr std::string_view kWords[] = {"closed", "invitation", "open"};
  mash::takes_one_of(
      app.add_option_function<std::string>(
          "--registration", [&](const std::string& word) { site.registration = kRegistrations.at(word); },
          "Who may register: nobody, those with an invitation, or everybody [invitation]"),
      kWords);
  const auto number = [&](const char* name, auto& value, const char* text) {
    using Number = std::remove_reference_t<decltype(value)>;
    app.add_option(name, value, text)
        ->type_name("N")
        ->check(mash::within(Number(0), std::numeric_limits<Number>::max()))
        ->capture_default_str();
  };
  number("--quota-seconds", site.quota_seconds,
         "Seconds of the runners' time that a contributor may use within --quota-days");
  number("--quota-days", site.quota_days, "Days in which --quota-seconds may be used");
  number("--most-waiting", site.most_waiting, "Most submissions of one contributor that wait or run");
  number("--most-body-bytes", listen.most_body_bytes, "Largest body of a request, in bytes");
  number("--most-source-bytes", site.most_source_bytes, "Largest source of a submission, in bytes");
  number("--most-connections", listen.most_connections, "Most connections at once");
  number("--most-streams", listen.most_streams, "Most live streams at once");
  number("--most-streams-per-client", listen.most_streams_per_client, "Most live streams to one address");
  number("--requests-per-second", listen.requests_per_second, "Most requests of one address in a second");
  number("--posts-per-minute", listen.posts_per_minute,
         "Most forms and submissions of one address in a minute");
  number("--logins-per-minute", listen.logins_per_minute,
         "Most logins with a password and registrations of one address in a minute");
  number("--read-seconds", listen.read_seconds,
         "Seconds that a client may take to send a request, or to read an answer");
  app.add_flag("--trusted-proxy", listen.trusted_proxy,
               "Believe X-Real-IP: only behind a proxy that sets it");
  app.add_flag("--secure-cookies", site.secure_cookies, "Send cookies over TLS only");
  constexpr std::string_view kLogged[] = {"requests", "errors"};
  mash::takes_one_of(
      app.add_option_function<std::string>(
          "--log", [&](const std::string& what) { options.logs_requests = what == "requests"; },
          "What is logged on stderr, a line of JSON each [errors]"),
      kLogged);
}

// A line of JSON for the journal: who asked for what, and what came of it. Invitations, which are secrets,
// are left out.
void log(const AnsweredRequest& answered) {
  const std::string& whole = answered.request.target;
  const std::string target = whole.starts_with("/register") ? whole.substr(0, whole.find('?')) : whole;
  const mash::server::Json line{{"at", fmt::format("{:%FT%TZ}", fmt::gmtime(std::time(nullptr)))},
                                {"client", answered.request.client},
                                {"user", answered.user},
                                {"method", answered.request.method},
                                {"target", target},
                                {"status", answered.status},
                                {"bytes", answered.num_bytes},
                                {"ms", 1000 * answered.seconds}};
  mash::print_error_text(line.dump(-1, ' ', true, mash::server::Json::error_handler_t::replace) + "\n");
}

mash::Status serve(const Options& options) {
  mash::server::Meters meters;
  MASH_ASSIGN(mash::server::Site site, mash::server::Site::open(options.database, options.site, &meters));
  const mash::server::Service service{
      [&](const mash::server::Request& request) { return site.answer(request); },
      [&](std::int64_t after_id) { return site.news(after_id); },
      [&](const AnsweredRequest& answered) {
        if (options.logs_requests || answered.status >= 500) log(answered);
      }};
  const auto on_ready = [&](std::uint16_t port) {
    mash::print_error_text(fmt::format("mash-server: http://{}:{}/\n", options.listen.address, port));
  };
  return listen(options.listen, service, meters, on_ready, stop_flag());
}

// Each connection is an open file; the usual limit of 1024 is for programs that use select.
void raise_open_files() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &limit);
}

int report(const mash::Error& error) {
  mash::print_error_text(fmt::format("mash-server: {}\n", error.message));
  return error.kind == mash::ErrorKind::kInput ? 2 : 1;
}

int run(int argc, char** argv) {
  mash::outlive_file_limits();
  CLI::App app("Shows boards and takes submissions, which mash-runner judges", "mash-server");
  app.formatter(mash::help_formatter());
  mash::add_version_flag(app);
  Options options;
  add_options(app, options);
  app.footer("Example:\n  mash-server --db site/mash.db --port 8080");
  if (const auto written =
          mash::write_manual_if_asked(app, {8, {&mash::kImplementationVariable, 1}}, argc, argv))
    return written->ok() ? 0 : 1;
  if (const mash::Status chosen = mash::choose_instruction_set_of_environment(); !chosen.ok())
    return report(chosen.error());
  if (const auto code = mash::read_command_line(app, argc, argv)) return *code;
  const auto free_disk = mash::parse_size(options.free_disk);
  if (!free_disk.ok()) return report(free_disk.error().at("--free-disk"));
  options.site.free_disk = *free_disk;
  std::signal(SIGINT, on_signal);
  std::signal(SIGTERM, on_signal);
  raise_open_files();
  std::signal(SIGPIPE, SIG_IGN);
  const mash::Status served = serve(options);
  return served.ok() ? 0 : report(served.error());
}

}  // namespace

int main(int argc, char** argv) {
  return mash::run_guarded("mash-server", mash::version_text, [&] { return run(argc, argv); });
}
