// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "framework/base/result.hpp"
#include "framework/base/store_room.hpp"
#include "framework/records/boards.hpp"
#include "framework/records/site/copies.hpp"
#include "framework/records/submissions.hpp"

namespace mash {

// Terms of a board as people write them. Nothing: they stay as they are; empty: there are none.
struct TermsChange {
  std::optional<std::string> title = {}, notice = {}, contact = {};
  std::optional<std::string> opens = {}, closes = {};  // as parse_moment takes them
  std::optional<std::int64_t> attempts_a_day = {};     // 0: any number
  std::optional<std::string> points = {};              // as PointScale::of_text takes them
  bool operator==(const TermsChange&) const = default;
};
inline constexpr std::int64_t kMostAttemptsADay = 1000;

// Settings of a board.
struct SiteBoard {
  std::string name = {};        // empty: that of the experiment
  std::string experiment = {};  // a file, or the name of one that comes with the program
  // Nothing: as it was; of a new board kUsualBoardSeeds and kPlaceboStep.
  std::optional<std::size_t> num_seeds = {};
  std::optional<double> ladder_step = {};  // per cent of the log-loss
  std::string where = {};                  // in the settings file; for errors
  TermsChange terms = {};
  std::optional<CopiesRule> copies = {};  // nothing: as it was; of a new board kMark
};

// A server in one folder: its database, and the features and trainings of its runners.
struct ServeSettings {
  std::filesystem::path folder = "mash-site";
  std::string registration = "invitation";   // or "closed", "open"
  std::vector<SiteBoard> boards = {};        // empty: "demo", where the folder has no board
  std::vector<std::string> heuristics = {};  // plugins and folders of plugins that boards may name
  std::string log = "errors";                // or "requests"

  // Addresses by which it is reached.
  struct Reach {
    std::string address = "127.0.0.1";
    std::uint16_t port = 8080;
    std::string public_url = {};              // without a slash at its end; empty: made of what a client asks
    bool trusts_proxy = false;                // X-Real-IP says who the client is
    std::optional<bool> secure_cookies = {};  // nothing: where public_url begins with https
  } reach = {};

  struct Runners {
    int count = 1;
    int num_threads = 0;  // of each; 0: one per core
    int niceness = 10;
  } runners = {};

  struct Quota {
    double seconds = 3600;  // runners' time for each contributor in `days` days
    int days = 1;
    int num_waiting = 10;  // submissions that are not final
  } quota = {};

  struct Limits {
    std::uint64_t body_bytes = std::uint64_t(8) << 20;
    std::uint64_t source_bytes = kUsualSourceBytes;  // of a submission
    int num_connections = 2000, num_streams = 1000, num_streams_per_client = 250;
    double requests_per_second = 400, posts_per_minute = 60, logins_per_minute = 30;  // of one address
    std::uint64_t family_bytes = std::uint64_t(2)
                                 << 30;              // of a submission's features while they are computed
    std::uint64_t free_disk_bytes = kUsualFreeDisk;  // below which no submission is judged
    double read_seconds = 20;                        // to receive a request, and to send an answer
  } limits = {};
};

inline constexpr int kMaxRunners = 64, kMaxThreads = 1024;
inline constexpr std::size_t kMinBoardSeeds = 4, kUsualBoardSeeds = 16, kMaxBoardSeeds = 128;
inline constexpr double kMaxLadderStep = 100;

// Reads a settings file (docs/operations.md). Relative paths in it begin at the folder of the file. Errors
// (kInput), with file and line: there is no such file, it is not YAML, a key is unknown or repeated, or a
// value is of another type or outside of its range.
Result<ServeSettings> read_server_settings(const std::filesystem::path& path);
Result<ServeSettings> parse_server_settings(const std::string& text, const std::filesystem::path& path);

// Errors (kInput): it is not "http://..." or "https://...", or it ends in a slash.
Status check_public_url(std::string_view url);

// The options with which mash-server and mash-runner are started.
std::vector<std::string> server_options(const ServeSettings& settings);
std::vector<std::string> runner_options(const ServeSettings& settings);

std::filesystem::path database_in(const std::filesystem::path& folder);
std::filesystem::path store_in(const std::filesystem::path& folder);

}  // namespace mash
