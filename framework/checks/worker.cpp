// SPDX-License-Identifier: Apache-2.0
#include "framework/checks/worker.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

#include "framework/base/bounded_json.hpp"
#include "framework/base/require.hpp"
#include "framework/checks/step_service.hpp"
#include "framework/isolation/line_worker.hpp"

namespace mash::checks {
namespace {

using Json = nlohmann::json;

void write_all(const std::string& text) {
  for (std::size_t begin = 0; begin < text.size();) {
    const ssize_t num_bytes = ::write(kWorkerDescriptor, text.data() + begin, text.size() - begin);
    if (num_bytes < 0 && errno == EINTR) continue;
    if (num_bytes <= 0) std::_Exit(1);
    begin += std::size_t(num_bytes);
  }
}

void log(const std::string& line) {
  write_all(Json{{"log", line}}.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n");
}

// The bytes that come, read as they are wanted.
class Requests {
 public:
  std::string line() {
    std::size_t end = 0;
    while ((end = unread_.find('\n')) == std::string::npos) read_more();
    return cut(end + 1).substr(0, end);
  }
  std::string bytes(std::size_t count) {
    while (unread_.size() < count) read_more();
    return cut(count);
  }

 private:
  // Ends this process where nobody asks any more.
  void read_more() {
    const std::size_t size = unread_.size();
    unread_.resize(size + kPiece);
    const ssize_t num_bytes = ::read(kWorkerDescriptor, unread_.data() + size, kPiece);
    if (num_bytes == 0 || (num_bytes < 0 && errno != EINTR)) std::_Exit(0);
    unread_.resize(size + std::size_t(std::max<ssize_t>(num_bytes, 0)));
  }
  std::string cut(std::size_t count) {
    std::string piece = unread_.substr(0, count);
    unread_.erase(0, count);
    return piece;
  }

  static constexpr std::size_t kPiece = 1 << 16;
  std::string unread_;
};

}  // namespace

bool is_worker_request(const std::string& text) {
  return parse_object(text).contains("plugin") && ::fcntl(kWorkerDescriptor, F_GETFD) != -1;
}

void run_worker(const std::string& text) {
  require(is_worker_request(text), "run_worker: is_worker_request(request)");
  if (::write(kWorkerDescriptor, &kLineWorkerHello, sizeof kLineWorkerHello) != sizeof kLineWorkerHello)
    std::_Exit(1);
  report_crashes_to(kWorkerDescriptor);
  const Json request = parse_object(text);
  if (request.contains("log")) {
    const int file =
        ::open(request.at("log").get<std::string>().c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
    ::dup2(file, STDERR_FILENO);
  }
  hear_logs(log);
  StepService service(request.at("plugin").get<std::string>(), request.at("heuristic_idx"));
  for (Requests requests;;) {
    const std::string line = requests.line();
    const std::string bytes = requests.bytes(num_bytes_after(line));
    const StepMessage answer = message_of(service.answer(step_in(line, bytes)));
    write_all(answer.line + "\n" + answer.bytes);
  }
}

}  // namespace mash::checks
