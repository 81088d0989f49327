// SPDX-License-Identifier: Apache-2.0
#include "framework/isolation/worker_process.hpp"

#include <fmt/ranges.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstring>
#include <fstream>
#include <utility>

#include "framework/base/running_program.hpp"
#include "framework/base/utf8.hpp"
#include "framework/isolation/box_layers.hpp"

namespace mash {
namespace {

constexpr std::string_view kProgramName = "mash-worker";
constexpr int kSignalled = 128;  // + a signal: what a box's exit code is when that ended its program
constexpr int kNumSignals = 64;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kLimitsAddresses = false;  // sanitizers reserve terabytes
#else
constexpr bool kLimitsAddresses = true;
#endif

// A program that ends by a signal in a box comes out of it with an exit code, which a plugin can give as
// well.
std::string in_words(const ExitStatus& status, bool is_boxed) {
  if (status.signal == 0 && status.exit_code == kLostChannel) return std::string(kClosedChannel);
  const int signal = status.exit_code - kSignalled;
  if (!is_boxed || status.signal != 0 || signal <= 0 || signal > kNumSignals) return status.describe();
  return fmt::format("{} or {}", ExitStatus{0, signal}.describe(), status.describe());
}

}  // namespace

Result<std::filesystem::path> find_worker_program(std::span<const std::filesystem::path> folders) {
  std::vector<std::string> places;
  for (const std::filesystem::path& folder : folders) {
    const std::filesystem::path file = folder / kProgramName;
    if (::access(file.c_str(), X_OK) == 0) return file;
    places.push_back(file.string());
  }
  return failure("the program {}, which runs plugins apart from this one, is missing; looked for {}",
                 kProgramName, fmt::join(places, ", "));
}

std::vector<std::filesystem::path> worker_folders(const std::filesystem::path& program) {
  const std::filesystem::path folder = program.parent_path();
  return {folder, folder.parent_path() / "libexec" / "mash"};
}

ProcessLimits worker_limits() {
  ProcessLimits limits;
  limits.cpu_seconds = 600;
  limits.file_bytes = std::uint64_t(1) << 30;
  if (kLimitsAddresses) limits.address_bytes = std::uint64_t(4) << 30;
  limits.core_bytes = 0;
  return limits;
}

Result<ChildProcess> start_worker(WorkerTask task, const WorkerPlace& place) {
  MASH_ASSIGN(const std::filesystem::path program, find_worker_program(worker_folders(running_program())));
  ChildCommand command;
  command.arguments = {program.string()};
  command.variables = std::move(task.variables);
  // A thread of OpenBLAS for each core would take memory and time, and sums would depend on their number.
  command.variables.push_back("OPENBLAS_NUM_THREADS=1");
  if (!place.is_box() && !place.scratch.empty())
    command.variables.push_back("TMPDIR=" + place.scratch.string());
  command.descriptors = std::move(task.descriptors);
  command.max_output_bytes = task.max_error_bytes;
  command.keeps = ChildCommand::Keeps::kEnd;
  command.limits = task.limits;
  command.group = ChildCommand::Group::kOwn;
  command.patience_seconds = 0;
  if (place.is_box()) {
    MASH_TRY(check_box());
    MASH_ASSIGN(command, boxed(std::move(command), task.box));
    if (place.group != nullptr) place.group->take_in(command);
  }
  return ChildProcess::start(std::move(command));
}

std::optional<int> hear_first_word(ChildProcess& process, int channel, std::uint64_t word) {
  constexpr int kLookMilliseconds = 20;
  pollfd wanted{channel, POLLIN, 0};
  const Stopwatch watch;
  int num_ready = 0;
  while (num_ready == 0 && watch.seconds() < kStartSeconds && !process.has_ended())
    num_ready = std::max(0, ::poll(&wanted, 1, kLookMilliseconds));
  if (num_ready == 0 && ::poll(&wanted, 1, 0) <= 0) return std::nullopt;
  std::uint64_t heard = 0;
  struct stat about {};
  if (::fstat(channel, &about) == 0 && S_ISFIFO(about.st_mode))
    return ::read(channel, &heard, sizeof heard) == sizeof heard && heard == word
               ? std::optional(process.pid())
               : std::nullopt;
  iovec data{&heard, sizeof heard};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(ucred))> control;
  msghdr message{};
  message.msg_iov = &data;
  message.msg_iovlen = 1;
  message.msg_control = control.data();
  message.msg_controllen = control.size();
  const ssize_t num_bytes = ::recvmsg(channel, &message, MSG_DONTWAIT);
  const cmsghdr* header = num_bytes > 0 ? CMSG_FIRSTHDR(&message) : nullptr;
  if (num_bytes != sizeof heard || heard != word || header == nullptr || header->cmsg_type != SCM_CREDENTIALS)
    return std::nullopt;
  ucred sender{};
  std::memcpy(&sender, CMSG_DATA(header), sizeof sender);
  const int off = 0;
  ::setsockopt(channel, SOL_SOCKET, SO_PASSCRED, &off, sizeof off);
  return sender.pid;
}

double processor_seconds_of(int pid) {
  clockid_t clock{};
  timespec used{};
  if (pid == 0 || ::clock_getcpuclockid(pid, &clock) != 0 || ::clock_gettime(clock, &used) != 0) return 0;
  return double(used.tv_sec) + 1e-9 * double(used.tv_nsec);
}

WorkerTimes worker_times(int pid) {
  WorkerTimes times{std::chrono::steady_clock::now(), 0, 0};
  if (pid == 0) return times;
  std::ifstream file(fmt::format("/proc/{}/schedstat", pid));  // a kernel without it counts none
  double run_ns = 0, waited_ns = 0;
  if (file >> run_ns >> waited_ns) times.waited = waited_ns * 1e-9;
  times.processor = processor_seconds_of(pid);
  return times;
}

double counted_seconds(const WorkerTimes& begin, const WorkerTimes& end, double most_waits) {
  const double wall = std::chrono::duration<double>(end.wall - begin.wall).count();
  return wall - std::clamp(end.waited - begin.waited, 0.0, most_waits);
}

std::string uncaught_exception(std::string_view errors) {
  constexpr std::string_view kBegin = "terminate called after throwing an instance of '",
                             kWhat = "  what():  ";
  const std::size_t begin = errors.rfind(kBegin);
  if (begin == std::string_view::npos) return "";
  const std::string_view rest = errors.substr(begin + kBegin.size());
  const std::size_t end_of_name = rest.find('\'');
  if (end_of_name == std::string_view::npos) return "";
  std::string text = fmt::format("uncaught {}", rest.substr(0, end_of_name));
  const std::size_t what = rest.find(kWhat, end_of_name);
  if (what == std::string_view::npos) return text;
  const std::string_view words = rest.substr(what + kWhat.size());
  return fmt::format("{}: {}", text, words.substr(0, words.find('\n')));
}

std::string words_with_exception(std::string_view words, std::string_view exception) {
  return exception.empty() ? std::string(words) : fmt::format("{}: {}", words, exception);
}

WorkerExit end_worker(ChildProcess& process, bool is_boxed, double patience_seconds) {
  const bool ended_itself = patience_seconds > 0 && process.wait_for(patience_seconds);
  process.end();
  const ChildResult result = process.wait();
  const auto was = [&](int signal) {
    return result.status.signal == signal || (is_boxed && result.status.exit_code == kSignalled + signal);
  };
  std::string errors = printable_lines(result.err, result.err.size());
  return {result.status, ended_itself ? in_words(result.status, is_boxed) : "",
          ended_itself && was(SIGABRT) ? uncaught_exception(errors) : "", ended_itself && was(SIGKILL),
          std::move(errors)};
}

}  // namespace mash
