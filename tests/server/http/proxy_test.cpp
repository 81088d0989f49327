// SPDX-License-Identifier: Apache-2.0
// The server behind nginx, with the configuration of server/deploy: no second request hides in the first.
#include <signal.h>
#include <unistd.h>

#include <boost/asio.hpp>
#include <fstream>
#include <regex>
#include <sstream>
#include <thread>

#include "framework/base/child_process.hpp"
#include "framework/base/file.hpp"
#include "tests/records/sample.hpp"
#include "tests/support/free_port.hpp"
#include "tests/support/places.hpp"

namespace mash {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using Tcp = boost::asio::ip::tcp;

constexpr const char* kNginx = "/usr/sbin/nginx";

// The host of the deployed configuration without TLS, at `port` before `upstream`.
std::string configuration(const std::filesystem::path& folder, const std::string& port,
                          const std::string& upstream) {
  std::string text = *read_file(mash::testing::source_folder() + "/server/deploy/nginx.conf");
  const std::size_t others = text.find("server {\n  listen 80;"),
                    host = text.find("server {\n  listen 443 ssl http2;");
  EXPECT_NE(others, std::string::npos);
  EXPECT_NE(host, std::string::npos);
  text.erase(others, host - others);
  text = std::regex_replace(text, std::regex("listen 443 ssl http2;"), "listen 127.0.0.1:" + port + ";");
  text = std::regex_replace(text, std::regex("127\\.0\\.0\\.1:8080"), "127.0.0.1:" + upstream);
  text = std::regex_replace(text, std::regex("\n[^\n]*(ssl|\\[::\\])[^\n]*"), "");
  const std::string own = folder.string();
  return fmt::format(
      "daemon off;\npid {0}/nginx.pid;\nerror_log stderr;\nevents {{}}\nhttp {{\naccess_log off;\n"
      "client_body_temp_path {0}/body;\nproxy_temp_path {0}/proxy;\nfastcgi_temp_path {0}/f;\n"
      "uwsgi_temp_path {0}/u;\nscgi_temp_path {0}/s;\n{1}\n}}\n",
      own, text);
}

class Proxy : public ::testing::Test {
 protected:
  void SetUp() override {
    if (::access(kNginx, X_OK) != 0) GTEST_SKIP() << "no nginx: install nginx-light";
    ASSERT_TRUE(Records::open(folder_ / "mash.db").ok());
    start(server_,
          {MASH_SERVER, "--db", folder_ / "mash.db", "--port", "0", "--log", "requests", "--trusted-proxy"});
    const std::string upstream = said("http://127\\.0\\.0\\.1:(\\d+)/");
    std::ofstream(folder_ / "nginx.conf") << configuration(folder_.path(), port_, upstream);
    start(nginx_, {kNginx, "-c", folder_ / "nginx.conf"});
    for (int i = 0; i < 100 && send("GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n").empty();
         ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  static void start(std::optional<ChildProcess>& program, std::vector<std::string> arguments) {
    ChildCommand command;
    command.arguments = std::move(arguments);
    command.group = ChildCommand::Group::kOwn;
    program.emplace(std::move(*ChildProcess::start(command)));
  }
  // The match in what the server says.
  std::string said(const std::string& pattern) {
    std::smatch match;
    for (int i = 0; i < 100; ++i) {
      server_->wait_for(0.05);
      const std::string text = server_->err_so_far();
      if (std::regex_search(text, match, std::regex(pattern))) return match[1].str();
    }
    return "";
  }
  // All that comes back until nginx closes; empty where nobody listens.
  std::string send(const std::string& text) const {
    Tcp::iostream stream;
    stream.expires_after(std::chrono::seconds(3));
    stream.connect("127.0.0.1", port_);
    stream << text << std::flush;
    std::ostringstream all;
    all << stream.rdbuf();
    return all.str();
  }

  sample::Folder folder_;
  std::string port_ = std::to_string(testing::free_port());
  std::optional<ChildProcess> server_, nginx_;
};

TEST_F(Proxy, NoRequestHidesInAnother) {
  const std::string hidden = "GET /hidden HTTP/1.1\r\nHost: x\r\nX: ";
  const std::string post = "POST /login HTTP/1.1\r\nHost: x\r\n";
  const std::string chunked = "0\r\n\r\n" + hidden;
  const std::vector<std::string> attempts = {
      post + fmt::format("Content-Length: {}\r\nTransfer-Encoding: chunked\r\n\r\n", chunked.size()) +
          chunked,
      post + fmt::format("Content-Length: {}\r\nTransfer-Encoding: xchunked\r\n\r\n", chunked.size()) +
          chunked,
      post + "Transfer-Encoding: xchunked\r\n\r\n" + chunked,
      post + "Transfer-Encoding: chunked, chunked\r\n\r\n" + chunked,
      post + "Transfer-Encoding: identity\r\n\r\n" + hidden,
      post + fmt::format("Content-Length: {}\r\nTransfer-Encoding : chunked\r\n\r\n", chunked.size()) +
          chunked,
      post + fmt::format("Content-Length: {}\r\nTransfer-Encoding:\tchunked\r\n\r\n", chunked.size()) +
          chunked,
      post + fmt::format("Content-Length: {}\r\nX: y\nTransfer-Encoding: chunked\r\n\r\n", chunked.size()) +
          chunked,
      post + fmt::format("Content-Length: 0\r\nContent-Length: {}\r\n\r\n", hidden.size()) + hidden,
      post + fmt::format("Content-Length: {}, 0\r\n\r\n", hidden.size()) + hidden,
      post + fmt::format("Content-Length: +{}\r\n\r\n", hidden.size()) + hidden,
      post + "Transfer-Encoding: chunked\r\n\r\n-1\r\n" + hidden,
      post + "Transfer-Encoding: chunked\r\n\r\n00000000000000000\n" + hidden,
      "GET / HTTP/1.1\r\nHost: x\r\nContent-Length: " + std::to_string(hidden.size()) + "\r\n\r\n" + hidden};
  for (const std::string& attempt : attempts) {
    send(attempt);
    EXPECT_THAT(send("GET /after HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"), HasSubstr("404"))
        << attempt;
  }
  EXPECT_EQ(said("\"target\":\"(/after)\""), "/after");
  EXPECT_THAT(server_->err_so_far(), Not(HasSubstr("/hidden")));
}

TEST_F(Proxy, NobodySaysForWhomTheyAre) {
  send("GET /who HTTP/1.1\r\nHost: x\r\nX-Real-IP: 192.0.2.7\r\nConnection: close\r\n\r\n");
  EXPECT_EQ(said("\"client\":\"([0-9.]+)\",[^\n]*/who"), "127.0.0.1");
}

}  // namespace
}  // namespace mash
