// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/site/settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <initializer_list>
#include <map>
#include <span>

#include "framework/base/file.hpp"
#include "framework/operations/experiment/yaml_document.hpp"
#include "framework/operations/site/terms.hpp"

namespace mash {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 15> kKeys{
    "folder", "address",    "port",          "public_url",     "registration",
    "boards", "heuristics", "runners",       "threads",        "runner_niceness",
    "quota",  "limits",     "trusted_proxy", "secure_cookies", "log"};
constexpr std::array<std::string_view, 12> kBoardKeys{"name",   "experiment",     "seeds",   "ladder_step",
                                                      "title",  "notice",         "contact", "opens",
                                                      "closes", "attempts_a_day", "points",  "copies"};
constexpr std::array<std::string_view, 3> kQuotaKeys{"seconds", "days", "waiting"};
constexpr std::array<std::string_view, 11> kLimitKeys{"body",
                                                      "source",
                                                      "connections",
                                                      "streams",
                                                      "streams_per_client",
                                                      "requests_per_second",
                                                      "posts_per_minute",
                                                      "logins_per_minute",
                                                      "read_seconds",
                                                      "features",
                                                      "free_disk"};
constexpr std::array<std::string_view, 3> kRegistrations{"closed", "invitation", "open"};
constexpr std::array<std::string_view, 2> kLogs{"requests", "errors"};

std::string_view kind_of(const YAML::Node& node) {
  if (node.IsMap()) return "a mapping";
  if (node.IsSequence()) return "a list";
  return node.IsNull() ? "nothing" : "a value";
}

// A mapping: its values, and the nodes of the keys that hold more than one value.
struct Mapping {
  Settings values;
  std::map<std::string, YAML::Node> others;
};

// what: names the mapping in errors, "quota". nested: keys that hold lists or mappings.
Result<Mapping> read_mapping(const YAML::Node& node, const YamlSource& source, std::string_view what,
                             std::span<const std::string_view> known,
                             std::initializer_list<std::string_view> nested = {}) {
  if (!node.IsMap())
    return input_error("{}: {}: found {}, expected a mapping", source.place(node.Mark()), what,
                       kind_of(node));
  Mapping mapping;
  for (const auto& pair : node) {
    const std::string key = pair.first.IsScalar() ? pair.first.Scalar() : "";
    const std::string where = source.place(pair.first.Mark());
    if (std::find(known.begin(), known.end(), key) == known.end())
      return unknown_name("key", key, known).at(fmt::format("{}: {}", where, what));
    if (mapping.values.has(key) || mapping.others.contains(key))
      return input_error("{}: {}: key '{}' is listed twice", where, what, key);
    if (std::find(nested.begin(), nested.end(), key) != nested.end()) {
      mapping.others.emplace(key, pair.second);
    } else if (!pair.second.IsScalar()) {
      return input_error("{}: {}: found {}, expected a value", where, key, kind_of(pair.second));
    } else {
      mapping.values.add(key, pair.second.Scalar(), where);
    }
  }
  return mapping;
}

// A number into a field of any whole type.
template <class Number>
Status read_whole(Settings& values, std::string_view key, std::int64_t low, std::int64_t high,
                  Number& number) {
  MASH_ASSIGN(const std::int64_t value, values.integer(key, std::int64_t(number), low, high));
  number = Number(value);
  return Done{};
}

Status read_real(Settings& values, std::string_view key, double low, double high, double& number) {
  MASH_ASSIGN(number, values.real(key, number, low, high));
  return Done{};
}

// A path as the settings file means it.
std::string path_beside(const fs::path& file, const std::string& text) {
  return (file.parent_path() / text).lexically_normal().string();
}

// A file's path; the name of an experiment that comes with the program stays as it is.
std::string experiment_beside(const fs::path& file, const std::string& text) {
  const fs::path path(text);
  const bool is_file = path.has_extension() || path.has_parent_path();
  return is_file ? path_beside(file, text) : text;
}

Status read_quota(const YAML::Node& node, const YamlSource& source, ServeSettings::Quota& quota) {
  MASH_ASSIGN(Mapping mapping, read_mapping(node, source, "quota", kQuotaKeys));
  MASH_TRY(read_real(mapping.values, "seconds", 0, 1e9, quota.seconds));
  MASH_TRY(read_whole(mapping.values, "days", 1, 366, quota.days));
  return read_whole(mapping.values, "waiting", 1, 100'000, quota.num_waiting);
}

// range: in words.
Status read_size(Settings& values, const std::string& key, std::uint64_t least, std::uint64_t most,
                 std::string_view range, std::uint64_t& bytes) {
  const auto text = values.peek(key);
  if (!text) return Done{};
  const auto size = parse_size(*text);
  if (!size.ok()) return size.error().at(values.where(key) + ": " + key);
  if (*size < least || *size > most)
    return input_error("{}: {}: found '{}', expected a size from {}", values.where(key), key, *text, range);
  bytes = *size;
  return Done{};
}

Status read_limits(const YAML::Node& node, const YamlSource& source, ServeSettings::Limits& limits) {
  MASH_ASSIGN(Mapping mapping, read_mapping(node, source, "limits", kLimitKeys));
  Settings& values = mapping.values;
  MASH_TRY(read_size(values, "source", 1 << 10, kMostSourceBytes, "1K to 64M", limits.source_bytes));
  // As text of JSON a source takes more than its bytes, and less than twice as many.
  limits.body_bytes = std::max(limits.body_bytes, 2 * limits.source_bytes);
  MASH_TRY(read_size(values, "body", 1 << 10, 1 << 30, "1K to 1G", limits.body_bytes));
  MASH_TRY(read_size(values, "features", 1 << 20, std::uint64_t(1) << 40, "1M to 1T", limits.family_bytes));
  MASH_TRY(read_size(values, "free_disk", 0, std::uint64_t(1) << 40, "0 to 1T", limits.free_disk_bytes));
  MASH_TRY(read_whole(values, "connections", 1, 1'000'000, limits.num_connections));
  MASH_TRY(read_whole(values, "streams", 0, 1'000'000, limits.num_streams));
  MASH_TRY(read_whole(values, "streams_per_client", 0, 1'000'000, limits.num_streams_per_client));
  MASH_TRY(read_real(values, "requests_per_second", 0.1, 1e6, limits.requests_per_second));
  MASH_TRY(read_real(values, "posts_per_minute", 0.1, 1e6, limits.posts_per_minute));
  MASH_TRY(read_real(values, "logins_per_minute", 0.1, 1e6, limits.logins_per_minute));
  return read_real(values, "read_seconds", 1, 3600, limits.read_seconds);
}

// Terms that the file leaves out stay as they were.
Status read_terms(Settings& values, TermsChange& terms) {
  for (const auto& [key, text] : {std::pair("title", &terms.title), std::pair("notice", &terms.notice),
                                  std::pair("contact", &terms.contact), std::pair("opens", &terms.opens),
                                  std::pair("closes", &terms.closes), std::pair("points", &terms.points)}) {
    if (!values.has(key)) continue;
    MASH_ASSIGN(*text, values.text(key, ""));
    // Two times that do not fit are an error of `closes`.
    if (const auto changed = changed_terms({}, terms); !changed.ok())
      return changed.error().at(values.where(key) + ": boards");
  }
  if (!values.has("attempts_a_day")) return Done{};
  MASH_ASSIGN(terms.attempts_a_day, values.integer("attempts_a_day", 0, 0, kMostAttemptsADay));
  return Done{};
}

Status read_ladder_step(Settings& values, double& step) {
  MASH_ASSIGN(const std::string text, values.text("ladder_step", ""));
  if (text == kPlaceboWord) return Done{};
  const Status read = read_real(values, "ladder_step", 0, kMaxLadderStep, step);
  if (!read.ok()) return input_error("{}, or {}", read.error().message, kPlaceboWord);
  return Done{};
}

Result<SiteBoard> read_board(const YAML::Node& node, const YamlSource& source) {
  MASH_ASSIGN(Mapping mapping, read_mapping(node, source, "boards", kBoardKeys));
  Settings& values = mapping.values;
  SiteBoard board;
  board.where = source.place(node.Mark());
  MASH_ASSIGN(board.name, values.text("name", ""));
  MASH_ASSIGN(board.experiment, values.text("experiment", ""));
  if (board.experiment.empty())
    return input_error("{}: boards: found no 'experiment', expected one", board.where);
  board.experiment = experiment_beside(source.name, board.experiment);
  if (values.has("seeds")) {
    MASH_TRY(read_whole(values, "seeds", std::int64_t(kMinBoardSeeds), std::int64_t(kMaxBoardSeeds),
                        board.num_seeds.emplace()));
  }
  if (values.has("ladder_step")) MASH_TRY(read_ladder_step(values, board.ladder_step.emplace(kPlaceboStep)));
  MASH_TRY(read_terms(values, board.terms));
  if (values.has("copies")) {
    MASH_ASSIGN(const std::string rule, values.text("copies", ""));
    const auto copies = parse_copies_rule(rule);
    if (!copies.ok()) return copies.error().at(values.where("copies"));
    board.copies = *copies;
  }
  return board;
}

Status read_boards(const YAML::Node& node, const YamlSource& source, ServeSettings& settings) {
  if (!node.IsSequence())
    return input_error("{}: boards: found {}, expected a list such as [{{name: digits, experiment: demo}}]",
                       source.place(node.Mark()), kind_of(node));
  for (const auto& item : node) {
    MASH_ASSIGN(SiteBoard board, read_board(item, source));
    if (std::ranges::any_of(settings.boards, [&](const SiteBoard& other) {
          return !board.name.empty() && other.name == board.name;
        }))
      return input_error("{}: boards: '{}' is listed twice", board.where, board.name);
    settings.boards.push_back(std::move(board));
  }
  return Done{};
}

Status read_heuristics(const YAML::Node& node, const YamlSource& source, ServeSettings& settings) {
  if (!node.IsSequence())
    return input_error("{}: heuristics: found {}, expected a list of plugins and folders of plugins",
                       source.place(node.Mark()), kind_of(node));
  for (const auto& item : node) {
    if (!item.IsScalar() || item.Scalar().empty())
      return input_error("{}: heuristics: found {} in the list, expected a path", source.place(item.Mark()),
                         item.IsScalar() ? "an empty value" : kind_of(item));
    settings.heuristics.push_back(path_beside(source.name, item.Scalar()));
  }
  return Done{};
}

Status read_address(Settings& values, const YamlSource& source, ServeSettings& settings) {
  if (values.has("folder")) {
    MASH_ASSIGN(const std::string folder, values.text("folder", ""));
    if (folder.empty())
      return input_error("{}: folder: found nothing, expected a path", values.where("folder"));
    settings.folder = path_beside(source.name, folder);
  }
  MASH_ASSIGN(settings.reach.address, values.text("address", settings.reach.address));
  if (settings.reach.address.empty())
    return input_error("{}: address: found nothing, expected an IP address", values.where("address"));
  MASH_TRY(read_whole(values, "port", 0, 65535, settings.reach.port));
  MASH_ASSIGN(settings.reach.public_url, values.text("public_url", ""));
  if (const Status url = check_public_url(settings.reach.public_url); !url.ok())
    return url.error().at(values.where("public_url"));
  return Done{};
}

Status read_root(Mapping& root, const YamlSource& source, ServeSettings& settings) {
  Settings& values = root.values;
  MASH_TRY(read_address(values, source, settings));
  MASH_ASSIGN(settings.registration, values.choice("registration", settings.registration, kRegistrations));
  MASH_TRY(read_whole(values, "runners", 1, kMaxRunners, settings.runners.count));
  MASH_TRY(read_whole(values, "threads", 0, kMaxThreads, settings.runners.num_threads));
  MASH_TRY(read_whole(values, "runner_niceness", 0, 19, settings.runners.niceness));
  MASH_ASSIGN(settings.reach.trusts_proxy, values.boolean("trusted_proxy", settings.reach.trusts_proxy));
  if (values.has("secure_cookies")) {
    MASH_ASSIGN(settings.reach.secure_cookies, values.boolean("secure_cookies", false));
  }
  MASH_ASSIGN(settings.log, values.choice("log", settings.log, kLogs));
  for (const auto& [key, node] : root.others) {
    if (key == "boards") MASH_TRY(read_boards(node, source, settings));
    if (key == "heuristics") MASH_TRY(read_heuristics(node, source, settings));
    if (key == "quota") MASH_TRY(read_quota(node, source, settings.quota));
    if (key == "limits") MASH_TRY(read_limits(node, source, settings.limits));
  }
  return Done{};
}

// "0.5", "3600": enough digits for the number to come out the same.
std::string text_of(double number) { return fmt::format("{}", number); }
std::string text_of(int number) { return std::to_string(number); }

}  // namespace

Status check_public_url(std::string_view url) {
  if (url.empty()) return Done{};
  const bool has_scheme = url.starts_with("http://") || url.starts_with("https://");
  const std::string_view host = has_scheme ? url.substr(url.find("//") + 2) : "";
  if (host.empty() || host.find_first_of(" \t?#\"'<>\\") != std::string_view::npos || host.ends_with('/'))
    return input_error(
        "public_url: found '{}', expected an address such as https://mash.example.org, without a slash at "
        "its end",
        url);
  return Done{};
}

Result<ServeSettings> parse_server_settings(const std::string& text, const fs::path& path) {
  const YamlSource source{path.string()};
  MASH_ASSIGN(const YAML::Node document, parse_yaml(text, source));
  ServeSettings settings;
  if (document.IsNull()) return settings;
  MASH_ASSIGN(Mapping root,
              read_mapping(document, source, "settings", kKeys, {"boards", "heuristics", "quota", "limits"}));
  MASH_TRY(read_root(root, source, settings));
  return settings;
}

Result<ServeSettings> read_server_settings(const fs::path& path) {
  MASH_ASSIGN(const std::string text, read_file(path, kMostTextBytes));
  return parse_server_settings(text, path);
}

std::vector<std::string> server_options(const ServeSettings& settings) {
  const ServeSettings::Quota& quota = settings.quota;
  const ServeSettings::Limits& limits = settings.limits;
  const std::pair<const char*, std::string> pairs[] = {
      {"--db", fs::absolute(database_in(settings.folder)).string()},
      {"--store", fs::absolute(store_in(settings.folder)).string()},
      {"--free-disk", std::to_string(limits.free_disk_bytes)},
      {"--address", settings.reach.address},
      {"--port", text_of(int(settings.reach.port))},
      {"--registration", settings.registration},
      {"--quota-seconds", text_of(quota.seconds)},
      {"--quota-days", text_of(quota.days)},
      {"--most-waiting", text_of(quota.num_waiting)},
      {"--most-body-bytes", std::to_string(limits.body_bytes)},
      {"--most-source-bytes", std::to_string(limits.source_bytes)},
      {"--most-connections", text_of(limits.num_connections)},
      {"--most-streams", text_of(limits.num_streams)},
      {"--most-streams-per-client", text_of(limits.num_streams_per_client)},
      {"--requests-per-second", text_of(limits.requests_per_second)},
      {"--posts-per-minute", text_of(limits.posts_per_minute)},
      {"--logins-per-minute", text_of(limits.logins_per_minute)},
      {"--read-seconds", text_of(limits.read_seconds)},
      {"--log", settings.log}};
  std::vector<std::string> options;
  for (const auto& [name, value] : pairs) options.insert(options.end(), {name, value});
  if (!settings.reach.public_url.empty())
    options.insert(options.end(), {"--public-url", settings.reach.public_url});
  if (settings.reach.trusts_proxy) options.push_back("--trusted-proxy");
  if (settings.reach.secure_cookies.value_or(settings.reach.public_url.starts_with("https://")))
    options.push_back("--secure-cookies");
  return options;
}

std::vector<std::string> runner_options(const ServeSettings& settings) {
  std::vector<std::string> options = {"--db",           fs::absolute(database_in(settings.folder)).string(),
                                      "--store",        fs::absolute(store_in(settings.folder)).string(),
                                      "--threads",      text_of(settings.runners.num_threads),
                                      "--family-limit", std::to_string(settings.limits.family_bytes),
                                      "--source-limit", std::to_string(settings.limits.source_bytes),
                                      "--free-disk",    std::to_string(settings.limits.free_disk_bytes)};
  for (const std::string& place : settings.heuristics)
    options.insert(options.end(), {"--heuristics", fs::absolute(place).string()});
  return options;
}

fs::path database_in(const fs::path& folder) { return folder / "mash.db"; }
fs::path store_in(const fs::path& folder) { return folder / "store"; }

}  // namespace mash
