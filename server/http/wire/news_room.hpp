// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/thread_pool.hpp>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "server/http/wire/listener.hpp"

namespace mash::server {

// Somebody to whom news are told. [the thread that reads and writes]
class Hearer {
 public:
  virtual ~Hearer() = default;
  virtual void tell(const std::string& text, bool is_last) = 0;
};

// Takes the news from the service while anybody listens, and hands each piece to those who subscribed.
// [the thread that reads and writes]
class NewsRoom {
 public:
  NewsRoom(boost::asio::io_context& context, boost::asio::thread_pool& answering, const Service& service)
      : context_(context), timer_(context), answering_(answering), service_(service) {}

  void subscribe(const std::shared_ptr<Hearer>& hearer, const Subscription& subscription);

 private:
  struct Listener {
    std::weak_ptr<Hearer> hearer;
    std::int64_t topic = 0, after_id = 0;  // of the last piece that it was told
  };
  void wait();
  void ask();
  void hand_out(std::vector<News> news);
  static bool tell(Listener& listener, const News& piece);  // false: it listens no more

  boost::asio::io_context& context_;
  boost::asio::steady_timer timer_;
  boost::asio::thread_pool& answering_;
  const Service& service_;
  std::vector<Listener> listeners_;
  std::int64_t after_id_ = 0;  // taken up to here
  // One who subscribed since has not heard what came after that.
  std::int64_t rewind_id_ = std::numeric_limits<std::int64_t>::max();
  bool is_asking_ = false;
};

}  // namespace mash::server
