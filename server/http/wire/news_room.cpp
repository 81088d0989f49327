// SPDX-License-Identifier: Apache-2.0
#include "server/http/wire/news_room.hpp"

#include <algorithm>
#include <boost/asio/post.hpp>
#include <chrono>
#include <utility>

namespace mash::server {
namespace {

constexpr auto kNewsInterval = std::chrono::milliseconds(200);

}  // namespace

void NewsRoom::subscribe(const std::shared_ptr<Hearer>& hearer, const Subscription& subscription) {
  listeners_.push_back({hearer, subscription.topic, subscription.after_id});
  rewind_id_ = std::min(rewind_id_, subscription.after_id);
  if (is_asking_) return;
  after_id_ = subscription.after_id;
  is_asking_ = true;
  wait();
}

void NewsRoom::wait() {
  timer_.expires_after(kNewsInterval);
  timer_.async_wait([this](boost::system::error_code code) {
    if (!code) ask();
  });
}

void NewsRoom::ask() {
  std::erase_if(listeners_, [](const Listener& listener) { return listener.hearer.expired(); });
  is_asking_ = !listeners_.empty();
  if (!is_asking_) return;
  after_id_ = std::min(after_id_, std::exchange(rewind_id_, std::numeric_limits<std::int64_t>::max()));
  boost::asio::post(answering_, [this, after_id = after_id_] {
    std::vector<News> news;
    try {
      news = service_.news(after_id);
    } catch (const std::exception&) {  // the next time
    }
    boost::asio::post(context_, [this, news = std::move(news)]() mutable { hand_out(std::move(news)); });
  });
}

void NewsRoom::hand_out(std::vector<News> news) {
  for (const News& piece : news) {
    std::erase_if(listeners_, [&](Listener& listener) { return !tell(listener, piece); });
    after_id_ = piece.id;
  }
  wait();
}

bool NewsRoom::tell(Listener& listener, const News& piece) {
  if (piece.topic != listener.topic || piece.id <= listener.after_id) return true;
  listener.after_id = piece.id;
  const auto hearer = listener.hearer.lock();
  if (hearer) hearer->tell(piece.text, piece.is_last);
  return hearer && !piece.is_last;
}

}  // namespace mash::server
