# SPDX-License-Identifier: Apache-2.0
"""script/reflow: what it wraps, and what it leaves alone."""

import importlib.machinery
import importlib.util
import os
import unittest

PATH = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../script/reflow")
LOADER = importlib.machinery.SourceFileLoader("reflow", PATH)
reflow = importlib.util.module_from_spec(importlib.util.spec_from_loader("reflow", LOADER))
LOADER.exec_module(reflow)

LONG = "word " * 20  # 100 characters


class Reflow(unittest.TestCase):
    def expect(self, name, text, wanted):
        self.assertEqual(reflow.reflowed(name, text)[0], wanted)
        self.assertEqual(reflow.reflowed(name, wanted), (wanted, []), "done twice")

    def leaves(self, name, text):
        self.expect(name, text, text)

    def test_a_ragged_comment_is_joined(self):
        self.expect("a.cpp", "  // Watches a run; recording is an\n  // observer.\nint a;\n",
                    "  // Watches a run; recording is an observer.\nint a;\n")

    def test_a_long_line_is_wrapped(self):
        self.expect("a.hpp", f"// {LONG}end of it\n", f"// {LONG}end of\n// it\n")

    def test_breaks_behind_sentences_stay(self):
        self.leaves("a.hpp", "// Runs heuristics.\n// REQUIRES: settings.\n")
        self.expect("a.hpp", "// Runs\n// heuristics.\n// REQUIRES: settings.\n",
                    "// Runs heuristics.\n// REQUIRES: settings.\n")

    def test_items_tables_and_comments_behind_code_stay(self):
        self.leaves("a.hpp", "// Calls:\n//   1. first\n//   2. second,\n//   and more\n")
        self.leaves("a.hpp", "// - a first\n// - a second\n// | a | b |\n")
        self.leaves("a.hpp", "int a;  // of which there are\n        // many\nint b;\n")

    def test_formulas_stay_together(self):
        self.leaves("a.hpp", f"// {LONG}\n// 1 - error * K / (K - 1) and so on\n".replace(" \n", "\n"))
        self.leaves("a.hpp", f"// {LONG}the\n// 95 % of all\n")

    def test_documents(self):
        self.expect("a.md", f"- {LONG}end of it\n- second\n", f"- {LONG}end of\n  it\n- second\n")
        self.expect("a.md", "One\nparagraph.\n\n# A heading\n\nAnother.\n",
                    "One paragraph.\n\n# A heading\n\nAnother.\n")
        self.leaves("a.md", f"```\n{LONG}{LONG}\n```\n\n| {LONG} | {LONG} |\n")
        self.expect("a.md", f"{LONG}so 1990\n1. is no item\n", f"{LONG}so 1990\n1. is no item\n")


if __name__ == "__main__":
    unittest.main()
