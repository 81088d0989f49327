// SPDX-License-Identifier: Apache-2.0

// A program and no library.
int main() { return 0; }
