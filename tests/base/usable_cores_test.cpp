// SPDX-License-Identifier: Apache-2.0
#include "framework/base/usable_cores.hpp"

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <fstream>

#include "framework/base/parallel.hpp"
#include "tests/support/scratch_folder.hpp"

namespace mash {
namespace {

// Files of control groups, and what they grant.
struct Granted {
  const char* groups;                                      // /proc/self/cgroup
  std::vector<std::pair<const char*, const char*>> files;  // below the mount
  std::optional<double> cores;
};

TEST(GrantedCores, AreTheLeastOfAllGroupsAround) {
  const std::vector<Granted> table{
      {"0::/\n", {}, std::nullopt},
      {"0::/a/b\n", {{"a/b/cpu.max", "max 100000\n"}}, std::nullopt},
      {"0::/a/b\n", {{"a/b/cpu.max", "150000 100000\n"}}, 1.5},
      {"0::/a/b\n", {{"a/cpu.max", "50000 100000\n"}, {"a/b/cpu.max", "max 100000\n"}}, .5},
      {"0::/a/b\n", {{"a/cpu.max", "200000 100000\n"}, {"a/b/cpu.max", "100000 50000\n"}}, 2},
      {"0::/seen/from/outside\n", {{"cpu.max", "100000 100000\n"}}, 1},
      {"0::/a\n", {{"a/cpu.max", "nothing\n"}}, std::nullopt},
      {"4:cpu,cpuacct:/a\n3:memory:/b\n",
       {{"cpu,cpuacct/a/cpu.cfs_quota_us", "300000\n"}, {"cpu,cpuacct/a/cpu.cfs_period_us", "100000\n"}},
       3},
      {"4:cpu:/a\n",
       {{"cpu/a/cpu.cfs_quota_us", "-1\n"}, {"cpu/a/cpu.cfs_period_us", "100000\n"}},
       std::nullopt},
      {"4:cpuset:/a\n0::/\n", {{"cpuset/a/cpu.cfs_quota_us", "1\n"}}, std::nullopt},
      {"no such lines", {{"cpu.max", "100000 100000\n"}}, std::nullopt},
  };
  for (const Granted& one : table) {
    const testing::ScratchFolder mount;
    for (const auto& [file, text] : one.files) {
      std::filesystem::create_directories((mount / file).parent_path());
      std::ofstream(mount / file) << text;
    }
    EXPECT_EQ(granted_cores(one.groups, mount.path()), one.cores) << one.groups;
  }
}

TEST(UsableCores, AreThoseThatTheProcessMayRunOn) {
  cpu_set_t before;
  ASSERT_EQ(::sched_getaffinity(0, sizeof before, &before), 0);
  EXPECT_GE(usable_cores(), 1);
  EXPECT_LE(usable_cores(), CPU_COUNT(&before));
  cpu_set_t one;
  CPU_ZERO(&one);
  for (std::size_t core = 0; core < CPU_SETSIZE && CPU_COUNT(&one) == 0; ++core)
    if (CPU_ISSET(core, &before)) CPU_SET(core, &one);
  ASSERT_EQ(::sched_setaffinity(0, sizeof one, &one), 0);
  EXPECT_EQ(usable_cores(), 1);
  EXPECT_EQ(Workers().num_threads(), 1);
  EXPECT_EQ(Workers(3).num_threads(), 3) << "who asks for more gets them";
  ASSERT_EQ(::sched_setaffinity(0, sizeof before, &before), 0);
}

// Memory for the stacks of a few threads, not of all that are wanted.
TEST(Workers, AreFewerWhereTheSystemRefusesThreads) {
  const pid_t child = ::fork();
  if (child == 0) {
    std::size_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    const rlim_t room = pages * rlim_t(::sysconf(_SC_PAGESIZE)) + (rlim_t(100) << 20);
    const rlimit limit{room, room};
    ::setrlimit(RLIMIT_AS, &limit);
    const Workers workers(200);
    std::atomic<std::size_t> sum{0};
    workers.for_ranges(1000, 1, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) sum += i;
    });
    ::_exit(workers.num_threads() > 1 && workers.num_threads() < 200 && sum == 499'500 ? 0 : 1);
  }
  int status = -1;
  ::waitpid(child, &status, 0);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // which cannot live with the limit
  EXPECT_EQ(status, 0);
#endif
}

}  // namespace
}  // namespace mash
