"""Symbol graphs of the library products, from the debug build."""

import json
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def output(*command):
    return subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout


def build_folder():
    return pathlib.Path(output("swift", "build", "--show-bin-path").strip())


def library_modules():
    package = json.loads(output("swift", "package", "dump-package"))
    return sorted({target for product in package["products"] if "library" in product["type"] for target in product["targets"]})


def module_maps(build):
    """Of the C modules that the Swift ones are built on, ours and those of the packages."""
    checkouts = build.parent.parent / "checkouts"
    maps = [*ROOT.glob("Sources/C/*/module.modulemap"), *ROOT.glob("Sources/C/*/include/module.modulemap")]
    maps += [*checkouts.glob("*/Sources/*/include/module.modulemap"), *build.glob("*.build/module.modulemap")]
    return [argument for map in maps for argument in ("-Xcc", f"-fmodule-map-file={map}")]


def extract(module, build, maps, folder):
    """Writes the graphs of the module's public symbols into the folder."""
    target = json.loads(output("swift", "-print-target-info"))["target"]["triple"]
    subprocess.run(
        ["swift-symbolgraph-extract", "-module-name", module, "-I", build / "Modules", *maps, "-target", target,
         "-minimum-access-level", "public", "-skip-synthesized-members", "-output-dir", folder], check=True)
