// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "framework/extractors/heuristic_info.hpp"
#include "mash/abi/image.h"
#include "mash/abi/sequence.h"

namespace mash {

// Messages between this program and a worker that runs a heuristic: a request and its reply at a time, over a
// socket that keeps messages whole. What is large lies in two blocks of shared memory: the request's in the
// one that the worker can only read, the reply's in the other. Both ends are of one build, and all is in the
// machine's own byte order.
//
//   kLoad  ( kDescribe | kCreate ( kDim | kExtract )* kDestroy )*          each answered; none out of turn

// The worker's descriptors.
inline constexpr int kChannelDescriptor = 3, kPluginDescriptor = 4, kInputDescriptor = 5,
                     kOutputDescriptor = 6;

// The sizes of the shared blocks; only what is used takes memory.
inline constexpr std::size_t kInputBytes = std::size_t(512) << 20;   // pictures up to 128 megapixels
inline constexpr std::size_t kResultBytes = std::size_t(128) << 20;  // a row of kMaxDim values, and more
inline constexpr std::size_t kTextBytes = std::size_t(2) << 20;
inline constexpr std::size_t kStatusBytes = 4096;
// The output: WorkerStatus, then the text of the reply, then results.
inline constexpr std::size_t kTextOffset = kStatusBytes, kResultOffset = kTextOffset + kTextBytes,
                             kOutputBytes = kResultOffset + kResultBytes;

// The worker's current call. A plugin that took over its worker can write anything here.
struct WorkerStatus {
  std::atomic<std::uint32_t> call;   // index in kWorkerCalls
  std::atomic<std::uint32_t> image;  // of all in the tile; of no meaning outside kExtract
  std::atomic<std::uint64_t> beat;   // counts calls
};
inline constexpr std::array<std::string_view, 9> kWorkerCalls{
    "start", "load", "create", "dim", "prepare", "compute", "release", "destroy", "between calls"};

// Where a tile's values lie: at the end of the output, so that one written behind the last is a crash.
// REQUIRES: there is room for as many.
inline std::span<float> results_in(std::span<std::byte> output, std::size_t num_values) {
  const std::span<std::byte> bytes = output.last(num_values * sizeof(float));
  return {reinterpret_cast<float*>(bytes.data()), num_values};
}

// A run of objects in the input.
struct InputArray {
  std::uint64_t offset = 0;  // bytes
  std::uint64_t count = 0;
};

// Those of the array; nothing where it is not within the input, or not aligned.
template <class T>
std::optional<std::span<const T>> array_in(std::span<const std::byte> input, const InputArray& array) {
  if (array.count == 0) return std::span<const T>();
  if (array.offset > input.size() || array.count > (input.size() - array.offset) / sizeof(T) ||
      array.offset % alignof(T) != 0)
    return std::nullopt;
  return std::span(reinterpret_cast<const T*>(input.data() + array.offset), std::size_t(array.count));
}

// A picture in the input: its grey plane row by row, then, for 3 channels, its red, green and blue samples
// interleaved.
struct InputImage {
  std::uint64_t offset = 0;  // bytes
  std::uint32_t width = 0, height = 0, num_channels = 0, reserved = 0;
};

// The first message to a worker after its purpose, before all requests.
struct WorkerStart {
  std::uint64_t memory_bytes = 0;  // of private memory, what the plugin may use
  std::uint64_t is_boxed = 0;      // it runs in a box (box.hpp)
};

struct WorkerRequest {
  enum Kind : std::uint32_t { kLoad, kDescribe, kCreate, kDim, kExtract, kDestroy };
  std::uint32_t kind = kLoad;
  std::uint32_t num_cameras = 1;  // kCreate
  std::uint32_t row_width = 0;    // kExtract: values of an image
  std::uint32_t num_shown = 0;    // kExtract: the first images, of which no values are wanted
  InputArray id = {};             // kCreate: char, of the heuristic
  InputArray values = {};         // kCreate: double, of its parameters
  mash_size_t view_size = {};     // kDim
  InputArray images = {};         // kExtract: InputImage
  InputArray views = {};          // kExtract: mash_view_t, one for all images or one an image
  InputArray frames = {};         // kExtract: mash_frame_t, as ImageTile has them; none: each stands alone
  InputArray indices = {};        // kExtract: uint32_t; none: all features
};

inline constexpr std::size_t kMaxLogLines = 100;  // in the text of a reply

inline constexpr std::size_t kMaxFaultsTold = 8;

struct WorkerReply {
  std::uint32_t kind = 0;        // that of the request
  std::uint32_t dim = 0;         // kDim
  std::uint32_t num_done = 0;    // kExtract: images, of those wanted
  std::uint32_t num_faults = 0;  // kExtract: of `faults`
  std::array<FaultNote, kMaxFaultsTold> faults = {};
  std::uint32_t text_bytes = 0;  // WorkerWords as JSON; 0: there are none
};

// The number that a worker sends when it starts, before it has seen a plugin.
inline constexpr std::uint64_t kWorkerHello =
    0x6873'616d'0001'0000 | (sizeof(WorkerRequest) << 8) | sizeof(WorkerReply);

}  // namespace mash
