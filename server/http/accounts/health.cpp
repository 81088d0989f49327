// SPDX-License-Identifier: Apache-2.0
#include "server/http/accounts/health.hpp"

#include <fmt/format.h>

#include "framework/records/submission_queue.hpp"
#include "server/http/wire/limits.hpp"

namespace mash::server {
namespace {

// "ok", or why submissions wait.
std::string_view status_of(const StoreRoom& room) {
  if (!room.closed.empty()) return "store closed";
  return room.has_space() ? "ok" : "no room";
}

// The space that features take of a disk follows from the pictures, hidden ones too: nobody else's business.
bool may_see_disk(const Visit& visit) { return is_loopback(visit.request.client) || visit.is_operator(); }

std::string queue_metrics(std::size_t num_waiting, std::size_t num_runners, const StoreRoom& room) {
  return fmt::format(
      "# TYPE mash_queue_submissions gauge\nmash_queue_submissions {}\n"
      "# TYPE mash_runners gauge\nmash_runners {}\n"
      "# TYPE mash_disk_free_bytes gauge\nmash_disk_free_bytes {}\n"
      "# TYPE mash_disk_wanted_bytes gauge\nmash_disk_wanted_bytes {}\n",
      num_waiting, num_runners, room.free_bytes, room.wanted_bytes);
}

}  // namespace

StoreRoom room_for_features(const Visit& visit) {
  const SiteSettings& settings = visit.site.settings;
  return store_room(settings.store, settings.free_disk);
}

std::string said_of(const StoreRoom& room) {
  return fmt::format("{}: submissions wait until {}", room.in_words(),
                     room.closed.empty() ? "it has" : "then");
}

Response show_health(Visit& visit, const Parts&) {
  const StoreRoom room = room_for_features(visit);
  std::string text(status_of(room));
  if (!room.is_enough()) text += ": " + (may_see_disk(visit) ? said_of(room) : "submissions wait");
  return {200, "text/plain; charset=utf-8", text + "\n"};
}

Response tell_health(Visit& visit, const Parts&) {
  const StoreRoom room = room_for_features(visit);
  Json document{{"status", status_of(room)}, {"store", nullptr}};
  if (may_see_disk(visit))
    document["store"] = {{"free_bytes", room.free_bytes}, {"wanted_bytes", room.wanted_bytes}};
  return json(document);
}

Response show_metrics(Visit& visit, const Parts&) {
  if (!may_see_disk(visit)) return not_found(visit);
  SubmissionFilter filter;
  filter.in_work_only = filter.with_private = true;
  filter.most = 100'000;
  const auto waiting = read_submissions(visit.records, filter);
  if (!waiting.ok()) return failed(visit, waiting.error());
  const auto runners = read_runners(visit.records);
  if (!runners.ok()) return failed(visit, runners.error());
  const std::string own = visit.site.meters == nullptr ? std::string() : visit.site.meters->text();
  return {200, "text/plain; version=0.0.4",
          own + queue_metrics(waiting->size(), runners->size(), room_for_features(visit))};
}

}  // namespace mash::server
