// SPDX-License-Identifier: Apache-2.0
#include "framework/base/instruction_set.hpp"

#include <hwy/highway.h>
#include <strings.h>

#include <atomic>
#include <cctype>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "framework/base/suggestion.hpp"

namespace mash {
namespace {

constexpr const char* kPlainLoops = "SCALAR";

std::atomic<bool>& plain_loops() {
  static std::atomic<bool> are_chosen = false;
  return are_chosen;
}

// As Highway has it; but its code without vectors is called SCALAR there, as plain loops are here.
const char* name_of(std::int64_t target) {
  return target == HWY_SCALAR ? "FALLBACK" : hwy::TargetName(target);
}

bool is_same_name(const char* a, const char* b) { return ::strcasecmp(a, b) == 0; }

}  // namespace

const char* instruction_set() {
  return uses_plain_loops() ? kPlainLoops : name_of(hwy::SupportedAndGeneratedTargets().front());
}

std::span<const char* const> instruction_sets() {
  static const std::vector<const char*> names = [] {
    std::vector<const char*> supported;
    for (const std::int64_t target : hwy::SupportedAndGeneratedTargets())
      supported.push_back(name_of(target));
    supported.push_back(kPlainLoops);
    return supported;
  }();
  return names;
}

bool uses_plain_loops() { return plain_loops().load(std::memory_order_relaxed); }

bool choose_instruction_set(const char* name) {
  plain_loops() = is_same_name(name, kPlainLoops);
  hwy::SetSupportedTargetsForTest(0);
  instruction_sets();  // makes the list of all before one of them is chosen
  if (*name == 0 || uses_plain_loops()) return true;
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets())
    if (is_same_name(name_of(target), name)) {
      hwy::SetSupportedTargetsForTest(target);
      return true;
    }
  return false;
}

std::string implementation_name(std::string instruction_set) {
  for (char& c : instruction_set) c = char(std::tolower(static_cast<unsigned char>(c)));
  return instruction_set;
}

Status choose_instruction_set_of_environment() {
  constexpr const char* kVariable = "MASH_IMPLEMENTATION";
  const char* name = std::getenv(kVariable);
  if (name == nullptr || *name == 0) return Done{};
  if (choose_instruction_set(name)) return Done{};
  std::vector<std::string> known;
  for (const char* one : instruction_sets()) known.push_back(implementation_name(one));
  return input_error("{}: there is no implementation '{}' here; {}", kVariable, name,
                     known_names(name, std::vector<std::string_view>(known.begin(), known.end())));
}

}  // namespace mash
