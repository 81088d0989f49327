// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace mash {

// A watch of the seconds of processor time since it was made.
class CpuWatch {
 public:
  enum class Whose { kProcess, kThread };
  explicit CpuWatch(Whose whose) : whose_(whose), start_(now(whose)) {}
  double seconds() const { return now(whose_) - start_; }

 private:
  static double now(Whose whose);
  Whose whose_;
  double start_;
};

}  // namespace mash
