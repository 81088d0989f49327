// SPDX-License-Identifier: Apache-2.0
#include "framework/cli/server_options.hpp"

#include <cstdlib>

#include "framework/base/file.hpp"

namespace mash {
namespace {

constexpr std::size_t kMaxTokenBytes = 1000;

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

std::string trimmed(const std::string& text) {
  const auto first = text.find_first_not_of(" \t\r\n");
  if (first == std::string::npos) return "";
  return text.substr(first, text.find_last_not_of(" \t\r\n") + 1 - first);
}

Result<std::string> read_token(const std::string& file) {
  MASH_ASSIGN(const std::string content, read_file(file));
  const std::string token = trimmed(content);
  if (token.empty() || token.size() > kMaxTokenBytes)
    return input_error("{}: found {} bytes, expected a token and nothing else", file, content.size());
  return token;
}

}  // namespace

std::string server_of_environment() { return variable("MASH_SERVER"); }

void ServerOptions::add_to(CLI::App& command) {
  command
      .add_option("--server", server,
                  "Address of the server, such as https://mash.example.org [$MASH_SERVER]")
      ->type_name("URL");
  command
      .add_option("--token-file", token_file,
                  "File that holds a token of yours and nothing else; its owner alone should be able to read "
                  "it [the token itself: $MASH_TOKEN]")
      ->type_name("FILE");
}

Result<ServerAccess> ServerOptions::access(bool needs_token) const {
  ServerAccess access;
  access.url = server.empty() ? server_of_environment() : server;
  if (access.url.empty())
    return input_error("no server: expected --server URL, or its address in $MASH_SERVER");
  if (!token_file.empty()) {
    auto token = read_token(token_file);
    if (!token.ok()) return token.error().at("--token-file");
    access.token = *std::move(token);
    access.token_from = "--token-file " + token_file;
  } else {
    access.token = trimmed(variable("MASH_TOKEN"));
    access.token_from = "$MASH_TOKEN";
  }
  if (needs_token && access.token.empty())
    return input_error(
        "no token: expected --token-file FILE, or a token in $MASH_TOKEN; the page /me of the server "
        "makes one");
  return access;
}

}  // namespace mash
