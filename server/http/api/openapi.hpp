// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "server/http/frame/visit.hpp"

// The API as data: for its page and for its OpenAPI document.
namespace mash::server {

struct ApiParameter {
  std::string_view name, place, type, about;  // place: "path", "query" or "header"
};

// One method at one address.
struct ApiOperation {
  std::string_view method, path;  // "/api/v1/submissions/{id}"
  std::string_view name, about;
  std::string_view scope = {};  // that a token needs; empty: none is needed
  std::vector<ApiParameter> parameters = {};
  std::string_view body = {};  // the schema of what is sent; empty: nothing
  std::string_view answer = {}, media_type = "application/json";  // answer: its schema; empty: text
  int status = 200;
};
std::span<const ApiOperation> api_operations();

// OpenAPI 3.0. url: of this server.
Json openapi_document(std::string_view url);

}  // namespace mash::server
