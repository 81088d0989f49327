// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "framework/base/store_room.hpp"
#include "server/http/frame/visit.hpp"

// Answers to programs that watch the server. Each answers one row of the table in site.cpp. Bytes of the disk
// are for programs on this machine and for operators.
namespace mash::server {

// "ok", or that the store has no room, or cannot be written, and submissions wait. Status 200: the server
// itself works.
Response show_health(Visit& visit, const Parts& parts);
// The same as {"status", "store"}; null in place of the store for others.
Response tell_health(Visit& visit, const Parts& parts);
Response show_metrics(Visit& visit, const Parts& parts);

StoreRoom room_for_features(const Visit& visit);
// A lack of room, or of rights, in a sentence for operators.
std::string said_of(const StoreRoom& room);

}  // namespace mash::server
