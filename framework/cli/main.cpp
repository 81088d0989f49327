// SPDX-License-Identifier: Apache-2.0
#include "framework/cli/program.hpp"

int main(int argc, char** argv) { return mash::run_program(argc, argv); }
