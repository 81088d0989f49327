// SPDX-License-Identifier: Apache-2.0
#include "framework/checks/worker.hpp"

#include <fcntl.h>
#include <sys/auxv.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "framework/base/bounded_json.hpp"
#include "framework/checks/step_service.hpp"
#include "framework/isolation/line_worker.hpp"

namespace mash::checks {
namespace {

using Json = nlohmann::json;

void write_all(const std::string& text) {
  for (std::size_t begin = 0; begin < text.size();) {
    const ssize_t num_bytes = ::write(kWorkerDescriptor, text.data() + begin, text.size() - begin);
    if (num_bytes < 0 && errno == EINTR) continue;
    if (num_bytes <= 0) std::_Exit(kLostChannel);
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
    if (num_bytes == 0) std::_Exit(0);
    if (num_bytes < 0 && errno != EINTR) std::_Exit(kLostChannel);
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

// Also where the program found it when it began, which is not always where the C library has it now:
// "NAME=VALUE" is zeros there. Arguments, variables and the name of the program's file lie side by side.
void forget_variable(const std::string& name) {
  ::unsetenv(name.c_str());
  const std::string begin = name + "=";
  const char* end = reinterpret_cast<const char*>(::getauxval(AT_EXECFN));
  for (char* word = program_invocation_name; word < end;) {
    const std::size_t size = std::strlen(word);
    if (std::string_view(word, size).starts_with(begin)) std::fill_n(word, size, '\0');
    word += size + 1;
  }
}

WorkerWalls walls_of(const Json& request) {
  WorkerWalls walls;
  if (request.contains("walls")) walls.isolation = *isolation_named(request.at("walls").get<std::string>());
  if (request.value("threads", false)) walls.threads = Threads::kAllowed;
  return walls;
}

}  // namespace

void run_worker() {
  Requests requests;
  const Json request = parse_object(requests.line());
  if (!request.contains("plugin")) return;
  if (::write(kWorkerDescriptor, &kLineWorkerHello, sizeof kLineWorkerHello) != sizeof kLineWorkerHello)
    std::_Exit(1);
  report_crashes_to(kWorkerDescriptor);
  if (request.contains("log")) {
    const int file =
        ::open(request.at("log").get<std::string>().c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
    ::dup2(file, STDERR_FILENO);
  }
  for (const Json& name : request.value("forget", Json::array())) forget_variable(name);
  hear_logs(log);
  StepService service(request.at("plugin").get<std::string>(), request.at("heuristic_idx"),
                      walls_of(request));
  for (;;) {
    const std::string line = requests.line();
    const std::string bytes = requests.bytes(num_bytes_after(line));
    const StepMessage answer = message_of(service.answer(step_in(line, bytes)));
    write_all(answer.line + "\n" + answer.bytes);
  }
}

}  // namespace mash::checks
