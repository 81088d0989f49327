// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>

namespace mash::server {

enum class Turn { kTaken, kRefused };

// Work of which one piece is done at a time, in turn by client: nobody has a second piece done while another
// client waits for the first. [one thread at a time]
class Turns {
 public:
  using Work = std::function<void(Turn)>;

  // most, most_of_client: pieces that may wait.
  explicit Turns(std::size_t most = 64, std::size_t most_of_client = 16)
      : most_(most), most_of_client_(most_of_client) {}

  // Where no place is left, the last piece of the client who has most of them is refused: it may be this one.
  void add(const std::string& client, Work work);

  // The next piece; nothing where none waits.
  std::optional<Work> next();

 private:
  using Waiting = std::map<std::string, std::deque<Work>>;
  // Refuses the last piece of that client, and forgets a client without any.
  void refuse_last(Waiting::iterator client);

  std::size_t most_, most_of_client_, num_waiting_ = 0;
  Waiting waiting_;
  std::deque<std::string> order_;  // of the clients in waiting_
};

}  // namespace mash::server
