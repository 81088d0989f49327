// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/site/settings.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "framework/base/file.hpp"
#include "tests/support/places.hpp"

namespace mash {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
namespace fs = std::filesystem;

constexpr const char* kAll = R"yaml(folder: site
address: 0.0.0.0
port: 8081
public_url: https://mash.example.org
registration: open
boards:
  - {name: digits, experiment: demo, seeds: 8, ladder_step: 0.5}
  - experiment: ./boards/mnist.yaml
heuristics: [plugins, /usr/lib/mash]
runners: 3
threads: 2
runner_niceness: 19
quota: {seconds: 60.5, days: 7, waiting: 3}
limits: {source: 32K, body: 64K, connections: 50, streams: 20, streams_per_client: 5, requests_per_second: 2.5,
         posts_per_minute: 6, logins_per_minute: 5, read_seconds: 4, features: 500M, free_disk: 3G}
trusted_proxy: true
secure_cookies: false
log: requests
)yaml";

ServeSettings read(const std::string& text) {
  const auto settings = parse_server_settings(text, "/etc/mash/server.yaml");
  EXPECT_TRUE(settings.ok()) << (settings.ok() ? "" : settings.error().message);
  return settings.ok() ? *settings : ServeSettings();
}

// The message on a text that is refused as input; "" where it is not.
std::string settings_refusal(const std::string& text) {
  const auto settings = parse_server_settings(text, "s.yaml");
  return settings.ok() || settings.error().kind != ErrorKind::kInput ? "" : settings.error().message;
}

// The values after one option.
std::vector<std::string> values_of(const std::vector<std::string>& options, const std::string& name) {
  std::vector<std::string> values;
  for (std::size_t i = 0; i + 1 < options.size(); ++i)
    if (options[i] == name) values.push_back(options[i + 1]);
  return values;
}

bool has(const std::vector<std::string>& options, const std::string& name) {
  return std::ranges::find(options, name) != options.end();
}

TEST(ServerSettings, ReadsEveryKey) {
  const ServeSettings settings = read(kAll);
  EXPECT_EQ(settings.folder, "/etc/mash/site");
  EXPECT_EQ(settings.reach.address, "0.0.0.0");
  EXPECT_EQ(settings.reach.port, 8081);
  EXPECT_EQ(settings.reach.public_url, "https://mash.example.org");
  EXPECT_EQ(settings.registration, "open");
  ASSERT_EQ(settings.boards.size(), 2u);
  EXPECT_EQ(settings.boards[0].name, "digits");
  EXPECT_EQ(settings.boards[0].experiment, "demo");
  EXPECT_EQ(settings.boards[0].num_seeds, 8u);
  EXPECT_EQ(settings.boards[0].ladder_step, 0.5);
  EXPECT_EQ(settings.boards[0].where, "/etc/mash/server.yaml:7:5");
  EXPECT_EQ(settings.boards[1].name, "");
  EXPECT_EQ(settings.boards[1].experiment, "/etc/mash/boards/mnist.yaml");
  EXPECT_FALSE(settings.boards[1].num_seeds) << "as it was";
  EXPECT_FALSE(settings.boards[1].ladder_step);
  EXPECT_THAT(settings.heuristics, ElementsAre("/etc/mash/plugins", "/usr/lib/mash"));
  EXPECT_EQ(settings.runners.count, 3);
  EXPECT_EQ(settings.runners.num_threads, 2);
  EXPECT_EQ(settings.runners.niceness, 19);
  EXPECT_EQ(settings.quota.seconds, 60.5);
  EXPECT_EQ(settings.quota.days, 7);
  EXPECT_EQ(settings.quota.num_waiting, 3);
  EXPECT_EQ(settings.limits.body_bytes, 65536u);
  EXPECT_EQ(settings.limits.source_bytes, 32768u);
  EXPECT_EQ(settings.limits.num_connections, 50);
  EXPECT_EQ(settings.limits.num_streams, 20);
  EXPECT_EQ(settings.limits.num_streams_per_client, 5);
  EXPECT_EQ(settings.limits.requests_per_second, 2.5);
  EXPECT_EQ(settings.limits.posts_per_minute, 6);
  EXPECT_EQ(settings.limits.logins_per_minute, 5);
  EXPECT_EQ(settings.limits.read_seconds, 4);
  EXPECT_EQ(settings.limits.family_bytes, 500u << 20);
  EXPECT_EQ(settings.limits.free_disk_bytes, std::uint64_t(3) << 30);
  EXPECT_TRUE(settings.reach.trusts_proxy);
  EXPECT_EQ(settings.reach.secure_cookies, false);
  EXPECT_EQ(settings.log, "requests");
}

TEST(ServerSettings, BecomeTheOptionsOfTheTwoPrograms) {
  const ServeSettings settings = read(kAll);
  EXPECT_THAT(
      server_options(settings),
      ElementsAre("--db", "/etc/mash/site/mash.db", "--store", "/etc/mash/site/store", "--free-disk",
                  "3221225472", "--address", "0.0.0.0", "--port", "8081", "--registration", "open",
                  "--quota-seconds", "60.5", "--quota-days", "7", "--most-waiting", "3", "--most-body-bytes",
                  "65536", "--most-source-bytes", "32768", "--most-connections", "50", "--most-streams", "20",
                  "--most-streams-per-client", "5", "--requests-per-second", "2.5", "--posts-per-minute", "6",
                  "--logins-per-minute", "5", "--read-seconds", "4", "--log", "requests", "--public-url",
                  "https://mash.example.org", "--trusted-proxy"));
  EXPECT_THAT(
      runner_options(settings),
      ElementsAre("--db", "/etc/mash/site/mash.db", "--store", "/etc/mash/site/store", "--threads", "2",
                  "--family-limit", "524288000", "--source-limit", "32768", "--free-disk", "3221225472",
                  "--heuristics", "/etc/mash/plugins", "--heuristics", "/usr/lib/mash"));
}

TEST(ServerSettings, CookiesAreForTlsWhereThePublicAddressIs) {
  EXPECT_TRUE(has(server_options(read("public_url: https://a.example")), "--secure-cookies"));
  EXPECT_FALSE(has(server_options(read("public_url: http://a.example")), "--secure-cookies"));
  EXPECT_TRUE(has(server_options(read("secure_cookies: true")), "--secure-cookies"));
  EXPECT_FALSE(has(server_options(read("")), "--secure-cookies"));
  EXPECT_FALSE(has(server_options(read("")), "--trusted-proxy"));
}

TEST(ServerSettings, AnEmptyFileIsTheDefaults) {
  const ServeSettings settings = read("# nothing\n");
  EXPECT_EQ(settings.folder, "mash-site");
  EXPECT_EQ(settings.reach.port, 8080);
  EXPECT_THAT(settings.boards, IsEmpty());
  EXPECT_EQ(values_of(server_options(settings), "--db")[0],
            (fs::current_path() / "mash-site/mash.db").string());
}

TEST(ServerSettings, UnknownAndRepeatedKeysNameTheirLineAndTheKnownOnes) {
  EXPECT_EQ(settings_refusal("port: 1\nprot: 2\n"),
            "s.yaml:2:1: settings: unknown key 'prot'; did you mean 'port'? known: folder, address, port, "
            "public_url, registration, "
            "boards, heuristics, runners, threads, runner_niceness, quota, limits, trusted_proxy, "
            "secure_cookies, log");
  EXPECT_EQ(settings_refusal("quota:\n  days: 1\n  hours: 2\n"),
            "s.yaml:3:3: quota: unknown key 'hours'; known: seconds, days, waiting");
  EXPECT_THAT(settings_refusal("limits: {\nbody: 1M,\nspeed: 2}\n"),
              HasSubstr("s.yaml:3:1: limits: unknown key 'speed'"));
  EXPECT_EQ(settings_refusal("boards:\n- experiment: demo\n  seed: 4\n"),
            "s.yaml:3:3: boards: unknown key 'seed'; did you mean 'seeds'? known: name, experiment, seeds, "
            "ladder_step, title, notice, contact, opens, closes, attempts_a_day, points, copies");
  EXPECT_EQ(settings_refusal("boards:\n- experiment: demo\n  ladder_step: some\n"),
            "s.yaml:3:3: ladder_step: found 'some', expected a number from 0 to 100, or placebo");
  EXPECT_EQ(settings_refusal("port: 1\nport: 2\n"), "s.yaml:2:1: settings: key 'port' is listed twice");
}

TEST(ServerSettings, ValuesOfAnotherTypeOrRangeNameTheirLineAndWhatWasExpected) {
  EXPECT_EQ(settings_refusal("\nport: high\n"),
            "s.yaml:2:1: port: found 'high', expected a whole number from 0 to 65535");
  EXPECT_THAT(settings_refusal("port: 65536\n"), HasSubstr("s.yaml:1:1: port: found '65536'"));
  EXPECT_THAT(settings_refusal("runners: 0\n"), HasSubstr("expected a whole number from 1 to 64"));
  EXPECT_THAT(settings_refusal("runner_niceness: -1\n"), HasSubstr("expected a whole number from 0 to 19"));
  EXPECT_EQ(settings_refusal("registration: all\n"),
            "s.yaml:1:1: registration: found 'all', expected one of closed, invitation, open");
  EXPECT_EQ(settings_refusal("log: all\n"), "s.yaml:1:1: log: found 'all', expected one of requests, errors");
  EXPECT_EQ(settings_refusal("trusted_proxy: yes\n"),
            "s.yaml:1:1: trusted_proxy: found 'yes', expected true or false");
  EXPECT_EQ(settings_refusal("limits: {body: 2 MB}\n"),
            "s.yaml:1:10: body: found '2 MB', expected a size such as 512M or 4G");
  EXPECT_EQ(settings_refusal("limits: {body: 10}\n"),
            "s.yaml:1:10: body: found '10', expected a size from 1K to 1G");
  EXPECT_THAT(settings_refusal("quota: {seconds: nan}\n"), HasSubstr("expected a number from 0"));
  EXPECT_EQ(settings_refusal("folder:\n"), "s.yaml:1:1: folder: found nothing, expected a value");
  EXPECT_THAT(settings_refusal("folder: ''\n"),
              HasSubstr("s.yaml:1:1: folder: found nothing, expected a path"));
  EXPECT_EQ(settings_refusal("port: [1]\n"), "s.yaml:1:1: port: found a list, expected a value");
  EXPECT_EQ(settings_refusal("quota: 5\n"), "s.yaml:1:8: quota: found a value, expected a mapping");
  EXPECT_EQ(settings_refusal("- a\n"), "s.yaml:1:1: settings: found a list, expected a mapping");
  EXPECT_THAT(settings_refusal("heuristics: plugins\n"), HasSubstr("s.yaml:1:13: heuristics: found a value"));
}

TEST(ServerSettings, BoardsAreAListOfExperimentsWithNamesOfTheirOwn) {
  EXPECT_THAT(settings_refusal("boards: demo\n"),
              HasSubstr("s.yaml:1:9: boards: found a value, expected a list"));
  EXPECT_EQ(settings_refusal("boards:\n- name: a\n"),
            "s.yaml:2:3: boards: found no 'experiment', expected one");
  EXPECT_EQ(settings_refusal("boards:\n- {name: a, experiment: demo}\n- {name: a, experiment: demo}\n"),
            "s.yaml:3:3: boards: 'a' is listed twice");
  EXPECT_THAT(settings_refusal("boards: [{experiment: demo, seeds: 3}]\n"),
              HasSubstr("expected a whole number from 4 to 128"));
}

TEST(ServerSettings, TheFileChangesTheTermsThatItNames) {
  const ServeSettings settings = read(R"yaml(boards:
- experiment: demo
  name: digits
  title: "Holes: winter"
  notice: Hand in by the 15th.
  contact: ada@example.org
  opens: 2026-12-01 08:00 +01:00
  closes: 2026-12-15T23:59:59+01:00
  attempts_a_day: 3
  points: 0=1, 2=3
- experiment: demo
)yaml");
  ASSERT_EQ(settings.boards.size(), 2u);
  EXPECT_EQ(settings.boards[0].terms,
            (TermsChange{"Holes: winter", "Hand in by the 15th.", "ada@example.org",
                         "2026-12-01 08:00 +01:00", "2026-12-15T23:59:59+01:00", 3, "0=1, 2=3"}));
  EXPECT_EQ(settings.boards[1].terms, TermsChange{}) << "as they were";
  EXPECT_EQ(read("boards: [{experiment: demo, closes: ''}]\n").boards[0].terms, TermsChange{.closes = ""});
}

TEST(ServerSettings, TermsThatAreNoneAreRefusedWithTheirLine) {
  const auto refusal = [](const std::string& key) {
    return settings_refusal("boards:\n- experiment: demo\n  " + key + "\n");
  };
  EXPECT_EQ(
      refusal("opens: 2026-12-01 08:00"),
      "s.yaml:3:3: boards: opens: found '2026-12-01 08:00', expected a date and time with its zone, such "
      "as 2026-12-01T08:00+01:00 or 2026-12-01T07:00Z");
  EXPECT_THAT(refusal("attempts_a_day: -1"), HasSubstr("expected a whole number from 0 to 1000"));
  EXPECT_THAT(refusal("points: many"),
              HasSubstr("s.yaml:3:3: boards: points: found 'many', expected the gain"));
  EXPECT_THAT(refusal("closes: 2026-12-01T08:00Z\n  title: a\n  opens: 2026-12-02T08:00Z"),
              HasSubstr("s.yaml:3:3: boards: closes: found 2026-12-01 08:00 UTC, expected a time after"));
  EXPECT_THAT(refusal("title: " + std::string(101, 'a')),
              HasSubstr("title: found 101 bytes, expected at most 100"));
  EXPECT_THAT(refusal("title: [a]"), HasSubstr("title: found a list, expected a value"));
}

TEST(ServerSettings, ThePublicAddressIsOneToMakeLinksOf) {
  for (const char* url : {"mash.example.org", "https://", "https://a.example/", "ftp://a.example",
                          "https://a.example/?b", "https://a\\\"b"})
    EXPECT_THAT(settings_refusal(fmt::format("public_url: \"{}\"\n", url)),
                HasSubstr("s.yaml:1:1: public_url: found"))
        << url;
  EXPECT_EQ(read("public_url: https://a.example/mash").reach.public_url, "https://a.example/mash");
}

TEST(ServerSettings, TheExampleForOperatorsHoldsWhatItSays) {
  const fs::path path = fs::path(testing::source_folder()) / "server/deploy/server.yaml";
  const auto example = read_server_settings(path);
  ASSERT_TRUE(example.ok()) << example.error().message;
  // All keys are there, and those that it does not speak of otherwise have their defaults.
  ServeSettings defaults;
  EXPECT_EQ(example->folder, "/var/lib/mash");
  ASSERT_EQ(example->boards.size(), 1u);
  EXPECT_TRUE(example->reach.trusts_proxy);
  defaults.folder = example->folder;
  defaults.reach.public_url = "https://mash.example.org";
  defaults.reach.trusts_proxy = true;
  EXPECT_EQ(server_options(*example), server_options(defaults));
  EXPECT_EQ(runner_options(*example), runner_options(defaults));
  EXPECT_EQ(example->runners.count, defaults.runners.count);
  EXPECT_EQ(example->runners.niceness, defaults.runners.niceness);
  EXPECT_EQ(example->boards[0].num_seeds, kUsualBoardSeeds);
  EXPECT_EQ(example->boards[0].ladder_step, 0) << "of pictures that everybody can have";
  EXPECT_EQ(example->boards[0].terms, TermsChange{}) << "a restart changes nothing";
  EXPECT_FALSE(example->boards[0].copies);
  const std::string text = *read_file(path);
  for (const char* key : {"folder",
                          "address",
                          "port",
                          "public_url",
                          "registration",
                          "boards",
                          "    # title",
                          "    # notice",
                          "    # contact",
                          "    # opens",
                          "    # closes",
                          "    # attempts_a_day",
                          "    # points",
                          "    # copies",
                          "heuristics",
                          "runners",
                          "threads",
                          "runner_niceness",
                          "quota",
                          "limits",
                          "trusted_proxy",
                          "secure_cookies",
                          "log",
                          "  seconds",
                          "  days",
                          "  waiting",
                          "  body",
                          "  connections",
                          "  streams",
                          "  streams_per_client",
                          "  requests_per_second",
                          "  posts_per_minute",
                          "  logins_per_minute",
                          "  read_seconds",
                          "  features",
                          "  free_disk"})
    EXPECT_THAT(text, HasSubstr(fmt::format("\n{}:", key))) << key;
}

TEST(ServerSettings, AFileThatIsNotThereIsNamed) {
  const auto settings = read_server_settings("/nowhere/server.yaml");
  ASSERT_FALSE(settings.ok());
  EXPECT_EQ(settings.error().kind, ErrorKind::kInput);
  EXPECT_THAT(settings.error().message, HasSubstr("/nowhere/server.yaml"));
}

}  // namespace
}  // namespace mash
