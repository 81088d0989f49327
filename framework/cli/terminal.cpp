// SPDX-License-Identifier: Apache-2.0
#include "framework/cli/terminal.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <mutex>

#include "framework/base/utf8.hpp"

namespace mash {
namespace {

std::string duration(double seconds) {
  if (seconds < 60) return fmt::format("{:.0f} s", seconds);
  return fmt::format("{} min {:02} s", int(seconds) / 60, int(seconds) % 60);
}

class TerminalProgress final : public Progress {
 public:
  ~TerminalProgress() override { finish(); }

  void start(std::string task, std::size_t total, std::string unit) override {
    finish();
    const std::lock_guard lock(mutex_);
    task_ = std::move(task);
    unit_ = std::move(unit);
    note_.clear();
    total_ = std::max<std::size_t>(total, 1);
    done_ = 0;
    watch_ = Stopwatch();
    last_drawn_ = -1;
    active_ = true;
    draw();
  }

  void advance(std::size_t steps) override {
    const std::lock_guard lock(mutex_);
    done_ += steps;
    if (active_ && watch_.seconds() - last_drawn_ > 0.1) draw();
  }

  void note(std::string text) override {
    const std::lock_guard lock(mutex_);
    note_ = std::move(text);
  }

  void finish() override {
    const std::lock_guard lock(mutex_);
    if (!active_) return;
    active_ = false;
    std::fputs("\r\033[K", stderr);
    std::fflush(stderr);
  }

 private:
  void draw() {
    last_drawn_ = watch_.seconds();
    constexpr std::size_t kWidth = 24;
    const std::size_t shown = std::min(done_, total_);
    const std::size_t filled = shown * kWidth / total_;
    const double rate = last_drawn_ > 0 ? double(shown) / last_drawn_ : 0;
    const std::string left =
        rate > 0 && last_drawn_ > 0.5 ? duration(double(total_ - shown) / rate) + " left" : "";
    const char* colour = std::getenv("NO_COLOR") ? "" : "\033[32m";
    const char* plain = std::getenv("NO_COLOR") ? "" : "\033[0m";
    fmt::print(stderr, "\r\033[K{} {}{:█>{}}{:░>{}}{} {}/{} {} {:.0f}/s {} {}", task_, colour, "", filled, "",
               kWidth - filled, plain, shown, total_, unit_, rate, left, note_);
    std::fflush(stderr);
  }

  std::mutex mutex_;
  std::string task_, unit_, note_;
  std::size_t total_ = 1, done_ = 0;
  Stopwatch watch_;
  double last_drawn_ = -1;
  bool active_ = false;
};

class StderrRemarks final : public Remarks {
 public:
  void warn(std::string_view text) override { fmt::print(stderr, "warning: {}\n", harmless(text)); }
  void tell(std::string_view text) override { fmt::print(stderr, "{}\n", harmless(text)); }
};

StopFlag& flag() {
  static StopFlag instance;
  return instance;
}

extern "C" void on_signal(int signal) {
  if (flag().raised()) std::_Exit(128 + signal);
  flag().raise();
}

}  // namespace

std::unique_ptr<Progress> terminal_progress() {
  if (::isatty(STDERR_FILENO)) return std::make_unique<TerminalProgress>();
  return silent_progress();
}

Remarks& stderr_remarks() {
  static StderrRemarks instance;
  return instance;
}

StopFlag& stop_on_signals() {
  StopFlag& instance = flag();
  std::signal(SIGINT, on_signal);
  std::signal(SIGTERM, on_signal);
  // nohup wants it ignored.
  if (std::signal(SIGHUP, SIG_IGN) != SIG_IGN) std::signal(SIGHUP, on_signal);
  return instance;
}

std::string harmless(std::string_view text) {
  std::string lines(text);
  std::replace_if(
      lines.begin(), lines.end(), [](char c) { return is_control(c) && c != '\n' && c != '\t'; }, '?');
  return lines;
}

}  // namespace mash
