// SPDX-License-Identifier: Apache-2.0
#include "tests/checks/sound.hpp"

template <class T>
struct Shared {
  static int value;
};
template <class T>
int Shared<T>::value = 0;

__attribute__((visibility("default"))) int* address_of_shared() { return &Shared<int>::value; }

struct Faulty final : Sound {};

TEST_HEURISTIC(Faulty)
