// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <csignal>

#include "server/http/listener.hpp"
#include "server/http/site.hpp"

namespace {

mash::StopFlag& stop_flag() {
  static mash::StopFlag flag;
  return flag;
}
extern "C" void on_signal(int) { stop_flag().raise(); }

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Shows boards and takes submissions, which mash-runner judges", "mash-server");
  mash::server::ListenSettings settings;
  std::string database;
  app.add_option("--db", database, "Database of the server")->required()->type_name("FILE");
  app.add_option("--address", settings.address, "Address to listen on")
      ->type_name("IP")
      ->capture_default_str();
  app.add_option("--port", settings.port, "Port to listen on; 0 takes a free one")
      ->type_name("N")
      ->capture_default_str();
  app.footer("Example:\n  mash-server --db site/mash.db --port 8080");
  CLI11_PARSE(app, argc, argv);
  std::signal(SIGINT, on_signal);
  std::signal(SIGTERM, on_signal);
  auto site = mash::server::Site::open(database);
  mash::Status served = site.ok() ? mash::Status(mash::Done{}) : site.error();
  if (served.ok())
    served = listen(
        settings, [&](const mash::server::Request& request) { return site->answer(request); },
        [&](std::uint16_t port) {
          fmt::print(stderr, "mash-server: http://{}:{}/\n", settings.address, port);
        },
        stop_flag());
  if (served.ok()) return 0;
  fmt::print(stderr, "mash-server: {}\n", served.error().message);
  return served.error().kind == mash::ErrorKind::kInput ? 2 : 1;
}
