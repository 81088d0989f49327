// SPDX-License-Identifier: Apache-2.0
#include "server/http/wire/listener.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <atomic>
#include <boost/asio.hpp>
#include <future>
#include <sstream>
#include <thread>

#include "server/http/wire/limits.hpp"
#include "server/http/wire/turns.hpp"

namespace mash::server {
namespace {

using ::testing::AnyOf;
using ::testing::HasSubstr;
using ::testing::Not;

using Connection = boost::asio::ip::tcp::iostream;

// A server on a free port, which answers with the path and the length of the body. The first connection
// starts it: a test changes the settings before.
class ListenerTest : public ::testing::Test {
 protected:
  ListenerTest() {
    settings_.port = 0;
    settings_.most_body_bytes = 1000;
    settings_.most_connections_per_client = 20;
    settings_.read_seconds = 0.5;
  }
  void start() {
    thread_ = std::thread([this] {
      const Service service{[this](const Request& request) { return answer(request); },
                            [this](std::int64_t after_id) { return news_after(after_id); },
                            [](const AnsweredRequest&) {}};
      const auto on_ready = [this](std::uint16_t port) { port_.set_value(port); };
      EXPECT_TRUE(listen(settings_, service, meters_, on_ready, stop_).ok());
    });
    at_ = port_.get_future().get();
  }
  Response answer(const Request& request) {
    const std::string first = request.path.empty() ? "" : request.path[0];
    if (first == "turn") return answer_in_turn(request);
    if (first == "fields") return {200, "text/plain", all_fields(request)};
    if (first == "throws") throw std::runtime_error("secret");
    if (first == "ahead") return {200, "text/event-stream", "", {}, Subscription{9, std::int64_t(1) << 60}};
    if (first == "stream") return {200, "text/event-stream", "data: begin\n\n", {}, Subscription{7, 1}};
    return {200, "text/plain",
            fmt::format("{} {} {}", request.method, request.path.size(), request.body.size())};
  }
  // Tells the order; the first turn lasts until `all_wait_`.
  Response answer_in_turn(const Request& request) {
    if (!request.has_turn) {
      ++num_asked_;
      Response response;
      response.wants_turn = true;
      return response;
    }
    all_wait_.wait();
    order_ += request.client;
    return {200, "text/plain", ""};
  }
  static std::string all_fields(const Request& request) {
    std::string all = fmt::format("{} {} {} {} {} {} {} {} {}", request.client, request.bearer,
                                  request.request_key, request.content_type, request.host, request.origin,
                                  request.if_none_match, request.last_event_id, request.body);
    for (const auto& [name, value] : request.cookies) all += " " + value;
    return all;
  }
  // Topic 7 is told three things, the last of them after topic 8 was told one.
  static std::vector<News> all_news() {
    return {{7, 1, "data: old\n\n"},
            {7, 2, "data: two\n\n"},
            {8, 3, "data: other\n\n"},
            {7, 4, "data: end\n\n", true}};
  }
  std::vector<News> news_after(std::int64_t after_id) const {
    std::vector<News> news;
    for (const News& piece : all_news())
      if (piece.id > after_id) news.push_back(piece);
    return news;
  }
  ~ListenerTest() override {
    stop_.raise();
    if (thread_.joinable()) thread_.join();
  }
  // Over which that was sent; a client that waits longer for an answer gives up.
  std::unique_ptr<Connection> connect(const std::string& text) {
    if (!thread_.joinable()) start();
    auto stream = std::make_unique<Connection>("127.0.0.1", std::to_string(at_));
    stream->expires_after(std::chrono::seconds(60));
    *stream << text << std::flush;
    return stream;
  }
  static std::string first_line(Connection& stream) {
    std::string line;
    std::getline(stream, line);
    return line;
  }
  // All that comes back until the server closes.
  std::string send(const std::string& text) {
    std::ostringstream all;
    all << connect(text)->rdbuf();
    return all.str();
  }

  std::promise<void> let_go_;
  std::shared_future<void> all_wait_ = let_go_.get_future().share();
  std::atomic<int> num_asked_ = 0;
  std::string order_;  // written by the one thread that has the turn
  ListenSettings settings_;
  Meters meters_;
  StopFlag stop_;
  std::promise<std::uint16_t> port_;
  std::uint16_t at_ = 0;
  std::thread thread_;
};

TEST_F(ListenerTest, AnswersOneRequestAfterAnother) {
  const std::string two = send(
      "GET /a HTTP/1.1\r\nHost: x\r\n\r\nPOST /a/b HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n"
      "Connection: close\r\n\r\nabc");
  EXPECT_THAT(two, HasSubstr("GET 1 0"));
  EXPECT_THAT(two, HasSubstr("POST 2 3"));
  EXPECT_THAT(two, HasSubstr("Content-Security-Policy: default-src 'none'"));
  EXPECT_THAT(two, HasSubstr("X-Content-Type-Options: nosniff"));
}

TEST_F(ListenerTest, RefusesWhatIsNoRequestOrTooLarge) {
  const std::string close = "Connection: close\r\n\r\n";
  EXPECT_THAT(send("nonsense\r\n\r\n"), HasSubstr("400 Bad Request"));
  EXPECT_THAT(send("GET /../etc/passwd HTTP/1.1\r\n" + close), HasSubstr("400 Bad Request"));
  EXPECT_THAT(send("POST / HTTP/1.1\r\nContent-Length: 1001\r\n" + close), HasSubstr("413"));
  EXPECT_THAT(send("GET / HTTP/1.1\r\nX: " + std::string(20'000, 'x') + "\r\n" + close), HasSubstr("431"));
  EXPECT_THAT(send("POST / HTTP/1.1\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
              HasSubstr("400 Bad Request"));
  EXPECT_THAT(send("GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n" + close), HasSubstr("400 Bad Request"));
  for (const std::string field : {"Host", "Origin", "Idempotency-Key", "Content-Type", "If-None-Match"})
    EXPECT_THAT(send("GET / HTTP/1.1\r\n" + field + ": a\xc9.test\r\n" + close), HasSubstr("400 Bad Request"))
        << field;
  EXPECT_THAT(send("POST / HTTP/1.1\r\nContent-Length: 0\r\nContent-Length: 3\r\n" + close),
              HasSubstr("400 Bad Request"));
}

// "chunked" alone has one meaning to all readers; what follows a body whose end is in doubt is never
// answered.
TEST_F(ListenerTest, RefusesABodyWhoseEndIsInDoubt) {
  const std::string hidden = "GET /hidden HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
  const auto answers = [&](const std::string& header) {
    return send("POST / HTTP/1.1\r\nHost: x\r\n" + header + "\r\n\r\n0\r\n\r\n" + hidden);
  };
  for (const char* coding : {"chunked", "Chunked", "CHUNKED", "\tchunked", " \t chunked \t"}) {
    const std::string both = answers(std::string("Transfer-Encoding:") + coding);
    EXPECT_THAT(both, ::testing::StartsWith("HTTP/1.1 200")) << coding;
    EXPECT_THAT(both, HasSubstr("GET 1 0")) << coding;
  }
  for (const char* coding : {"xchunked",
                             "chunkedx",
                             "chunked, chunked",
                             "chunked,chunked",
                             "gzip, chunked",
                             "chunked, gzip",
                             "gzip",
                             "identity",
                             "identity, chunked",
                             "chunked, identity",
                             "\"chunked\"",
                             "'chunked'",
                             "chunked;q=1",
                             "chunked ; x",
                             "chunked chunked",
                             ",chunked",
                             "chunked,",
                             ", chunked ,",
                             "chunk",
                             "",
                             "chunked\r\nTransfer-Encoding: chunked",
                             "chunked\r\nTransfer-Encoding: identity",
                             "identity\r\nTransfer-Encoding: chunked",
                             "xchunked\r\nTransfer-Encoding: chunked",
                             "chunked\r\nContent-Length: 0",
                             "xchunked\r\nContent-Length: 5",
                             "x\r\nContent-Length: 5"}) {
    const std::string only = answers(std::string("Transfer-Encoding: ") + coding);
    EXPECT_THAT(only, ::testing::StartsWith("HTTP/1.1 400")) << coding;
    EXPECT_THAT(only, HasSubstr("Connection: close")) << coding;
    EXPECT_EQ(only.find("HTTP/1.1", 1), std::string::npos) << coding;
  }
  EXPECT_THAT(answers("Content-Length: 5\r\nContent-Length: 5"), ::testing::StartsWith("HTTP/1.1 400"));
}

TEST_F(ListenerTest, FieldsBehindABodyInChunksAreDropped) {
  settings_.trusted_proxy = true;
  for (const char* trailer : {"Authorization: Bearer 777", "Cookie: mash_session=777", "Host: 777",
                              "Origin: http://777", "X-Real-IP: 777", "Idempotency-Key: 777",
                              "Last-Event-ID: 777", "Content-Type: text/777", "If-None-Match: \"777\""}) {
    const std::string answer =
        send(std::string("POST /fields HTTP/1.1\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n"
                         "4\r\nbody\r\n0\r\n") +
             trailer + "\r\n\r\n");
    EXPECT_THAT(answer, HasSubstr("body")) << trailer;
    EXPECT_THAT(answer, Not(HasSubstr("777"))) << trailer;
  }
}

TEST_F(ListenerTest, ATurnIsEachClientsBeforeAnybodysSecond) {
  settings_.trusted_proxy = true;
  settings_.num_threads = 1;
  const auto ask = [&](const char* client) {
    const int num_before = num_asked_;
    auto connection =
        connect(fmt::format("POST /turn HTTP/1.1\r\nX-Real-IP: {}\r\nConnection: close\r\n\r\n", client));
    while (num_asked_ == num_before) std::this_thread::yield();
    return connection;
  };
  std::vector<std::unique_ptr<Connection>> waiting;
  for (const char* client : {"a", "a", "a", "a", "b", "c", "b"}) waiting.push_back(ask(client));
  EXPECT_THAT(send("GET /a HTTP/1.1\r\nConnection: close\r\n\r\n"), HasSubstr("GET 1 0"))
      << "others wait with those who wait for a turn";
  let_go_.set_value();
  for (const auto& connection : waiting) EXPECT_THAT(first_line(*connection), HasSubstr("200"));
  EXPECT_EQ(order_, "aabcaba");
}

TEST_F(ListenerTest, OneAddressHasOnlySoManyLogins) {
  settings_.logins_per_minute = 1;
  let_go_.set_value();
  const std::string close = " HTTP/1.1\r\nConnection: close\r\n\r\n";
  EXPECT_THAT(send("POST /turn" + close), HasSubstr("HTTP/1.1 200"));
  const std::string refused = send("POST /turn" + close);
  EXPECT_THAT(refused, HasSubstr("HTTP/1.1 429"));
  EXPECT_THAT(refused, HasSubstr("Retry-After: "));
  EXPECT_THAT(send("POST /a" + close), HasSubstr("HTTP/1.1 200"));  // no login
}

// Half-sent bodies take no more memory than that; forms and small submissions need none of it.
TEST_F(ListenerTest, BodiesOfOneAddressHaveABound) {
  settings_.read_seconds = 1000;
  settings_.most_body_bytes = settings_.most_bodies_bytes_per_client = 1 << 20;
  const std::string large = "POST / HTTP/1.1\r\nContent-Length: 1000000\r\nConnection: close\r\n\r\n";
  const std::string chunked =
      "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n0\r\n\r\n";
  const auto half_sent = connect(large + "begin");
  const std::string rest(1'000'000 - 5, 'x');
  for (const std::string& other : {large + "begin" + rest, chunked}) {
    std::string answer;
    for (int i = 0; i < 200 && answer.find("503") == std::string::npos; ++i) answer = send(other);
    EXPECT_THAT(answer, HasSubstr("503"));
    EXPECT_THAT(answer, HasSubstr("Retry-After: "));
  }
  EXPECT_THAT(send("POST / HTTP/1.1\r\nContent-Length: 4\r\nConnection: close\r\n\r\nabcd"),
              HasSubstr("POST 0 4"));
  *half_sent << rest << std::flush;
  EXPECT_THAT(first_line(*half_sent), HasSubstr("200"));
  std::string answer;
  for (int i = 0; i < 200 && answer.find("200") == std::string::npos; ++i) answer = send(chunked);
  EXPECT_THAT(answer, HasSubstr("200"));
}

TEST_F(ListenerTest, AMistakeOfOursTellsNothing) {
  const std::string answer = send("GET /throws HTTP/1.1\r\nConnection: close\r\n\r\n");
  EXPECT_THAT(answer, HasSubstr("500 Internal Server Error"));
  EXPECT_THAT(answer, Not(HasSubstr("secret")));
}

TEST_F(ListenerTest, SlowClientsHoldUpNobody) {
  settings_.read_seconds = 1000;  // none of them ends before the quick one has given up
  std::vector<std::unique_ptr<Connection>> slow;
  for (int i = 0; i < 15; ++i) slow.push_back(connect("GET / HTTP/1.1\r\nX: "));
  EXPECT_THAT(send("GET / HTTP/1.1\r\nConnection: close\r\n\r\n"), HasSubstr("GET 0 0"));
}

TEST_F(ListenerTest, SlowClientsAreDropped) {
  const auto slow = connect("GET / HTTP/1.1\r\nX: ");
  EXPECT_EQ(slow->get(), EOF);
  EXPECT_EQ(slow->error(), boost::asio::error::eof) << "the client gave up";
}

TEST_F(ListenerTest, AStreamTellsWhatIsNewOfItsTopicAndEnds) {
  for (int i = 0; i < 2; ++i) {  // the second one subscribes to what is known already
    const std::string told = send("GET /stream HTTP/1.1\r\nHost: x\r\n\r\n");
    EXPECT_THAT(told, HasSubstr("200 OK"));
    EXPECT_THAT(told, HasSubstr("Content-Security-Policy"));
    const std::string body = told.substr(told.find("\r\n\r\n") + 4);
    EXPECT_EQ(body, "data: begin\n\ndata: two\n\ndata: end\n\n");
  }
}

// A number of a client's own choosing moves nobody else's place in the news.
TEST_F(ListenerTest, AStreamFromFarAheadSilencesNoOther) {
  const auto ahead = connect("GET /ahead HTTP/1.1\r\nHost: x\r\n\r\n");
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  EXPECT_THAT(send("GET /stream HTTP/1.1\r\nHost: x\r\n\r\n"), HasSubstr("data: end"));
}

TEST_F(ListenerTest, OneAddressHasOnlySoManyConnections) {
  std::vector<std::unique_ptr<Connection>> idle;
  for (int i = 0; i < 30; ++i) idle.push_back(connect("GET / HTTP/1.1\r\nHost: x\r\n\r\n"));
  int num_answered = 0;
  for (const auto& stream : idle) num_answered += first_line(*stream).find("200") != std::string::npos;
  EXPECT_EQ(num_answered, 20);
}

TEST_F(ListenerTest, OneAddressHasOnlySoManyRequests) {
  settings_.requests_per_second = 0.5;  // one at once, and another one 2 s later
  const std::string request = "GET / HTTP/1.1\r\nHost: x\r\n";
  const std::string three = send(request + "\r\n" + request + "\r\n" + request + "Connection: close\r\n\r\n");
  EXPECT_THAT(three, ::testing::StartsWith("HTTP/1.1 200"));
  EXPECT_THAT(three, HasSubstr("HTTP/1.1 429"));
  EXPECT_THAT(three, HasSubstr("Retry-After: "));
}

TEST_F(ListenerTest, OneAddressHasOnlySoManyPosts) {
  settings_.posts_per_minute = 1;
  const std::string close = " / HTTP/1.1\r\nConnection: close\r\n\r\n";
  EXPECT_THAT(send("POST" + close), HasSubstr("HTTP/1.1 200"));
  EXPECT_THAT(send("POST" + close), HasSubstr("HTTP/1.1 429"));
  EXPECT_THAT(send("GET" + close), HasSubstr("HTTP/1.1 200"));
}

TEST_F(ListenerTest, OneAddressHasOnlySoManyStreams) {
  settings_.most_streams_per_client = 1;
  const std::string request = "GET /ahead HTTP/1.1\r\nHost: x\r\n\r\n";
  const auto open = connect(request);
  EXPECT_THAT(first_line(*open), HasSubstr("200"));
  EXPECT_THAT(send(request), HasSubstr("HTTP/1.1 503"));
}

TEST_F(ListenerTest, StreamsOfClientsThatWentAreForgotten) {
  for (int i = 0; i < 300; ++i) {
    // More than may be open at once.
    EXPECT_THAT(first_line(*connect("GET /stream HTTP/1.1\r\nHost: x\r\n\r\n")),
                AnyOf(HasSubstr("200"), HasSubstr("503"), ""));
  }
  for (int i = 0; i < 100 && meters_.text().find("mash_http_streams 0") == std::string::npos; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_THAT(meters_.text(), HasSubstr("mash_http_streams 0"));
}

TEST(RateLimits, ABucketFillsAtItsRate) {
  RateLimit limit(2, 3);
  const auto begin = RateLimit::Clock::now();
  const auto at = [&](double seconds) {
    return begin +
           std::chrono::duration_cast<RateLimit::Clock::duration>(std::chrono::duration<double>(seconds));
  };
  for (int i = 0; i < 3; ++i) EXPECT_EQ(limit.take("a", begin), 0);
  EXPECT_DOUBLE_EQ(limit.take("a", begin), .5);
  EXPECT_EQ(limit.take("b", begin), 0);  // another client
  EXPECT_NEAR(limit.take("a", at(.25)), .25, 1e-6);
  EXPECT_EQ(limit.take("a", at(.5)), 0);
  EXPECT_EQ(limit.take("a", at(100)), 0);
  EXPECT_EQ(limit.take("a", at(100)), 0);
  EXPECT_EQ(limit.take("a", at(100)), 0);
  EXPECT_GT(limit.take("a", at(100)), 0);
}

// Arrivals: a letter is a piece of that client, '.' is a turn. All left are then done in turn.
TEST(TurnsOfClients, GoRound) {
  struct Row {
    std::string arrivals, order, refused;
  };
  const Row rows[] = {{"abc", "abc", ""},
                      {"aabc", "abca", ""},
                      {"aaabbc", "abcaba", ""},
                      {"aaa.b", "aaba", ""},  // who comes late waits for one piece of each other
                      {"aa.a.b", "aaab", ""},
                      {"aaab.b.b.", "ababab", ""},
                      {"aaaa", "aaa", "a"},  // three places of one client
                      {"aaaabb", "ababa", "a"},
                      {"aaabbbc", "abcabb", "a"},  // six places: the one with most gives up the last
                      {"aaabbbcc", "abcabc", "ab"},
                      {"aaabbcc", "abcabc", "a"},
                      {"aabbcca", "abcabc", "a"},  // nobody has more than who comes
                      {"abcdefg", "abcdef", "g"},
                      {"abcdefa", "abcdef", "a"}};
  for (const Row& row : rows) {
    Turns turns(6, 3);
    std::string order, refused;
    const auto take = [&] {
      const auto work = turns.next();
      if (work) (*work)(Turn::kTaken);
      return work.has_value();
    };
    for (const char c : row.arrivals) {
      if (c == '.')
        take();
      else
        turns.add(std::string(1, c), [&, c](Turn turn) { (turn == Turn::kTaken ? order : refused) += c; });
    }
    while (take()) {
    }
    EXPECT_EQ(order, row.order) << row.arrivals;
    EXPECT_EQ(refused, row.refused) << row.arrivals;
  }
}

TEST(Networks, CountAddressesOfOneVisitorAsOne) {
  const std::pair<std::string, std::string> rows[] = {
      {"192.0.2.7", "192.0.2.7"},
      {"::ffff:192.0.2.7", "192.0.2.7"},
      {"2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"},
      {"2001:db8:1:2::1", "2001:db8:1:2::/64"},
      {"2001:DB8:1:2:ffff:ffff:ffff:ffff", "2001:db8:1:2::/64"},
      {"2001:db8:1:3::1", "2001:db8:1:3::/64"},
      {"fe80::1%7", "fe80::/64"},
      {"::1", "::/64"},
      {"no address", "no address"},
      {"", ""}};
  for (const auto& [address, network] : rows) EXPECT_EQ(network_of(address), network) << address;
}

TEST(Networks, KnowTheAddressesOfThisMachine) {
  for (const char* own : {"127.0.0.1", "127.9.8.7", "::1", "::ffff:127.0.0.1"})
    EXPECT_TRUE(is_loopback(own)) << own;
  for (const char* other :
       {"192.0.2.7", "128.0.0.1", "::2", "::ffff:192.0.2.7", "127.evil.test", "localhost.test", ""})
    EXPECT_FALSE(is_loopback(other)) << other;
}

TEST(BodyBudgets, HoldInAllAndForEach) {
  constexpr std::size_t kMany = 100'000;
  BodyBudget budget(3 * kMany, 2 * kMany);
  EXPECT_EQ(budget.take("a", 2 * kMany), 2 * kMany);
  EXPECT_FALSE(budget.take("a", kMany));
  EXPECT_EQ(budget.take("a", BodyBudget::kFreeBytes), 0u);
  EXPECT_EQ(budget.take("b", kMany), kMany);
  EXPECT_FALSE(budget.take("c", kMany));
  budget.give_back("a", 2 * kMany);
  EXPECT_EQ(budget.take("c", 2 * kMany), 2 * kMany);
  EXPECT_FALSE(budget.take("a", kMany));
  EXPECT_FALSE(budget.take("a", std::size_t(-1)));
}

}  // namespace
}  // namespace mash::server
