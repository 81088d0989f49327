// SPDX-License-Identifier: Apache-2.0
namespace {
[[maybe_unused]] int not_the_entry() { return 1; }
}  // namespace
