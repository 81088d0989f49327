# SPDX-License-Identifier: Apache-2.0
"""The notebooks of docs run, and what is printed in them is what they print today."""

import json
import os
import subprocess
import sys
import unittest

import support

support.need("nbconvert", "ipykernel", "matplotlib", "sklearn")
if not os.environ.get("MASH_DATA"):
    print("skipped: MASH_DATA is not set")
    sys.exit(support.SKIPPED)

NOTEBOOKS = os.path.join(os.path.dirname(__file__), "../../docs/notebooks")


def printed(notebook):
    """What each cell of code prints; figures are not compared."""
    outputs = []
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            outputs.append([text for output in cell["outputs"] if output["output_type"] in ("stream", "execute_result")
                            for text in ["".join(output.get("text") or output["data"]["text/plain"])]])
    return outputs


class Notebooks(support.InFolder):
    def test_print_what_they_show(self):
        names = [name for name in os.listdir(NOTEBOOKS) if name.endswith(".ipynb")]
        self.assertGreater(len(names), 0)
        environment = {**os.environ, "PATH": os.path.dirname(support.MASH) + os.pathsep + os.environ["PATH"],
                       "JUPYTER_RUNTIME_DIR": self.path("runtime"), "IPYTHONDIR": self.path("ipython"), "MPLCONFIGDIR": self.path("mpl")}
        for name in names:
            with self.subTest(name):
                source = os.path.join(NOTEBOOKS, name)
                subprocess.run([sys.executable, "-m", "nbconvert", "--to", "notebook", "--execute", source, "--output-dir", self.folder,
                                "--output", name], check=True, env=environment, cwd=self.folder)
                with open(source) as before, open(self.path(name)) as after:
                    self.assertEqual(printed(json.load(after)), printed(json.load(before)))


if __name__ == "__main__":
    unittest.main()
