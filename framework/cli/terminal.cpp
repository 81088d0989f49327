// SPDX-License-Identifier: Apache-2.0
#include "framework/cli/terminal.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <mutex>

#include "framework/base/part_of_progress.hpp"
#include "framework/base/program_end.hpp"
#include "framework/base/utf8.hpp"

namespace mash {
namespace {

// State of the task that is under way, for bars and lines.
class Task {
 public:
  void start(std::string name, std::size_t total, std::string unit) {
    name_ = std::move(name);
    unit_ = std::move(unit);
    note_.clear();
    total_ = std::max<std::size_t>(total, 1);
    done_ = 0;
    watch_ = Stopwatch();
  }
  void advance(std::size_t steps) { done_ += steps; }
  void note(std::string text) { note_ = std::move(text); }

  const std::string& name() const { return name_; }
  double seconds() const { return watch_.seconds(); }
  double share() const { return double(std::min(done_, total_)) / double(total_); }
  // "120/400 images, 35/s", "30 %".
  std::string count() const {
    if (unit_ == kShares) return fmt::format("{:.0f} %", 100 * share());
    const double rate = seconds() > 0 ? double(done_) / seconds() : 0;
    return fmt::format("{}/{} {}, {:.0f}/s", std::min(done_, total_), total_, unit_, rate);
  }
  // ", 3 min left, " and the note, or less.
  std::string rest() const {
    constexpr double kKnownAfter = 0.5;  // seconds
    std::string text;
    if (share() > 0 && seconds() > kKnownAfter)
      text = fmt::format(", {} left", rough_duration(seconds() * (1 - share()) / share()));
    return note_.empty() ? text : text + ", " + note_;
  }

 private:
  std::string name_, unit_, note_;
  std::size_t total_ = 1, done_ = 0;
  Stopwatch watch_;
};

// A Task that is shown from time to time.
class ShownProgress : public Progress {
 public:
  // seconds_between: of two drawings, of whichever task.
  explicit ShownProgress(double seconds_between) : seconds_between_(seconds_between) {}

  void start(std::string name, std::size_t total, std::string unit) override {
    finish();
    const std::lock_guard lock(mutex_);
    task_.start(std::move(name), total, std::move(unit));
    is_active_ = true;
    begin(task_);
  }
  void advance(std::size_t steps) override {
    const std::lock_guard lock(mutex_);
    task_.advance(steps);
    if (!is_active_ || since_drawn_.seconds() < seconds_between_) return;
    since_drawn_ = Stopwatch();
    draw(task_);
  }
  void note(std::string text) override {
    const std::lock_guard lock(mutex_);
    task_.note(std::move(text));
  }
  void finish() override {
    const std::lock_guard lock(mutex_);
    if (!is_active_) return;
    is_active_ = false;
    end();
  }

 private:
  virtual void begin(const Task& task) = 0;
  virtual void draw(const Task& task) = 0;
  virtual void end() = 0;

  double seconds_between_;
  std::mutex mutex_;
  Task task_;
  Stopwatch since_drawn_;
  bool is_active_ = false;
};

class Bar final : public ShownProgress {
 public:
  // with_escapes: in colour, and cleared by an escape sequence instead of blanks.
  explicit Bar(bool with_escapes) : ShownProgress(0.1), with_escapes_(with_escapes) {}
  ~Bar() override { finish(); }

 private:
  void begin(const Task& task) override { draw(task); }
  void draw(const Task& task) override {
    constexpr std::size_t kWidth = 24;
    const auto filled = std::size_t(task.share() * kWidth);
    const char* colour = with_escapes_ ? "\033[32m" : "";
    const char* plain = with_escapes_ ? "\033[0m" : "";
    const std::string text = fmt::format("{} {}{:█>{}}{:░>{}}{} {}{}", task.name(), colour, "", filled, "",
                                         kWidth - filled, plain, task.count(), task.rest());
    clear();
    print_error_text(text);
    num_drawn_ = num_code_points(text);
  }
  void end() override { clear(); }
  void clear() {
    print_error_text(with_escapes_ ? "\r\033[K" : fmt::format("\r{:{}}\r", "", num_drawn_));
    num_drawn_ = 0;
  }

  bool with_escapes_;
  std::size_t num_drawn_ = 0;  // characters in the line
};

class Lines final : public ShownProgress {
 public:
  explicit Lines(double seconds_between) : ShownProgress(seconds_between) {}
  ~Lines() override { finish(); }

 private:
  void begin(const Task&) override {}
  void draw(const Task& task) override {
    print_error_text(fmt::format("{}: {}{}\n", task.name(), task.count(), task.rest()));
  }
  void end() override {}
};

class StderrRemarks final : public Remarks {
 public:
  void warn(std::string_view text) override {
    print_error_text(fmt::format("warning: {}\n", harmless(text)));
  }
  void tell(std::string_view text) override { print_error_text(harmless(text) + "\n"); }
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

bool is_terminal(int descriptor) {
  const char* kind = std::getenv("TERM");
  return ::isatty(descriptor) != 0 && kind != nullptr && *kind != 0 && std::string_view(kind) != "dumb";
}

bool takes_escapes(int descriptor) {
  const char* no_color = std::getenv("NO_COLOR");
  return is_terminal(descriptor) && (no_color == nullptr || *no_color == 0);
}

std::unique_ptr<Progress> terminal_progress() {
  constexpr double kSecondsBetweenLines = 10;
  if (is_terminal(STDERR_FILENO)) return std::make_unique<Bar>(takes_escapes(STDERR_FILENO));
  return progress_in_lines(kSecondsBetweenLines);
}

std::unique_ptr<Progress> progress_in_lines(double seconds_between) {
  return std::make_unique<Lines>(seconds_between);
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
  std::string lines;
  for (;;) {
    const std::size_t tab = text.find('\t');
    lines += printable_lines(text.substr(0, tab), SIZE_MAX);
    if (tab == text.npos) return lines;
    lines += '\t';
    text.remove_prefix(tab + 1);
  }
}

}  // namespace mash
