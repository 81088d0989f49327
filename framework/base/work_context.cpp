// SPDX-License-Identifier: Apache-2.0
#include "framework/base/work_context.hpp"

namespace mash {
namespace {

class NoRemarks final : public Remarks {
 public:
  void warn(std::string_view) override {}
  void tell(std::string_view) override {}
};

}  // namespace

Remarks& no_remarks() {
  static NoRemarks instance;
  return instance;
}

}  // namespace mash
