// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "server/http/frame/visit.hpp"

// Accounts: registering, logging in, tokens. Each answers one row of the table in site.cpp; parts: what its
// address leaves open.
namespace mash::server {

Response show_register(Visit& visit, const Parts& parts);
Response take_register(Visit& visit, const Parts& parts);
Response show_login(Visit& visit, const Parts& parts);
Response take_login(Visit& visit, const Parts& parts);
Response take_logout(Visit& visit, const Parts& parts);
Response show_me(Visit& visit, const Parts& parts);
Response take_close(Visit& visit, const Parts& parts);
Response take_password(Visit& visit, const Parts& parts);
Response take_token(Visit& visit, const Parts& parts);
Response take_revoke(Visit& visit, const Parts& parts);

}  // namespace mash::server
