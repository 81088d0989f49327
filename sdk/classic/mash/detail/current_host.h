/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MASH_CLASSIC_DETAIL_CURRENT_HOST_H
#define MASH_CLASSIC_DETAIL_CURRENT_HOST_H

#include <stddef.h>

#include <string>

#include "mash/abi/host.h"

namespace Mash {
namespace sdk_detail {

/* The host on whose behalf the call in progress runs, and the log line begun in it. One for the plugin, which
 * is enough because classic heuristics run one call at a time. */
struct CurrentHost {
  const mash_host_t* host;
  std::string line;
};

inline CurrentHost& current_host() {
  static CurrentHost current = {0, std::string()};
  return current;
}

/* Adds to the log; sends off the lines that are complete, or so long that nobody reads on. Text logged
 * outside a call is dropped. */
inline void log_text(const std::string& text) {
  const size_t kMaxLine = 1000;
  CurrentHost& current = current_host();
  current.line += text;
  if (current.line.size() > kMaxLine && current.line.find('\n') == std::string::npos) current.line += '\n';
  size_t end;
  while ((end = current.line.find('\n')) != std::string::npos) {
    if (current.host) current.host->log(current.host->context, current.line.substr(0, end).c_str());
    current.line.erase(0, end + 1);
  }
}

}  // namespace sdk_detail
}  // namespace Mash

#endif
