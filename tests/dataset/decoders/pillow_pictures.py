# SPDX-License-Identifier: Apache-2.0
"""Pictures of every kind that is read, and of kinds that are refused, with what a decoder has to make of them.

  pillow_pictures.py FOLDER

FOLDER/index has a line for each file: "same FILE WIDTH HEIGHT TOLERANCE IS_GREY", where FILE.rgb has the pixels (red,
green, blue, rows top down), or "refused FILE TEXT", where TEXT is a part of the error. Pixels come from Pillow or, of files
by hand, from the levels that were written into them; where Pillow reads such a file too, the two must agree. Exit
code 3 where there is no Pillow.

Another kind of file is another call of `of_pillow`, `by_hand` or `refused`.
"""

import io
import itertools
import os
import random
import struct
import sys
import warnings

try:
    from PIL import Image, ImageOps
except ImportError:
    sys.exit(3)

import files_by_hand as hand

FOLDER = sys.argv[1] if len(sys.argv) > 1 else None
WIDTH, HEIGHT = 37, 22  # no multiples of 8; the strips and tiles at the borders are cut
INDEX = []


# The documented rules of grey, colour and alpha.


def scaled(level, white):
    return (level * 255 + white // 2) // white


def in_colour(image):
    """An upright picture in red, green and blue; alpha is dropped."""
    image.load()
    if image.format != "TIFF":  # those Pillow turns as it loads them
        image = ImageOps.exif_transpose(image)
    if image.mode.startswith("I"):  # 16 bits
        levels = [scaled(level, 65535) for level in image.getdata()]
        image = Image.new("L", image.size)
        image.putdata(levels)
    if image.mode == "1":
        image = image.convert("L")
    return image.convert("RGB")


def note(name, file, image, tolerance, is_grey=False):
    with open(os.path.join(FOLDER, name), "wb") as out:
        out.write(file)
    with open(os.path.join(FOLDER, name + ".rgb"), "wb") as out:
        out.write(image.tobytes())
    INDEX.append(f"same {name} {image.width} {image.height} {tolerance} {int(is_grey)}")


def of_pillow(name, file, tolerance=0):
    """A file that Pillow reads as it should be read."""
    with Image.open(io.BytesIO(file)) as image:
        is_grey = image.mode in ("1", "L", "LA") or image.mode.startswith("I")
        note(name, file, in_colour(image), tolerance, is_grey)


def by_hand(name, file, pixels, pillow=0, is_grey=False):
    """A file whose pixels are known. pillow: how far those of Pillow may be from them; None: it does not read it."""
    expected = Image.new("RGB", (len(pixels[0]), len(pixels)))
    expected.putdata([tuple(pixel) for row in pixels for pixel in row])
    if pillow is not None:
        with Image.open(io.BytesIO(file)) as image:
            found = in_colour(image)
        far = max(abs(a - b) for a, b in zip(found.tobytes(), expected.tobytes()))
        assert found.size == expected.size and far <= pillow, f"{name}: Pillow is {far} away"
    note(name, file, expected, 0, is_grey)


def refused(name, file, text):
    with open(os.path.join(FOLDER, name), "wb") as out:
        out.write(file)
    INDEX.append(f"refused {name} {text}")


def saved(image, format, **settings):
    out = io.BytesIO()
    image.save(out, format, **settings)
    return out.getvalue()


# Pixels of the pictures: gradients where they are compressed with loss, else noise.


def levels(samples, bits, seed=1):
    """Rows of pixels with `samples` levels of `bits` each. Black and white are among them."""
    dice, white = random.Random(seed), (1 << bits) - 1
    rows = [[tuple(dice.randint(0, white) for _ in range(samples)) for _ in range(WIDTH)] for _ in range(HEIGHT)]
    rows[0][0], rows[0][1] = (0,) * samples, (white,) * samples
    return rows


def photo(mode="RGB"):
    image = Image.new("RGBA", (WIDTH, HEIGHT))
    image.putdata([(7 * x % 256, 11 * y % 256, (x * y) % 256, (40 + 5 * x) % 256)
                   for y in range(HEIGHT) for x in range(WIDTH)])
    if mode == "I;16":
        grey = Image.new("I;16", image.size)
        grey.putdata([977 * (x + y) % 65536 for y in range(HEIGHT) for x in range(WIDTH)])
        return grey
    if mode == "PA":
        return image.convert("P").convert("PA")
    return image.convert("RGB").convert(mode) if mode in ("P", "CMYK", "1") else image.convert(mode)


def colours(pixel, white):
    """Of grey or of colour, alpha behind it."""
    of_colour = pixel[:3] if len(pixel) > 2 else pixel[:1] * 3
    return tuple(scaled(level, white) for level in of_colour)


def all_colours(rows, white):
    return [[colours(pixel, white) for pixel in row] for row in rows]


def all_palette(rows, palette):
    return [[palette[pixel[0]] for pixel in row] for row in rows]


def palette_of(count, seed=7):
    dice = random.Random(seed)
    return [tuple(dice.randint(0, 255) for _ in range(3)) for _ in range(count)]


def turned(image, orientation):
    exif = Image.Exif()
    exif[274] = orientation
    image = image.copy()
    image.info["exif"] = exif.tobytes()
    return ImageOps.exif_transpose(image)


def rows_of(image):
    pixels = list(image.convert("RGB").getdata())
    return [pixels[y * image.width : (y + 1) * image.width] for y in range(image.height)]


# The kinds


def make_png():
    apple = hand.png(rows_of(photo()), 2, 8).replace(b"\r\n\x1a\n", b"\r\n\x1a\n" + hand.chunk(b"CgBI", bytes(4)))
    refused("telephone.png", apple, "Apple's own")
    for mode in ("1", "L", "LA", "P", "RGB", "RGBA", "I;16"):
        of_pillow(f"pillow-{mode.replace(';', '')}.png", saved(photo(mode), "PNG"))
    of_pillow("hidden.png", saved(photo("P"), "PNG", transparency=3))
    of_pillow("animated.png", saved(photo(), "PNG", save_all=True, append_images=[photo().rotate(180)]))
    kinds = {0: (1, (1, 2, 4, 8, 16)), 2: (3, (8, 16)), 3: (1, (1, 2, 4, 8)), 4: (2, (8, 16)), 6: (4, (8, 16))}
    for kind, (samples, depths) in kinds.items():
        for bits, interlaced in itertools.product(depths, (False, True)):
            rows, white = levels(samples, bits), (1 << bits) - 1
            palette = palette_of(white + 1)
            before = [(b"gAMA", struct.pack(">I", 100000))]  # not applied: levels are taken as they are
            if kind == 3:
                before += [(b"PLTE", bytes(hand.flat(palette))), (b"tRNS", bytes([0, 128]))]
            if kind in (0, 2):
                before += [(b"tRNS", struct.pack(">H", 0) * samples)]
            name = f"{kind}-{bits}{'-interlaced' * interlaced}.png"
            pixels = all_palette(rows, palette) if kind == 3 else all_colours(rows, white)
            file = hand.png(rows, kind, bits, interlaced, before)
            by_hand(name, file, pixels, pillow=1 if bits == 16 else 0, is_grey=kind in (0, 4))


def make_bmp():
    for mode in ("1", "L", "P", "RGB", "RGBA"):
        of_pillow(f"pillow-{mode}.bmp", saved(photo(mode), "BMP"))
    for bits, head, top_down in itertools.product((1, 4, 8), (12, 40, 64, 108, 124), (False, True)):
        if top_down and head in (12, 64):
            continue  # OS/2 has none
        rows, palette = levels(1, bits), palette_of(1 << bits)
        file = hand.bmp(rows, bits, head, palette, top_down=top_down)
        by_hand(f"palette-{bits}-{head}{'-down' * top_down}.bmp", file, all_palette(rows, palette))
    for bits, compression in ((8, 1), (4, 2)):
        rows, palette = levels(1, bits), palette_of(1 << bits)
        file = hand.bmp(rows, bits, 40, palette, compression=compression, data=hand.runs(rows, bits))
        by_hand(f"runs-{bits}.bmp", file, all_palette(rows, palette), pillow=None)
    few = levels(1, 1)  # a palette of fewer colours than its bits have
    by_hand("few-colours.bmp", hand.bmp(few, 8, 40, palette_of(2)), all_palette(few, palette_of(2)))
    for bits, head in itertools.product((24, 32), (12, 40, 64, 124)):
        if (bits, head) != (32, 12):
            rows = levels(3, 8)
            by_hand(f"plain-{bits}-{head}.bmp", hand.bmp(rows, bits, head), rows,
                    pillow=0 if head in (12, 40, 64) or bits == 24 else None)
    masks = {16: [(0x7C00, 0x3E0, 0x1F), (0xF800, 0x7E0, 0x1F), (0xF00, 0xF0, 0xF), (0x1F, 0x7E0, 0xF800)],
             32: [(0xFF0000, 0xFF00, 0xFF), (0xFF000000, 0xFF0000, 0xFF00), (0xFF, 0xFF00, 0xFF0000),
                  (0x3FF00000, 0xFFC00, 0x3FF)]}
    for bits, head in itertools.product((16, 32), (40, 52, 56, 108, 124)):
        for i, mask in enumerate(masks[bits]):
            whites = [m // (m & -m) for m in mask]
            rows = [[tuple(level % (white + 1) for level, white in zip(pixel, whites)) for pixel in row]
                    for row in levels(3, 10)]
            pixels = [[tuple(map(scaled, pixel, whites)) for pixel in row] for row in rows]
            by_hand(f"masks-{bits}-{head}-{i}.bmp", hand.bmp(rows, bits, head, masks=mask), pixels, pillow=None)
    plain = levels(3, 5)
    by_hand("plain-16.bmp", hand.bmp(plain, 16), all_colours(plain, 31), pillow=1)  # Pillow rounds down
    refused("jpeg-within.bmp", hand.bmp(plain, 24, compression=4, data=b"\xff\xd8"), "compression 4")


def tiff_pixels(rows, photometric, bits, palette):
    white = (1 << bits) - 1
    if photometric == 3:
        return all_palette(rows, palette)
    if photometric == 0:
        rows = [[tuple(white - level for level in pixel) for pixel in row] for row in rows]
    if photometric == 5:
        lights = [[[255 - scaled(ink, white) for ink in pixel[:4]] for pixel in row] for row in rows]
        return [[tuple((light * pixel[3] + 127) // 255 for light in pixel[:3]) for pixel in row] for row in lights]
    return all_colours(rows, white)


def tiff_of_kind(name, photometric, samples, bits, **layout):
    rows, palette, tags = levels(samples, bits), palette_of(1 << min(bits, 8)), []
    if photometric == 3:
        tags.append((320, 3, [257 * colour[i] for i in range(3) for colour in palette]))
    num_colours = {0: 1, 1: 1, 2: 3, 3: 1, 5: 4}[photometric]
    if samples > num_colours:
        tags.append((338, 3, [layout.pop("alpha", 2)] + [0] * (samples - num_colours - 1)))
    file = hand.tiff(rows, photometric, bits, tags=tags, **layout)
    pixels = tiff_pixels(rows, photometric, bits, palette)
    by_hand(name + ".tif", file, pixels, pillow=None, is_grey=photometric in (0, 1))


def make_tiff():
    modes = ("1", "L", "LA", "P", "RGB", "RGBA", "CMYK", "I;16")
    for mode, compression in itertools.product(modes, ("raw", "tiff_lzw", "tiff_adobe_deflate", "packbits")):
        file = saved(photo(mode), "TIFF", compression=compression)
        of_pillow(f"pillow-{mode.replace(';', '')}-{compression}.tif", file)
    for compression in ("tiff_deflate", "lzma", "zstd", "webp"):
        of_pillow(f"also-{compression}.tif", saved(photo(), "TIFF", compression=compression))
    for compression in ("group3", "group4", "tiff_ccitt"):
        of_pillow(f"fax-{compression}.tif", saved(photo("1"), "TIFF", compression=compression))
    for mode in ("L", "RGB", "CMYK"):
        of_pillow(f"jpeg-{mode}.tif", saved(photo(mode), "TIFF", compression="jpeg"), tolerance=2)
    of_pillow("jpeg-luminance.tif", saved(photo("YCbCr"), "TIFF", compression="jpeg"), tolerance=2)
    of_pillow("luminance.tif", saved(photo("YCbCr"), "TIFF", compression="tiff_adobe_deflate"), tolerance=2)
    of_pillow("pages.tif", saved(photo(), "TIFF", save_all=True, append_images=[photo().rotate(180)]))
    kinds = {0: (1, (1, 2, 4, 8, 12, 16)), 1: (1, (1, 2, 4, 8, 12, 16)), 2: (3, (2, 4, 8, 12, 16)),
             3: (1, (1, 2, 4, 8)), 5: (4, (8, 16))}
    for photometric, (samples, depths) in kinds.items():
        for bits, apart, tile, order in itertools.product(depths, (False, True), (None, 16), "<>"):
            name = f"{photometric}-{bits}{'-apart' * apart}{'-tiles' * bool(tile)}-{'LB'[order == '>']}"
            tiff_of_kind(name, photometric, samples, bits, apart=apart, tile=tile, order=order)
            # A channel more, which is none of colour.
            tiff_of_kind(name + "-more", photometric, samples + 1, bits, apart=apart, tile=tile, order=order, alpha=0)
    for bits, compression, predictor, big, fill in itertools.product(
            (8, 16), (1, 8, 32946, 32773), (1, 2), (False, True), (1, 2)):
        if predictor == 2 and compression not in (8, 32946):
            continue
        tiff_of_kind(f"packed-{bits}-{compression}-{predictor}{'-big' * big}-{fill}", 2, 3, bits,
                     compression=compression, predictor=predictor, big=big, fill=fill)
    multiplied = [[(level // 2, level // 4, level // 8, 128) for level, in row] for row in levels(1, 8)]
    of_pillow("multiplied.tif", hand.tiff(multiplied, 2, 8, tags=[(338, 3, [1])]), tolerance=1)
    plain, one = hand.tiff(levels(1, 8), 1, 8), struct.pack("<HHIH", 259, 3, 1, 1)
    for name, text, file in (
            ("signed-16", "signed numbers of 16 bits", hand.tiff(levels(1, 16), 1, 16, tags=[(339, 3, [2])])),
            ("fractions", "fractions of 32 bits", hand.tiff(levels(1, 16), 1, 32, tags=[(339, 3, [3])])),
            ("whole-32", "32 bits a channel", hand.tiff(levels(1, 16), 1, 32)),
            ("preview", "a preview stands in front", hand.tiff(levels(3, 8), 2, 8, tags=[(254, 4, [1])])),
            ("lab", "colour space 8", hand.tiff(levels(3, 8), 8, 8)),
            ("other-inks", "other inks", hand.tiff(levels(4, 8), 5, 8, tags=[(332, 3, [2])])),
            ("unknown-packing", "compression 34999", plain.replace(one, one[:8] + struct.pack("<H", 34999)))):
        refused(name + ".tif", file, text)
    fax = saved(photo("1"), "TIFF", compression="group4")
    refused("fax-damaged.tif", fax[:60] + bytes(20) + fax[80:], "damaged or truncated")


def make_jpeg():
    for mode, quality, subsampling, progressive in itertools.product(
            ("L", "RGB", "CMYK"), (40, 95), (0, 1, 2), (False, True)):
        file = saved(photo(mode), "JPEG", quality=quality, subsampling=subsampling, progressive=progressive)
        name = f"{mode}-{quality}-{subsampling}{'-progressive' * progressive}.jpg"
        of_pillow(name, file, tolerance=2)
    plain = saved(photo(), "JPEG")
    adobe = b"\xff\xee\0\x0eAdobe\0\x64\0\0\0\0\0"  # in place of JFIF's segment, which stands for other colours
    of_pillow("colours-as-they-are.jpg", plain[:2] + adobe + plain[20:], tolerance=2)
    inks = saved(photo("CMYK"), "JPEG")
    transform = inks.index(b"Adobe") + 11
    of_pillow("inks-as-luminance.jpg", inks[:transform] + b"\2" + inks[transform + 1 :], tolerance=2)
    of_pillow("film-behind.jpg", plain + b"\0\0\0\x18ftypmp42" + bytes(9000), tolerance=2)
    of_pillow("several.jpg", saved(photo(), "MPO", save_all=True, append_images=[photo().rotate(180)]), tolerance=2)
    of_pillow("comment.jpg", saved(photo(), "JPEG", comment=b"\xff\xd9 no end"), tolerance=2)
    for progressive in (False, True):
        file = saved(photo(), "JPEG", quality=95, progressive=progressive)
        scan = file.index(b"\xff\xda") + 14
        for tenths in (3, 5, 9):
            cut = scan + (len(file) - scan) * tenths // 10
            name = f"{'progressive-' * progressive}{tenths}.jpg"
            refused("cut-" + name, file[:cut], "damaged or truncated")
            refused("holed-" + name, file[:cut] + b"\xff\xd9", "damaged or truncated")
    frame = plain.index(b"\xff\xc0")
    refused("no-end.jpg", plain[:-2], "damaged or truncated")
    refused("12-bits.jpg", plain[: frame + 4] + b"\x0c" + plain[frame + 5 :], "of a kind that is not read")
    refused("lossless.jpg", plain[:frame] + b"\xff\xc3" + plain[frame + 2 :], "of a kind that is not read")


def make_webp():
    for mode, lossless in itertools.product(("RGB", "RGBA"), (False, True)):
        of_pillow(f"{mode}{'-lossless' * lossless}.webp", saved(photo(mode), "WEBP", lossless=lossless, exact=True),
                  tolerance=0 if lossless else 2)
    second = photo().rotate(180)
    of_pillow("animated.webp", saved(photo(), "WEBP", save_all=True, append_images=[second], lossless=True))
    whole = saved(photo(), "WEBP", lossless=True)
    for tenths in (2, 5, 9):
        refused(f"cut-{tenths}.webp", whole[: len(whole) * tenths // 10], "damaged or truncated")


def make_portable():
    for kind, white in itertools.product((1, 2, 3, 4, 5, 6), (1, 100, 255, 1023, 65535)):
        if kind in (1, 4) and white > 1:
            continue
        rows = [[tuple(level % (white + 1) for level in pixel) for pixel in row]
                for row in levels(3 if kind in (3, 6) else 1, 16)]
        pixels = all_colours(rows, white)
        if kind in (1, 4):
            pixels = [[tuple(255 - level for level in pixel) for pixel in row] for row in pixels]
        # Pillow 9.4 reads greys of 16 bits in a way of its own, and others within a level.
        by_hand(f"portable-{kind}-{white}.ppm", hand.portable(rows, kind, white), pixels,
                pillow=None if white > 255 and kind in (2, 5) else 1, is_grey=kind not in (3, 6))
    for samples, white, kind in ((1, 1, "BLACKANDWHITE"), (1, 255, "GRAYSCALE"), (2, 255, "GRAYSCALE_ALPHA"),
                                 (3, 255, "RGB"), (4, 255, "RGB_ALPHA"), (3, 65535, "RGB"), (1, 1023, "GRAYSCALE")):
        rows = [[tuple(level % (white + 1) for level in pixel) for pixel in row] for row in levels(samples, 16)]
        by_hand(f"arbitrary-{kind}-{white}.pam", hand.pam(rows, white, kind), all_colours(rows, white), pillow=None,
                is_grey=samples < 3)


def make_turned():
    upright = photo()
    rows = rows_of(upright)
    for orientation in range(1, 9):
        expected = rows_of(turned(upright, orientation))
        for order in "<>":
            data = hand.exif(orientation, order)
            name = f"turned-{orientation}{'LB'[order == '>']}"
            by_hand(f"{name}-chunk.png", hand.png(rows, 2, 8, before=[(b"eXIf", data)]), expected)
            by_hand(f"{name}-behind.png", hand.png(rows, 2, 8, behind=[(b"eXIf", data)]), expected, pillow=None)
            text = b"Raw profile type %s\0\0"
            for key in (b"exif", b"APP1"):
                by_hand(f"{name}-{key.decode()}.png",
                        hand.png(rows, 2, 8, before=[(b"zTXt", text % key + hand.zlib.compress(
                            hand.raw_profile(b"Exif\0\0" + data)))]), expected, pillow=None)
            by_hand(f"{name}.tif", hand.tiff(rows, 2, 8, order=order, tags=[(274, 3, [orientation])]), expected)
            by_hand(f"{name}.webp", saved(upright, "WEBP", lossless=True, exif=b"Exif\0\0" + data), expected)
            of_pillow(f"{name}.jpg", saved(upright, "JPEG", exif=b"Exif\0\0" + data), tolerance=2)
    luminance = {"format": "TIFF", "compression": "tiff_adobe_deflate"}  # Pillow turns these half the way
    with Image.open(io.BytesIO(saved(photo("YCbCr"), **luminance))) as image:
        expected = turned(image.convert("RGB"), 6)
    note("turned-luminance.tif", saved(photo("YCbCr"), **luminance, tiffinfo={274: 6}), expected, 2)


def make_others():
    refused("picture.gif", saved(photo("P"), "GIF"), "a GIF")
    refused("picture.jp2", saved(photo(), "JPEG2000"), "a JPEG 2000")
    refused("stream.jp2", saved(photo(), "JPEG2000", no_jp2=True), "a JPEG 2000")
    refused("picture.ico", saved(photo(), "ICO"), "an icon (ICO)")
    refused("picture.dds", saved(photo("RGBA"), "DDS"), "a DDS")
    refused("picture.pdf", saved(photo(), "PDF"), "a PDF")
    refused("picture.sgi", saved(photo(), "SGI"), "an SGI picture")
    for brand, text in ((b"heic", "a HEIC"), (b"avif", "an AVIF"), (b"mif1", "a HEIF"), (b"isom", "a film")):
        refused(f"picture.{brand.decode()}", b"\0\0\0\x20ftyp" + brand + bytes(40), text)
    refused("picture.svg", b'<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg"/>', "an SVG")
    refused("picture.psd", b"8BPS\0\1" + bytes(40), "a Photoshop document")
    refused("picture.jxl", b"\xff\x0a" + bytes(40), "a JPEG XL")
    refused("._picture.jpg", b"\0\5\x16\7\0\2\0\0Mac OS X" + bytes(40), "AppleDouble")
    refused("pointer.jpg", b"version https://git-lfs.github.com/spec/v1\noid sha256:0\n", "git lfs pull")


if __name__ == "__main__":
    warnings.simplefilter("ignore")  # Pillow's, about names that it will give up
    for make in (make_png, make_bmp, make_tiff, make_jpeg, make_webp, make_portable, make_turned, make_others):
        make()
    with open(os.path.join(FOLDER, "index"), "w", encoding="utf-8") as index:
        index.write("\n".join(INDEX) + "\n")
