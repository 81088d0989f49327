// SPDX-License-Identifier: Apache-2.0
#include "framework/base/program_end.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <stdexcept>
#include <system_error>

#include "framework/base/file.hpp"
#include "tests/support/scratch_folder.hpp"

namespace mash {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

// Exit code of a program with this body, or minus the signal that ended it; its stderr goes to `err`.
struct Ended {
  int code = 0;
  std::string err;
};

std::string version(std::string_view name) { return fmt::format("{} 1.0", name); }

// prepare: changes the process before the program begins, behind the streams that go to files.
Ended ended(
    const std::function<int()>& body, const std::function<void()>& prepare = [] {}) {
  const testing::ScratchFolder folder;
  const std::filesystem::path err = folder / "err";
  std::fflush(nullptr);
  const pid_t child = ::fork();
  if (child == 0) {
    ::dup2(::open(err.c_str(), O_WRONLY | O_CREAT, 0600), STDERR_FILENO);
    ::dup2(::open("/dev/null", O_WRONLY), STDOUT_FILENO);
    prepare();
    ::_exit(run_guarded("sample", version, body));
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return {WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status),
          read_file(err).ok() ? *read_file(err) : ""};
}

void put(const char* device, int stream) { ::dup2(::open(device, O_WRONLY), stream); }

TEST(RunGuarded, GivesTheCodeOfItsBody) {
  EXPECT_EQ(ended([] { return 0; }).code, 0);
  EXPECT_EQ(ended([] { return 2; }).code, 2);
}

TEST(RunGuarded, LetsNoExceptionLeave) {
  struct Thrown {
    std::function<int()> body;
    const char* message;
  };
  const std::vector<Thrown> table{
      {[]() -> int { throw std::bad_alloc(); }, "sample: out of memory"},
      {[]() -> int { throw std::system_error(EAGAIN, std::generic_category()); },
       "sample: the system refuses what the program needs: Resource temporarily unavailable"},
      {[]() -> int {
         throw std::filesystem::filesystem_error("open", "a/b",
                                                 std::make_error_code(std::errc::no_space_on_device));
       },
       "sample: a/b: No space left on device"},
      {[]() -> int { throw std::runtime_error("odd"); }, "sample: a fault of the program"},
      {[]() -> int { throw 1; }, "sample: "},
  };
  for (const Thrown& one : table) {
    const Ended result = ended(one.body);
    EXPECT_EQ(result.code, 1);
    EXPECT_THAT(result.err, StartsWith(one.message));
    for (const char* device : {"/dev/full", "/dev/null"})
      EXPECT_EQ(ended(one.body, [&] { put(device, STDERR_FILENO), put(device, STDOUT_FILENO); }).code, 1)
          << device;
    EXPECT_EQ(ended(one.body, [] { ::close(0), ::close(1), ::close(2); }).code, 1);
  }
}

TEST(RunGuarded, OpensNoFileInThePlaceOfAClosedStream) {
  const testing::ScratchFolder folder;
  const auto body = [&] {
    const int opened = ::open((folder / "file").c_str(), O_WRONLY | O_CREAT, 0600);
    fmt::print("text");
    print_error_text("text");
    return flush_output().ok() ? 0 : opened > 2 ? 7 : 8;
  };
  EXPECT_EQ(ended(body, [] { ::close(0), ::close(1), ::close(2); }).code, 7);
  EXPECT_EQ(std::filesystem::file_size(folder / "file"), 0u);
}

TEST(FlushOutput, FailsWhereTheOutputIsLost) {
  const auto body = [] {
    fmt::print("text");
    const Status flushed = flush_output();
    if (!flushed.ok()) print_error_text(flushed.error().message);
    return flushed.ok() ? 0 : 1;
  };
  EXPECT_EQ(ended(body).code, 0);
  const Ended full = ended(body, [] { put("/dev/full", STDOUT_FILENO); });
  EXPECT_EQ(full.code, 1);
  EXPECT_EQ(full.err, "the output cannot be written: No space left on device");
}

TEST(OutliveFileLimits, MakesAFileThatMayNotGrowAnError) {
  const testing::ScratchFolder folder;
  const auto body = [&] {
    outlive_file_limits();
    return write_file_atomically(folder / "large", std::string(100'000, 'x')).ok() ? 0 : 3;
  };
  const auto limit = [] {
    const rlimit small{1000, 1000};
    ::setrlimit(RLIMIT_FSIZE, &small);
  };
  EXPECT_EQ(ended(body, limit).code, 3);
  EXPECT_FALSE(std::filesystem::exists(folder / "large"));
}

}  // namespace
}  // namespace mash
