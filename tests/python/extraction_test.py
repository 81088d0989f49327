# SPDX-License-Identifier: Apache-2.0
"""Features of NumPy images."""

import os
import pickle
import signal
import subprocess
import sys
import threading
import time
import unittest

import numpy as np

import mash
from support import PLUGINS, InFolder, random_images, refusal, write_picture
from support import mash as program


class SettingsOfDataSets(InFolder):
    def test_are_those_of_a_file(self):
        for name in ("cat/1.pgm", "cat/2.pgm", "dog/1.pgm", "dog/2.pgm"):
            os.makedirs(os.path.dirname(self.path("pets/" + name)), exist_ok=True)
            write_picture(self.path("pets/" + name), random_images((9, 8)))
        data = mash.load_dataset("folder", path=self.path("pets"), resize={"width": 6, "height": np.int64(4)}, train=0.5,
                                 skip_broken=True, title="two: words")
        self.assertEqual(data.train_images.shape, (2, 4, 6))

    def test_are_refused_as_the_program_refuses_them(self):
        for key, value, text in (("train", [10], "[10]"), ("train", None, ""), ("train", {"a": 1}, "{a: 1}"), ("size", "", '""'),
                                 ("size", "a: b", '"a: b"'), ("pose", float("nan"), "nan"), ("sise", 1, "1")):
            with self.assertRaises(ValueError) as refused:
                mash.load_dataset("digits", **{key: value})
            expected = refusal("dataset", "show", "digits", "--set", f"{key}={text}")
            self.assertEqual(str(refused.exception).split(": ", 1)[1].lower(), expected.split(": ", 1)[1].lower())


class Heuristics(InFolder):
    def test_are_those_of_the_program(self):
        listed = {info["id"]: info["version"] for info in program("heuristic", "list")["heuristics"]}
        self.assertEqual({info["id"]: info["version"] for info in mash.heuristics()}, listed)
        cell = next(p for info in mash.heuristics() if info["id"] == "hog" for p in info["parameters"] if p["id"] == "cell")
        self.assertLessEqual(cell["minimum"], cell["default"])

    def test_take_settings_of_numpy(self):
        for cell in (4, np.int64(4), "4"):
            self.assertEqual(mash.Heuristic("hog", cell=cell).settings, mash.Heuristic("hog", cell=4).settings)
        with self.assertRaisesRegex(TypeError, "expected numbers, texts, dicts and lists"):
            mash.Heuristic("hog", cell=object())

    def test_say_who_they_are(self):
        hog = mash.Heuristic("hog", cell=np.int64(4))
        self.assertEqual(hog.id, "hog")
        self.assertIn("cell=4", hog.settings)
        self.assertTrue(repr(hog).startswith("mash.Heuristic('hog', "))
        self.assertEqual(hog.dim(16, 16), hog.extract(random_images((16, 16))).size)

    def test_are_found_in_plugins(self):
        # Its features are scale * pixel + offset; it throws at white pixels.
        file = os.path.join(PLUGINS, "modern.so")
        image = random_images((9, 8)) // 2
        for modern in (mash.Heuristic(file, offset=3, scale=0.5), mash.Heuristic("test/modern", plugins=[file], offset=3, scale=0.5)):
            self.assertEqual((modern.id, modern.version), ("test/modern", "1.2.3"))
            self.assert_same_bits(modern.extract(image), np.float32(0.5 * image.ravel() + 3))
            with self.assertRaisesRegex(ValueError, "heuristic 'test/modern': compute: threw something"):
                modern.extract(np.full((9, 8), 255, np.uint8))
            self.assert_same_bits(modern.extract(image), np.float32(0.5 * image.ravel() + 3))
        with self.assertRaisesRegex(ValueError, "nowhere.so"):
            mash.Heuristic("nowhere.so")

    def test_are_pickled(self):
        hog = mash.Heuristic("hog", cell=4)
        image = random_images((16, 16))
        self.assert_same_bits(pickle.loads(pickle.dumps(hog)).extract(image), hog.extract(image))

    def test_refuse_with_the_sentences_of_the_program(self):
        picture = self.path("a.pgm")
        write_picture(picture, random_images((16, 16)))
        for wanted in ['[{"id": "hgo"}]', '[{"id": "hog", "cell": 1000}]', '[{"id": "hog", "cel": 4}]', '[{"id": "hog", "cell": "x"}]']:
            said = refusal("export", "features", picture, "--families", wanted, "--output", self.path("f.npz"))
            with self.assertRaises(ValueError) as refused:
                mash._families((), wanted, 1, "--families")
            self.assertEqual(str(refused.exception), said)


class Extraction(InFolder):
    def test_of_one_image_and_of_several(self):
        for shape in [(16, 12), (16, 12, 3)]:
            hog = mash.Heuristic("hog", cell=4)
            images = random_images((5, *shape))
            features = hog.extract(images)
            self.assertEqual((features.dtype, features.shape), (np.float32, (5, hog.dim(16, 12))))
            for image, row in zip(images, features):
                self.assert_same_bits(hog.extract(image), row)
            for threads in (1, 3):
                self.assert_same_bits(hog.extract(images, threads), features)
            self.assertEqual(hog.extract(images[:0]).shape, (0, hog.dim(16, 12)))

    def test_of_arrays_that_are_not_contiguous(self):
        images = random_images((6, 16, 12))
        lbp = mash.Heuristic("lbp")
        for view in (images[::2], images[:, ::-1], images.transpose(0, 2, 1), np.asfortranarray(images)):
            self.assert_same_bits(lbp.extract(view), lbp.extract(view.copy(order="C")))

    def test_of_images_that_are_three_pixels_wide(self):
        grey = random_images((4, 16, 3))
        identity = mash.Heuristic("identity")
        self.assertEqual(identity.extract(grey[..., None]).shape, (4, identity.dim(16, 3)))
        self.assert_same_bits(identity.extract(grey[..., None])[1], identity.extract(np.ascontiguousarray(grey[1])[None, ..., None])[0])

    def test_refuses_what_is_no_image(self):
        lbp = mash.Heuristic("lbp")
        for array in (np.zeros(5, np.uint8), np.zeros((2, 3, 4, 5), np.uint8), np.zeros((0, 4), np.uint8), np.zeros((), np.uint8)):
            with self.assertRaisesRegex(ValueError, r"found an array of shape .*, expected \(h, w\)"):
                lbp.extract(array)
        with self.assertRaisesRegex(TypeError, "values of type float64, expected uint8"):
            lbp.extract(np.zeros((16, 16)))
        with self.assertRaises(TypeError):
            lbp.extract([[1, 2], [3, 4]])

    def test_gives_missing_values_as_nan(self):
        file = os.path.join(PLUGINS, "not_finite.so")
        id = next(info["id"] for info in mash.heuristics([file]) if info["plugin"] == file)
        self.assertTrue(np.isnan(mash.Heuristic(id, plugins=[file]).extract(random_images((8, 8)))).any())

    def test_says_what_a_plugin_says(self):
        file = os.path.join(PLUGINS, "throws.so")
        throws = mash.Heuristic("throws", plugins=[file], call="compute")
        with self.assertRaisesRegex((ValueError, RuntimeError), "throws"):
            throws.extract(random_images((8, 8)))

    def test_equals_what_mash_export_writes(self):
        settings = ["--set", "train=30", "--set", "test=10", "--set", "size=16"]
        file = self.path("f.npz")
        program("export", "features", "--dataset", "digits", *settings, "--families", "all", "--output", file)
        data = mash.load_dataset("digits", train=30, test=10, size=16)
        images = np.concatenate([data.train_images, data.test_images])
        with np.load(file) as exported:
            self.assertGreater(len(exported["families"]), 20)
            names = list(exported["names"])
            for name in exported["families"]:
                features = mash.Heuristic(str(name)).extract(images)
                self.assert_same_bits(features, exported[name])
                self.assertEqual([n for n in names if n.startswith(f"{name}/")], [f"{name}/{i}" for i in range(features.shape[1])])
            self.assertEqual(list(exported["split"]), ["train"] * 30 + ["test"] * 10)
            labels = exported["classes"][exported["labels"]]
            np.testing.assert_array_equal(labels, np.concatenate([data.train_labels, data.test_labels]))

    def test_equals_what_mash_export_writes_of_pictures(self):
        for kind, shape in (("pgm", (16, 12)), ("ppm", (16, 12, 3))):
            images = random_images((3, *shape))
            pictures = [self.path(f"{i}.{kind}") for i in range(3)]
            for picture, image in zip(pictures, images):
                write_picture(picture, image)
            families = '[{id: hog, cell: 4}, color-moments]'
            program("export", "features", *pictures, "--families", families, "--output", self.path("f.npz"))
            program("export", "features", *pictures, "--families", families, "--format", "csv", "--output", self.path("f.csv"))
            csv = np.loadtxt(self.path("f.csv"), np.float32, delimiter=",", skiprows=1, usecols=range(1, 1 + self.num_columns() - 1))
            with np.load(self.path("f.npz")) as exported:
                self.assertEqual(list(exported["pictures"]), pictures)
                self.assert_same_bits(mash.Heuristic("hog", cell=4).extract(images), exported["hog"])
                self.assert_same_bits(mash.Heuristic("color-moments").extract(images), exported["color-moments"])
                self.assert_same_bits(csv, np.hstack([exported[name] for name in exported["families"]]))

    def num_columns(self):
        with open(self.path("f.csv"), newline="") as file:
            return len(file.readline().split(","))


class Behaviour(InFolder):
    def test_other_threads_run_meanwhile(self):
        images = random_images((3000, 28, 28))
        heuristic = mash.Heuristic("zernike")
        heuristic.extract(images[:10])
        done, count = threading.Event(), 0
        worker = threading.Thread(target=lambda: (heuristic.extract(images), done.set()))
        worker.start()
        while not done.is_set():
            count += 1
            time.sleep(0.001)
        worker.join()
        self.assertGreater(count, 5, "Python stood still while features were extracted")

    def test_images_are_read_where_they_are(self):
        script = """
import resource, numpy as np, mash
images = np.full((400, 1000, 1000), 7, np.uint8)  # 400 MB
heuristic = mash.Heuristic("patch-sums")
heuristic.extract(images[:1], threads=1)
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
heuristic.extract(images, threads=1)
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""
        grown = int(subprocess.run([sys.executable, "-c", script], check=True, text=True, capture_output=True).stdout)
        self.assertLess(grown, 200_000, "kilobytes: the images were copied")

    def test_what_a_signal_raises_stops_the_work(self):
        class Late(Exception):
            pass

        def on_alarm(*_):
            raise Late

        before = signal.signal(signal.SIGALRM, on_alarm)
        try:
            signal.setitimer(signal.ITIMER_REAL, 0.3)
            with self.assertRaises(Late):
                mash.Heuristic("dense-sift").extract(random_images((4000, 128, 128)), threads=1)
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)

    def test_ctrl_c_stops_the_work(self):
        script = """
import numpy as np, mash
images = np.zeros((200000, 28, 28), np.uint8)
heuristic = mash.Heuristic("zernike")
print("begins", flush=True)
try:
    while True: heuristic.extract(images)
except KeyboardInterrupt as error:
    print("stopped by", error)
"""
        child = subprocess.Popen([sys.executable, "-c", script], text=True, stdout=subprocess.PIPE)
        self.assertEqual(child.stdout.readline(), "begins\n")
        time.sleep(0.5)
        child.send_signal(signal.SIGINT)
        out, _ = child.communicate(timeout=60)
        self.assertIn("stopped by", out)


if __name__ == "__main__":
    unittest.main()
