// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <dlfcn.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <new>
#include <string>
#include <thread>
#include <vector>

#include "tests/hostile/forged_replies.hpp"
#include "tests/hostile/uncounted_memory.hpp"

// Misdeeds of a heuristic in any of its calls. Each function of the corpus does one of these.
enum Misdeed {
  kSegfault,
  kAbort,
  kExitZero,
  kExit139,
  kLoop,
  kSleep,
  kFillMemory,
  kOverflowStack,
  kFloodStderr,
  kCloseDescriptors,
  kAnswerForWorker,
  kKillItself,
  kThreadStorm,
  kForkBomb,
  kRunProgram,
  kOpenSocket,
  kWriteFile,
  kReadShadow,
  kKillParent,
  kOpenLibrary,
  kWritePastTheEnd,
  kNanFlood,
  kOverwriteShared,
  kLieInReply,
  kNestReply,
  kForgeFault,
  kSendDescriptors,
  kFloodChannel,
  kShareMemory,
  kShareMemoryFile,
  kReserveAddresses,
  kGrowDownwards,
  kSecretMemory,
  kOutliveHost,
  kNumMisdeeds
};

inline const char* const kMisdeedNames[kNumMisdeeds] = {"segfault",
                                                        "abort",
                                                        "exit-zero",
                                                        "exit-139",
                                                        "loop",
                                                        "sleep",
                                                        "fill-memory",
                                                        "overflow-stack",
                                                        "flood-stderr",
                                                        "close-descriptors",
                                                        "answer-for-worker",
                                                        "kill-itself",
                                                        "thread-storm",
                                                        "fork-bomb",
                                                        "run-program",
                                                        "open-socket",
                                                        "write-file",
                                                        "read-shadow",
                                                        "kill-parent",
                                                        "open-library",
                                                        "write-past-the-end",
                                                        "nan-flood",
                                                        "overwrite-shared",
                                                        "lie-in-reply",
                                                        "nest-reply",
                                                        "forge-fault",
                                                        "send-descriptors",
                                                        "flood-channel",
                                                        "share-memory",
                                                        "share-memory-file",
                                                        "reserve-addresses",
                                                        "grow-downwards",
                                                        "secret-memory",
                                                        "outlive-host"};

inline int overflow_stack(int depth) {
  volatile char room[1 << 16];
  room[0] = char(depth);
  return overflow_stack(depth + 1) + room[0];
}

// Whether it was given four gigabytes.
inline bool fill_memory() {
  std::vector<char*> all;
  for (std::size_t i = 0; i < 4096; ++i) {
    char* piece = static_cast<char*>(std::malloc(1 << 20));
    if (piece == nullptr) break;
    std::memset(piece, 1, 1 << 20);
    all.push_back(piece);
  }
  const bool had_it_all = all.size() == 4096;
  for (char* piece : all) std::free(piece);
  return had_it_all;
}

// Whether as many threads as it wanted run, each for ever.
inline bool start_threads() {
  std::vector<std::thread> threads;
  try {
    for (int i = 0; i < 64; ++i)
      threads.emplace_back([] {
        for (volatile unsigned long j = 0;;) j = j + 1;
      });
  } catch (const std::exception&) {
    return false;
  }
  for (std::thread& thread : threads) thread.join();
  return true;
}

// Whether any process was started.
inline bool start_processes() {
  bool was_let = false;
  for (int i = 0; i < 64; ++i) {
    const int pid = ::fork();
    if (pid == 0) {
      ::setsid();
      for (;;) ::pause();
    }
    was_let |= pid > 0;
  }
  return was_let;
}

// Many open files in one message: a process that takes them has none left for itself.
inline bool send_descriptors() {
  constexpr int kCount = 200;
  int descriptors[kCount];
  for (int& descriptor : descriptors) descriptor = 2;
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof descriptors)] = {};
  std::uint32_t reply[4] = {};
  iovec data{reply, sizeof reply};
  msghdr message{};
  message.msg_iov = &data;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  cmsghdr* header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof descriptors);
  std::memcpy(CMSG_DATA(header), descriptors, sizeof descriptors);
  return ::sendmsg(3, &message, 0) > 0;
}

// Whether it was let: what the call is to report. Does not return where it ends the process or its time.
inline bool misbehave(Misdeed misdeed) {
  switch (misdeed) {
    case kSegfault: *reinterpret_cast<volatile int*>(8) = 1; return true;
    case kAbort: std::abort();
    case kExitZero: ::exit(0);
    case kExit139: ::_exit(139);
    case kLoop:
      for (volatile unsigned long i = 0;;) i = i + 1;
    case kSleep:
      for (;;) ::usleep(1000000);
    case kFillMemory: return fill_memory();
    case kOverflowStack: return overflow_stack(0) != 0;
    case kFloodStderr: {
      const std::string line(4096, 'x');
      for (;;) (void)!::write(2, (line + "\n").data(), line.size() + 1);
    }
    case kCloseDescriptors:
      for (int i = 0; i < 4096; ++i) ::close(i);
      return true;
    case kAnswerForWorker: {
      const char nonsense[16] = "not a reply";
      return ::write(3, nonsense, sizeof nonsense) == sizeof nonsense;
    }
    case kKillItself: ::kill(::getpid(), SIGKILL); return false;
    case kThreadStorm: return start_threads();
    case kForkBomb: return start_processes();
    case kRunProgram: {
      char* const arguments[] = {const_cast<char*>("/bin/true"), nullptr};
      ::execv(arguments[0], arguments);
      return false;  // or the process is another by now
    }
    case kOpenSocket: return ::socket(AF_INET, SOCK_STREAM, 0) >= 0 || ::socket(AF_UNIX, SOCK_STREAM, 0) >= 0;
    case kWriteFile: return ::open("/tmp/mash-hostile-was-here", O_CREAT | O_WRONLY, 0600) >= 0;
    case kReadShadow: return ::open("/etc/shadow", O_RDONLY) >= 0;
    case kKillParent: return ::kill(::getppid(), SIGKILL) == 0;
    case kOpenLibrary: return ::dlopen("libcrypt.so.1", RTLD_NOW) != nullptr;
    case kWritePastTheEnd:
    case kNanFlood: return false;  // what it gives as features
    case kOverwriteShared: return overwrite_shared();
    case kLieInReply: return lie_in_reply();
    case kNestReply: return reply_with("{\"heuristics\":" + std::string(1'000'000, '['));
    case kForgeFault: return reply_with(R"({"error": "the disk is full", "is_input": false})");
    case kSendDescriptors: return send_descriptors();
    case kFloodChannel:
      for (const char nonsense[16] = "not a reply"; ::write(3, nonsense, sizeof nonsense) > 0;) {
      }
      return true;
    case kShareMemory: return share_memory(-1);
    case kShareMemoryFile: return share_file(::memfd_create("memory", 0));
    case kReserveAddresses: return reserve_addresses();
    case kGrowDownwards: return grow_downwards();
    case kSecretMemory: return share_file(int(::syscall(kMemfdSecret, 0)));
    case kOutliveHost: return ::prctl(PR_SET_PDEATHSIG, 0) == 0;
    case kNumMisdeeds: break;
  }
  return false;
}

// The value that a heuristic tells in its features.
inline float feature_after(Misdeed misdeed, bool was_let) {
  if (misdeed == kNanFlood) return std::numeric_limits<float>::quiet_NaN();
  return was_let ? 1.f : 0.f;
}
