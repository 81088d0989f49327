// SPDX-License-Identifier: Apache-2.0
#include "server/http/wire/listener.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "server/http/wire/limits.hpp"
#include "server/http/wire/turns.hpp"
#include "tests/server/http/listener_sample.hpp"

namespace mash::server {
namespace {

using ::testing::AnyOf;
using ::testing::HasSubstr;
using testing::ListenerTest;
using ::testing::Not;

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
  EXPECT_THAT(send("GET /../etc/passwd HTTP/1.1\r\nHost: x\r\n" + close), HasSubstr("400 Bad Request"));
  EXPECT_THAT(send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1001\r\n" + close), HasSubstr("413"));
  EXPECT_THAT(send("GET / HTTP/1.1\r\nHost: x\r\nX: " + std::string(20'000, 'x') + "\r\n" + close),
              HasSubstr("431"));
  EXPECT_THAT(
      send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
      HasSubstr("400 Bad Request"));
  EXPECT_THAT(send("GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n" + close), HasSubstr("400 Bad Request"));
  for (const std::string field : {"Host", "Origin", "Idempotency-Key", "Content-Type", "If-None-Match"}) {
    const std::string other = field == "Host" ? "" : "Host: x\r\n";
    EXPECT_THAT(send("GET / HTTP/1.1\r\n" + other + field + ": a\xc9.test\r\n" + close),
                HasSubstr("400 Bad Request"))
        << field;
  }
  EXPECT_THAT(send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\nContent-Length: 3\r\n" + close),
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
  for (const char* lengths : {"5\r\nContent-Length: 5", "5,5", "5, 5", "+5", "0x5", ""})
    EXPECT_THAT(answers(std::string("Content-Length: ") + lengths), ::testing::StartsWith("HTTP/1.1 400"))
        << lengths;
}

TEST_F(ListenerTest, FieldsBehindABodyInChunksAreDropped) {
  settings_.trusted_proxy = true;
  for (const char* trailer : {"Authorization: Bearer 777", "Cookie: mash_session=777", "Host: 777",
                              "Origin: http://777", "X-Real-IP: 777", "Idempotency-Key: 777",
                              "Last-Event-ID: 777", "Content-Type: text/777", "If-None-Match: \"777\""}) {
    const std::string answer =
        send(std::string(
                 "POST /fields HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n"
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
    auto connection = connect(
        fmt::format("POST /turn HTTP/1.1\r\nHost: x\r\nX-Real-IP: {}\r\nConnection: close\r\n\r\n", client));
    while (num_asked_ == num_before) std::this_thread::yield();
    return connection;
  };
  std::vector<std::unique_ptr<Connection>> waiting;
  for (const char* client : {"a", "a", "a", "a", "b", "c", "b"}) waiting.push_back(ask(client));
  EXPECT_THAT(send("GET /a HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"), HasSubstr("GET 1 0"))
      << "others wait with those who wait for a turn";
  let_go_.set_value();
  for (const auto& connection : waiting) EXPECT_THAT(first_line(*connection), HasSubstr("200"));
  EXPECT_EQ(order_, "aabcaba");
}

TEST_F(ListenerTest, OneAddressHasOnlySoManyLogins) {
  settings_.logins_per_minute = 1;
  let_go_.set_value();
  const std::string close = " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
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
  const std::string large =
      "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\nConnection: close\r\n\r\n";
  const std::string chunked =
      "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n0\r\n\r\n";
  const auto half_sent = connect(large + "begin");
  const std::string rest(1'000'000 - 5, 'x');
  for (const std::string& other : {large + "begin" + rest, chunked}) {
    std::string answer;
    for (int i = 0; i < 200 && answer.find("503") == std::string::npos; ++i) answer = send(other);
    EXPECT_THAT(answer, HasSubstr("503"));
    EXPECT_THAT(answer, HasSubstr("Retry-After: "));
  }
  EXPECT_THAT(send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nConnection: close\r\n\r\nabcd"),
              HasSubstr("POST 0 4"));
  *half_sent << rest << std::flush;
  EXPECT_THAT(first_line(*half_sent), HasSubstr("200"));
  std::string answer;
  for (int i = 0; i < 200 && answer.find("200") == std::string::npos; ++i) answer = send(chunked);
  EXPECT_THAT(answer, HasSubstr("200"));
}

// Answers that nobody reads take no more memory than that; pages of usual size need none of it.
TEST_F(ListenerTest, AnswersToOneAddressHaveABound) {
  settings_.read_seconds = 1000;
  settings_.trusted_proxy = true;
  settings_.most_answers_bytes = 3 * kLarge;
  settings_.most_answers_bytes_per_client = 3 * kLarge / 2;
  const auto request = [](const std::string& path, const std::string& client) {
    return fmt::format("GET {} HTTP/1.1\r\nHost: x\r\nX-Real-IP: {}\r\nConnection: close\r\n\r\n", path,
                       client);
  };
  auto unread = connect(request("/large", "a"));
  EXPECT_THAT(first_line(*unread), HasSubstr("200"));
  const std::string refused = send(request("/large", "a"));
  EXPECT_THAT(refused, HasSubstr("HTTP/1.1 503"));
  EXPECT_THAT(refused, HasSubstr("Retry-After: "));
  EXPECT_THAT(send(request("/small", "a")), HasSubstr("GET 1 0"));
  EXPECT_GT(send(request("/large", "b")).size(), kLarge);
  unread.reset();
  std::size_t num_bytes = 0;
  for (int i = 0; i < 200 && num_bytes < kLarge; ++i) num_bytes = send(request("/large", "a")).size();
  EXPECT_GT(num_bytes, kLarge);
}

TEST_F(ListenerTest, ThreadsAnswerInTurnByAddress) {
  settings_.read_seconds = 1000;
  settings_.trusted_proxy = true;
  settings_.num_threads = 1;
  settings_.most_waiting_per_client = 3;
  std::vector<std::unique_ptr<Connection>> asked;
  const auto ask = [&](const char* client, int num) {
    for (int i = 0; i < num; ++i)
      asked.push_back(connect(fmt::format(
          "GET /queue HTTP/1.1\r\nHost: x\r\nX-Real-IP: {}\r\nConnection: close\r\n\r\n", client)));
  };
  ask("a", 5);  // one is at work, three wait, one is refused
  EXPECT_TRUE(comes_to_say("mash_http_refused_total 1"));
  ask("b", 4);
  EXPECT_TRUE(comes_to_say("mash_http_refused_total 2"));
  let_go_.set_value();
  int num_refused = 0;
  for (const auto& connection : asked) {
    const std::string answer = rest(*connection);
    const bool is_refused = answer.find("HTTP/1.1 503") == 0;
    EXPECT_EQ(is_refused, answer.find("Retry-After: ") != std::string::npos) << answer;
    num_refused += is_refused;
  }
  EXPECT_EQ(num_refused, 2);
  EXPECT_EQ(order_, "aababab");
}

// The one that has waited longest gives way, of the network that has most of them.
TEST_F(ListenerTest, ANewConnectionTakesThePlaceOfAnIdleOne) {
  settings_.read_seconds = 1000;
  settings_.most_connections = 5;
  start();
  boost::asio::io_context context;
  std::vector<Tcp::socket> idle;
  for (const char* address : {"127.0.0.2", "127.0.0.3", "127.0.0.3", "127.0.0.3", "127.0.0.2"}) {
    Tcp::socket& socket =
        idle.emplace_back(context, Tcp::endpoint(boost::asio::ip::make_address(address), 0));
    socket.connect({boost::asio::ip::address_v4::loopback(), at_});
    ASSERT_TRUE(comes_to_say(fmt::format("mash_http_connections {}", idle.size())));
  }
  ASSERT_THAT(send("GET /a HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"), HasSubstr("GET 1 0"));
  for (std::size_t i = 0; i < idle.size(); ++i) {
    const std::string request = "GET /a HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
    boost::system::error_code code;
    boost::asio::write(idle[i], boost::asio::buffer(request), code);
    std::string answer;
    boost::asio::read(idle[i], boost::asio::dynamic_buffer(answer), code);
    EXPECT_EQ(answer.find("GET 1 0") != std::string::npos, i != 1) << i;
  }
}

TEST_F(ListenerTest, ARequestMayHaveAWholeAddressAndEmptyLinesBefore) {
  const std::string end =
      " HTTP/1.1\r\nHost: other.test\r\nAuthorization: bEaReR  777\r\nConnection: close\r\n\r\n";
  const std::string whole = send("GET http://mash.test:80/fields?a=1" + end);
  EXPECT_THAT(whole, HasSubstr(" 777 "));
  EXPECT_THAT(whole, HasSubstr(" mash.test:80 "));
  EXPECT_THAT(whole, Not(HasSubstr("other.test")));
  EXPECT_THAT(send("GET HTTP://mash.test" + end), HasSubstr("GET 0 0"));
  EXPECT_THAT(send("GET https://mash.test?a=1" + end), HasSubstr("GET 0 0"));
  for (const char* target : {"http://", "http:///a", "http://me@mash.test/", "http:/a", "ftp://mash.test/",
                             "a", "http://mash.test/../a", "*"})
    EXPECT_THAT(send(std::string("GET ") + target + end), HasSubstr("400 Bad Request")) << target;
  const std::string request = "GET /a HTTP/1.1\r\nHost: x\r\n";
  const std::string two = send("\r\n\r\n" + request + "\r\n\r\n" + request + "Connection: close\r\n\r\n");
  EXPECT_THAT(two, ::testing::StartsWith("HTTP/1.1 200"));
  EXPECT_NE(two.find("HTTP/1.1 200", 1), std::string::npos);
}

TEST_F(ListenerTest, OnlyOlderRequestsNeedNoHost) {
  EXPECT_THAT(send("GET / HTTP/1.1\r\nConnection: close\r\n\r\n"), HasSubstr("found no Host"));
  EXPECT_THAT(send("GET / HTTP/1.0\r\n\r\n"), HasSubstr("GET 0 0"));
}

TEST_F(ListenerTest, ABodyIsAskedForWhereItsClientWaitsForThat) {
  settings_.read_seconds = 20;
  const auto request = [](const char* expected, int num_bytes) {
    return fmt::format(
        "POST /a HTTP/1.1\r\nHost: x\r\nExpect: {}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        expected, num_bytes);
  };
  const auto waits = connect(request("100-Continue", 3));
  EXPECT_EQ(first_line(*waits), "HTTP/1.1 100 Continue\r");
  EXPECT_EQ(first_line(*waits), "\r");
  *waits << "abc" << std::flush;
  EXPECT_THAT(rest(*waits), HasSubstr("POST 1 3"));
  EXPECT_THAT(send(request("100-continue", 1001)), ::testing::StartsWith("HTTP/1.1 413"));
  EXPECT_THAT(send(request("tea", 3)), ::testing::StartsWith("HTTP/1.1 417"));
}

TEST_F(ListenerTest, AMistakeOfOursTellsNothing) {
  const std::string answer = send("GET /throws HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
  EXPECT_THAT(answer, HasSubstr("500 Internal Server Error"));
  EXPECT_THAT(answer, Not(HasSubstr("secret")));
}

TEST_F(ListenerTest, SlowClientsHoldUpNobody) {
  settings_.read_seconds = 1000;  // none of them ends before the quick one has given up
  std::vector<std::unique_ptr<Connection>> slow;
  for (int i = 0; i < 15; ++i) slow.push_back(connect("GET / HTTP/1.1\r\nHost: x\r\nX: "));
  EXPECT_THAT(send("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"), HasSubstr("GET 0 0"));
}

TEST_F(ListenerTest, SlowClientsAreDropped) {
  const auto slow = connect("GET / HTTP/1.1\r\nHost: x\r\nX: ");
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
  const std::string close = " / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
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
