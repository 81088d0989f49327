// SPDX-License-Identifier: Apache-2.0
#include "framework/net/http_download.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "framework/base/file.hpp"
#include "framework/base/hash.hpp"
#include "framework/base/random.hpp"
#include "tests/support/free_port.hpp"
#include "tests/support/scratch_folder.hpp"
#include "tests/support/scripted_server.hpp"

namespace mash {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;
using testing::ScriptedServer;

std::string random_text(std::size_t size) {
  RandomStream random(1, "test: a file");
  std::string text(size, '\0');
  for (char& c : text) c = char(random.below(256));
  return text;
}

// An answer that promises all from `first` on, and is cut off before `end`.
std::string answer(const std::string& content, std::size_t first, std::size_t end, bool has_ranges = true) {
  const bool is_part = has_ranges && first > 0;
  const std::size_t begin = is_part ? first : 0;
  std::string head = fmt::format("HTTP/1.1 {} x\r\nContent-Length: {}\r\nConnection: close\r\n",
                                 is_part ? 206 : 200, content.size() - begin);
  if (is_part)
    head += fmt::format("Content-Range: bytes {}-{}/{}\r\n", begin, content.size() - 1, content.size());
  return head + "\r\n" + content.substr(begin, end - begin);
}

class Downloads : public ::testing::Test {
 protected:
  Result<std::uint64_t> get(std::vector<std::string> addresses) {
    file_.addresses = std::move(addresses);
    const Workers workers(1);
    return download(file_, path_, settings_, {workers, no_progress(), no_remarks(), stop_});
  }
  void expect_whole(const Result<std::uint64_t>& received) const {
    ASSERT_TRUE(received.ok()) << received.error().message;
    EXPECT_EQ(*read_file(path_), content_);
    EXPECT_FALSE(fs::exists(part_));
  }
  void expect_nothing(const Result<std::uint64_t>& received, const std::vector<std::string>& words) const {
    ASSERT_FALSE(received.ok());
    EXPECT_EQ(received.error().kind, ErrorKind::kFailure);
    for (const std::string& word : words) EXPECT_THAT(received.error().message, HasSubstr(word));
    EXPECT_FALSE(fs::exists(path_));
  }
  static std::string range_of(const ScriptedServer::Request& request) {
    return std::string(request[boost::beast::http::field::range]);
  }

  testing::ScratchFolder folder_;
  fs::path path_ = folder_ / "file", part_ = folder_ / "file.part";
  std::string content_ = random_text(100'000);
  RemoteFile file_{{}, sha256(content_), content_.size()};
  DownloadSettings settings_{3, 0.001, {2, 2}};
  StopFlag stop_;
};

TEST_F(Downloads, BringAFile) {
  ScriptedServer server({answer(content_, 0, content_.size())});
  const auto received = get({server.url() + "/file"});
  expect_whole(received);
  EXPECT_EQ(*received, content_.size());
  EXPECT_EQ(server.requests()[0].target(), "/file");
  EXPECT_EQ(range_of(server.requests()[0]), "");
}

TEST_F(Downloads, GoOnWhereTheConnectionWasCut) {
  ScriptedServer server(
      {answer(content_, 0, 40'000), answer(content_, 40'000, 70'000), answer(content_, 70'000, 100'000)});
  const auto received = get({server.url()});
  expect_whole(received);
  EXPECT_EQ(*received, content_.size()) << "nothing came twice";
  EXPECT_EQ(range_of(server.requests().at(1)), "bytes=40000-");
  EXPECT_EQ(range_of(server.requests().at(2)), "bytes=70000-");
}

TEST_F(Downloads, BeginAgainWhereAServerKnowsNoRanges) {
  ScriptedServer server({answer(content_, 0, 40'000), answer(content_, 40'000, 100'000, false)});
  const auto received = get({server.url()});
  expect_whole(received);
  EXPECT_EQ(*received, 140'000u);
}

TEST_F(Downloads, GoOnFromAnEarlierCall) {
  ASSERT_TRUE(write_file_atomically(part_, content_.substr(0, 99'999)).ok());
  ScriptedServer server({answer(content_, 99'999, 100'000)});
  const auto received = get({server.url()});
  expect_whole(received);
  EXPECT_EQ(*received, 1u);
}

TEST_F(Downloads, AskNobodyForWhatIsThere) {
  ASSERT_TRUE(write_file_atomically(part_, content_).ok());
  ScriptedServer server({});
  expect_whole(get({server.url()}));
  EXPECT_TRUE(server.requests().empty());
}

TEST_F(Downloads, BeginAgainWhereThePartIsAnotherFiles) {
  ASSERT_TRUE(write_file_atomically(part_, std::string(50'000, 'x')).ok());
  ScriptedServer server({answer(content_, 50'000, 100'000), answer(content_, 0, 100'000)});
  expect_whole(get({server.url()}));
  EXPECT_EQ(range_of(server.requests().at(1)), "");
}

TEST_F(Downloads, BeginAgainWhereThePartIsTooLong) {
  file_.num_bytes.reset();
  ASSERT_TRUE(write_file_atomically(part_, content_ + "and more").ok());
  ScriptedServer server({testing::http_answer(416, ""), answer(content_, 0, 100'000)});
  expect_whole(get({server.url()}));
}

// Cut anywhere any number of times, with ranges and without.
TEST_F(Downloads, BringTheFileHoweverOftenTheyAreCut) {
  RandomStream random(5, "test: cuts");
  for (int sequence = 0; sequence < 20; ++sequence) {
    std::vector<std::string> answers;
    const bool has_ranges = sequence % 3 != 0;
    std::size_t at = 0;
    while (at < content_.size()) {
      const std::size_t end = std::min(content_.size(), at + 1 + std::size_t(random.below(60'000)));
      answers.push_back(answer(content_, at, end, has_ranges));
      at = end;
    }
    ScriptedServer server(answers);
    fs::remove(path_);
    expect_whole(get({server.url()}));
    EXPECT_EQ(server.requests().size(), answers.size());
  }
}

TEST_F(Downloads, RefuseAWrongChecksum) {
  std::string other = content_;
  other[77] = char(other[77] ^ 1);
  ScriptedServer server({answer(other, 0, 100'000)});
  expect_nothing(get({server.url()}), {"wrong checksum", sha256(other), sha256(content_)});
  EXPECT_FALSE(fs::exists(part_)) << "or the next call would begin with it";
  EXPECT_EQ(server.requests().size(), 1u);
}

TEST_F(Downloads, TurnToTheNextAddress) {
  ScriptedServer wrong({answer(std::string(100'000, 'x'), 0, 100'000)}),
      absent({testing::http_answer(404, "no")}), right({answer(content_, 0, 100'000)});
  expect_whole(get({wrong.url(), absent.url(), right.url()}));
}

TEST_F(Downloads, SayWhatEachAddressSaid) {
  ScriptedServer absent({testing::http_answer(404, "no")}),
      broken(std::vector<std::string>(9, testing::http_answer(503, "")));
  expect_nothing(get({absent.url(), broken.url()}),
                 {absent.url() + ": the server answered 404", broken.url() + ": the server answered 503"});
  EXPECT_EQ(absent.requests().size(), 1u) << "asking again does not help";
  EXPECT_EQ(broken.requests().size(), 3u);
}

TEST_F(Downloads, WaitForAServerThatIsBusy) {
  ScriptedServer server(
      {testing::http_answer(503, ""), testing::http_answer(429, ""), answer(content_, 0, 100'000)});
  expect_whole(get({server.url()}));
}

TEST_F(Downloads, TakeNoMoreThanIsExpected) {
  const std::string more = content_ + "x";
  ScriptedServer server({answer(more, 0, more.size())});
  expect_nothing(get({server.url()}), {"more than the 100000 bytes"});
}

TEST_F(Downloads, TakeNoPartThatWasNotAskedFor) {
  ASSERT_TRUE(write_file_atomically(part_, content_.substr(0, 500)).ok());
  ScriptedServer server({answer(content_, 600, 100'000)});
  expect_nothing(get({server.url()}), {"another part"});
  EXPECT_EQ(fs::file_size(part_), 500u) << "what was there stays";
}

TEST_F(Downloads, EndWhereNobodyAnswers) {
  expect_nothing(get({fmt::format("http://127.0.0.1:{}", testing::free_port())}), {"http://127.0.0.1:"});
}

TEST_F(Downloads, EndWhereAServerIsSilent) {
  settings_.most_attempts = 1;
  settings_.limits = {1, 1};
  ScriptedServer server({testing::kSilence});
  expect_nothing(get({server.url()}), {server.url()});
}

TEST_F(Downloads, CanBeStopped) {
  ASSERT_TRUE(write_file_atomically(part_, content_.substr(0, 500)).ok());
  stop_.raise();
  ScriptedServer server({answer(content_, 500, 100'000)});
  const auto received = get({server.url()});
  ASSERT_FALSE(received.ok());
  EXPECT_EQ(received.error().kind, ErrorKind::kStopped);
  EXPECT_TRUE(fs::exists(part_));
}

}  // namespace
}  // namespace mash
