// SPDX-License-Identifier: Apache-2.0
#include "server/http/wire/meters.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace mash::server {

void Meters::count_answer(int status, double seconds) {
  ++num_answers_[std::size_t(std::clamp(status / 100, 0, 5))];
  const auto bound = std::lower_bound(kBounds.begin(), kBounds.end(), seconds);
  ++num_within_[std::size_t(bound - kBounds.begin())];
  microseconds_ += std::uint64_t(1e6 * seconds);
}

std::string Meters::text() const {
  std::string out = "# TYPE mash_http_answers_total counter\n";
  for (std::size_t i = 1; i < num_answers_.size(); ++i)
    out += fmt::format("mash_http_answers_total{{status=\"{}xx\"}} {}\n", i, num_answers_[i].load());
  out += "# TYPE mash_http_answer_seconds histogram\n";
  std::uint64_t num = 0;
  for (std::size_t i = 0; i < kBounds.size(); ++i)
    out += fmt::format("mash_http_answer_seconds_bucket{{le=\"{}\"}} {}\n", kBounds[i],
                       num += num_within_[i].load());
  num += num_within_.back().load();
  out += fmt::format(
      "mash_http_answer_seconds_bucket{{le=\"+Inf\"}} {}\nmash_http_answer_seconds_sum {}\n"
      "mash_http_answer_seconds_count {}\n",
      num, double(microseconds_.load()) / 1e6, num);
  out += fmt::format(
      "# TYPE mash_http_refused_total counter\nmash_http_refused_total {}\n"
      "# TYPE mash_http_connections gauge\nmash_http_connections {}\n"
      "# TYPE mash_http_streams gauge\nmash_http_streams {}\n",
      num_refused_.load(), num_connections_.load(), num_streams_.load());
  return out;
}

}  // namespace mash::server
