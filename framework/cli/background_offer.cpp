// SPDX-License-Identifier: Apache-2.0
#include "framework/cli/background_offer.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "framework/base/bounded_json.hpp"
#include "framework/render/wording.hpp"
#include "framework/reports/heuristic/first_answer.hpp"

namespace mash {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kNiceness = 15;
constexpr double kPatienceSeconds = 0.5;  // it is in the way of a build, or of a user who pressed Ctrl-C
constexpr std::size_t kBuildsShown = 6;

std::string last_line(std::string_view text) {
  while (text.ends_with('\n')) text.remove_suffix(1);
  return std::string(text.substr(text.rfind('\n') + 1));
}

// The error that a program of ours ended with.
std::string failure_of(const ChildResult& result) {
  if (result.status.signal != 0) return result.status.describe();
  constexpr std::string_view kName = "mash: ";
  std::string line = last_line(result.err);
  return line.starts_with(kName) ? line.substr(kName.size()) : line;
}

}  // namespace

Status BackgroundOffer::start_next() {
  // --anyway: what is watched was checked as it was built.
  std::vector<std::string> command{"/proc/self/exe",  "heuristic", "try",        "--anyway",
                                   plugins_[next_++], "--json",    "--each-look"};
  command.insert(command.end(), arguments_.begin(), arguments_.end());
  MASH_ASSIGN(ChildProcess child, ChildProcess::start({.arguments = std::move(command),
                                                       .group = ChildCommand::Group::kOwn,
                                                       .niceness = kNiceness,
                                                       .patience_seconds = kPatienceSeconds}));
  child_.emplace(std::move(child));
  num_read_ = 0;
  return Done{};
}

Result<std::vector<OfferNews>> BackgroundOffer::news() {
  std::vector<OfferNews> news;
  if (has_ended()) return news;
  if (!child_) MASH_TRY(start_next());
  const bool has_ended = child_->has_ended();
  const std::string& out = child_->out_so_far();
  for (std::size_t end; (end = out.find('\n', num_read_)) != std::string::npos; num_read_ = end + 1)
    if (auto document = offer_in(std::string_view(out).substr(num_read_, end - num_read_)))
      news.push_back({*std::move(document), ""});
  if (!has_ended) return news;
  const ChildResult result = child_->wait();
  child_.reset();
  if (!result.succeeded()) news.push_back({nullptr, failure_of(result)});
  return news;
}

std::string BackgroundOffer::now_doing() const { return child_ ? last_line(child_->err_so_far()) : ""; }

std::string BackgroundOffer::first_answer() const {
  return child_ ? first_answer_in(child_->err_so_far()) : "";
}

std::string first_answer_in(std::string_view lines) {
  for (std::size_t begin = 0; begin < lines.size();) {
    const std::size_t end = lines.find('\n', begin);
    if (end == std::string_view::npos) break;  // a part of a line
    if (const auto line = lines.substr(begin, end - begin); line.starts_with(kFirstSight))
      return std::string(line);
    begin = end + 1;
  }
  return "";
}

std::optional<Json> offer_in(std::string_view line) {
  Json document = parse_object<Json>(line, kOurOwnJson);
  if (!document.contains("ended")) return std::nullopt;
  return document;
}

std::string describe_gain(const Json& offer) {
  const Json& gain = offer["gain"];
  if (gain.is_null()) return offer["finding"].get<std::string>();
  return fmt::format("{:+.2f} % of the log-loss ({:+.2f} to {:+.2f}) after {} seeds",
                     gain["mean"].get<double>(), gain["low"].get<double>(), gain["high"].get<double>(),
                     gain["seeds"].get<std::size_t>());
}

std::string describe_history(const Json& offer) {
  const Json& history = offer["history"];
  std::string text;
  for (std::size_t i = history.size() - std::min(history.size(), kBuildsShown); i < history.size(); ++i) {
    const Json& gain = history[i]["gain"];
    if (gain.is_null()) {
      text += fmt::format("{}v{} not measured", text.empty() ? "" : ", ", i + 1);
      continue;
    }
    const double half_width = (gain["high"].get<double>() - gain["low"].get<double>()) / 2;
    text += fmt::format("{}v{} {:+.2f} ± {:.2f}", text.empty() ? "" : ", ", i + 1, gain["mean"].get<double>(),
                        half_width);
  }
  return fmt::format("{} ({})", text, kHalfInterval);
}

}  // namespace mash
