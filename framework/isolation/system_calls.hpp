// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "framework/base/result.hpp"

namespace mash {

// Calls that a process may make of the kernel, by three lists of calls that are allowed (libseccomp). What is
// on none is refused with EACCES; what only an attack asks for (ptrace, mount, bpf, keyctl, io_uring, ...)
// ends the process with SIGSYS. Each list holds for all threads of the process and all that it starts, for
// good, and a later one can only take away.
//
//   1. building_filter: all of a box. Starts programs and threads, writes files (what it can write to is in
//      memory, see box.hpp). No sockets, no namespaces, no ioctl.
//   2. allow_loading: a worker, before it touches a plugin. Opens files to read and maps code; starts no
//      program, no process and no thread, writes only to what is open, and takes no memory that is shared or
//      grows like a stack, which the limit of private memory does not count. A plugin's constructors run with
//      it. No threads: a process limit cannot tell those that a plugin starts from those that it needs; the
//      host keeps all processors busy with one worker each; and features that depend on threads are not the
//      same twice.
//   3. allow_computing: a worker, once the plugin is loaded. Memory, locks, clocks, reading and writing what
//      is open, and the end; no file is opened and no code mapped any more.
//
// A plugin's constructors run in the same memory as the caller of allow_computing, and could keep it from
// happening: what must hold against every plugin is in the first two lists and in the box.

// The first list as a program that bubblewrap's --seccomp reads. Errors (kFailure): libseccomp refuses.
Result<std::string> building_filter();

// Whether the second and the third list have the call that starts a thread: for a check that runs instances
// on several threads.
enum class Threads { kRefused, kAllowed };

// Errors (kFailure): the kernel refuses.
Status allow_loading(Threads threads = Threads::kRefused);

// Errors (kFailure): the kernel refuses.
Status allow_computing(Threads threads = Threads::kRefused);

// For a worker without a box: from now on it may start threads, but no process and no program, take no memory
// that could be shared or that grows like a stack, which its limit does not count, and not outlive the
// program that started it (EPERM). All else it may still do. Errors (kFailure): the kernel refuses.
Status forbid_programs();

// Makes libraries that the plugin has brought do now what they would open files or start threads for later:
// OpenCV runs its loops in the calling thread from now on. To be called before allow_computing, by a process
// that is about to compute and do nothing else.
void settle_libraries();

}  // namespace mash
