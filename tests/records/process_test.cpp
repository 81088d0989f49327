// SPDX-License-Identifier: Apache-2.0
#include "framework/records/internal/process.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

namespace mash {
namespace {

TEST(Process, ThisOneLives) {
  const ProcessIdentity self = this_process();
  EXPECT_EQ(self.pid, ::getpid());
  EXPECT_GT(self.start, 0);
  EXPECT_EQ(self.boot_id.size(), 36u);
  EXPECT_TRUE(is_alive(self));
}

TEST(Process, ANumberThatIsUsedAgainIsAnotherProcess) {
  ProcessIdentity other = this_process();
  other.start -= 1;
  EXPECT_FALSE(is_alive(other));
}

TEST(Process, NothingSurvivesABoot) {
  ProcessIdentity other = this_process();
  other.boot_id = "00000000-0000-0000-0000-000000000000";
  EXPECT_FALSE(is_alive(other));
}

// The child says itself what it is, before it waits for its end.
TEST(Process, AZombieIsDead) {
  int pipe[2];
  ASSERT_EQ(::pipe(pipe), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    const std::int64_t start = this_process().start;
    ::_exit(::write(pipe[1], &start, sizeof start) == sizeof start ? ::pause() : 1);
  }
  ProcessIdentity identity = this_process();
  identity.pid = child;
  ::close(pipe[1]);
  EXPECT_EQ(::read(pipe[0], &identity.start, sizeof identity.start), ssize_t(sizeof identity.start));
  ::close(pipe[0]);
  EXPECT_TRUE(is_alive(identity));
  ::kill(child, SIGKILL);
  siginfo_t info;
  ::waitid(P_PID, id_t(child), &info, WEXITED | WNOWAIT);
  EXPECT_FALSE(is_alive(identity)) << "not waited for yet";
  ::waitpid(child, nullptr, 0);
  EXPECT_FALSE(is_alive(identity));
}

}  // namespace
}  // namespace mash
