// SPDX-License-Identifier: Apache-2.0
#include "raw.hpp"

// Built without the SDK's rules: the template's static has UNIQUE binding.
template <class T>
struct Shared {
  static int value;
};
template <class T>
int Shared<T>::value = 0;

__attribute__((visibility("default"))) int* address_of_shared() { return &Shared<int>::value; }

RAW_PLUGIN("unique-symbol")
