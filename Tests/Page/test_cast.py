"""Chromium as the sender of a tab to the simulated Google Cast device: a sender that shares no code with it."""

import array
import pathlib
import subprocess
import tempfile
import unittest

from browser import Browser
from programs import BIN, Demo, Failed, eventually

RATE = 48_000
TONE = """data:text/html,<title>Tone</title><script>
    const context = new AudioContext(), tone = context.createOscillator(), level = context.createGain()
    tone.frequency.value = 440
    level.gain.value = 0.5
    tone.connect(level).connect(context.destination)
    tone.start()
    let turn = 0
    setInterval(() => document.body.style.background = `hsl(${turn += 7}, 80%, 50%)`, 40)
</script>"""


class CastDevice(Demo):
    """The simulated device, which keeps the sound and the pictures that it plays, and its authority's certificate."""

    AUTHORITY = "authority.pem"

    def __init__(self, name, folder):
        self.sound = folder / "sound"
        self.pictures = folder / "pictures.ivf"
        self.authority = folder / self.AUTHORITY
        super().__init__(
            name, "--record", str(self.sound), "--record-pictures", str(self.pictures),
            "--authority", str(self.authority), program=[BIN / "mdhost-demo-cast"])

    def __enter__(self):
        self.tells("ready")
        return self


class MirroringTests(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="mdhost-cast-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def test_the_sound_and_the_pictures_of_a_tab(self):
        log = self.folder / "chromium.log"
        browser = Browser(
            "--autoplay-policy=no-user-gesture-required",
            f"--cast-developer-certificate-path={self.folder / CastDevice.AUTHORITY}",
            "--enable-logging", f"--log-file={log}", "--vmodule=*local_discovery*=1,cast_socket=1,mdns_client*=1")
        self.addCleanup(browser.close)
        driver = browser.driver
        driver.get(TONE)
        driver.execute_cdp_cmd("Cast.enable", {})
        eventually("Chromium listens", lambda: log.is_file() and b"Sockets ready" in log.read_bytes(), 30)
        # After Chromium, which asks once: it hears the announcement, which is repeated, though the answer gets lost.
        with CastDevice("Kitchen Cast", self.folder) as device:
            try:
                # Takes 5 s, but 15 s longer for each connection that failed.
                eventually("Chromium finds the device", lambda: device.name in names(driver), 100)
            except Failed as failure:
                raise Failed(f"{failure}\n{log.read_text(errors='replace')[-8000:]}") from None
            driver.start_tab_mirroring(device.name)
            self.assertEqual(device.tells("launched")["app"], "Chrome Mirroring")
            device.tells("streaming")
            # Sound of two seconds, 16 bit, stereo.
            eventually("the sound arrives", lambda: device.sound.stat().st_size > 2 * RATE * 4, 30)
            # As many as a busy processor encodes.
            eventually("pictures arrive", lambda: frames(device.pictures) > 20, 60)
            driver.stop_casting(device.name)
            device.tells("app-ended")
            pictures = device.tells("shown")
            counts = device.tells("streamed")
        self.assertEqual((counts["lost"], counts["dropped"]), (0, 0))
        self.assertEqual(pictures["lost"], 0)
        self.assertGreater(pictures["played"], 20)
        self.assertEqual(decoded(device.pictures), pictures["played"])
        left = array.array("h", device.sound.read_bytes())[0::2]
        heard = left[next(index for index, sample in enumerate(left) if abs(sample) > 8000):]
        heard = heard[RATE // 4:RATE // 4 + RATE]
        rises = sum(before < 0 <= after for before, after in zip(heard, heard[1:]))
        self.assertAlmostEqual(rises, 440, delta=2)
        self.assertAlmostEqual(max(heard) / 32_768, 0.5, delta=0.05)


def frames(path):
    """The number of pictures in an IVF file that grows: after a header of 32 bytes, each has one of 12 that begins with its length."""
    count, position, content = 0, 32, path.read_bytes()
    while (end := position + 12) <= len(content):
        position = end + int.from_bytes(content[position:position + 4], "little")
        count += position <= len(content)
    return count


def decoded(path):
    """The number of pictures in a file that FFmpeg decodes without an error."""
    result = subprocess.run(
        ["ffprobe", "-loglevel", "error", "-count_frames", "-show_entries", "stream=nb_read_frames", "-of", "csv=p=0", path],
        capture_output=True, check=True, text=True, timeout=60)
    assert not result.stderr, result.stderr
    return int(result.stdout)


def names(driver):
    return [sink["name"] for sink in driver.get_sinks()]
