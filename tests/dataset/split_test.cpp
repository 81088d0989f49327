// SPDX-License-Identifier: Apache-2.0
#include "framework/dataset/split.hpp"

#include <gtest/gtest.h>
