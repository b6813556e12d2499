#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
"""usage: backend.py stage|install FOLDER

Puts the package flitloom together: the files of python/flitloom/, the declarations made from the headers, and, for a wheel, the library
with the RTL that link sim needs. pip calls build_wheel (PEP 517; pyproject.toml names this file). stage: the package as tests import
it from FOLDER, with the library of build/. install: into FOLDER, a dist-packages, without the library, which is then the system's.

FLITLOOM_SYSTEM: set for a wheel without the library, from what pkg-config says of an installed one; no make, no C sources are needed.
"""
import base64
import hashlib
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import tomllib
import zipfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import declarations  # noqa: E402

TREE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SOURCES = os.path.join(TREE, "python", "flitloom")
TREE_FLAGS = ["-I" + os.path.join(TREE, "include"), "-I" + os.path.join(TREE, "build", "gen")]


def version(flags):
    return declarations.constants(flags)["VERSION"]


def make(*targets):
    """make says on standard error what failed."""
    done = subprocess.run(["make", "-s", "-C", TREE, "-j", str(os.cpu_count() or 1), *targets], stdout=sys.stderr)
    if done.returncode:
        sys.exit(f"flitloom: make {' '.join(targets)} failed; tools/setup.sh build installs what it needs, or FLITLOOM_SYSTEM=1 takes an installed library")


def put_sources(package, flags):
    shutil.copytree(SOURCES, package, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__"))
    declarations.write(package, flags)


def put_library(package, library):
    """As `make install` has them, so that the library finds the RTL (host/links/verilated_home.c)."""
    major = ".".join(os.path.basename(library).split(".")[:4])  # libflitloom.so.0.1
    os.makedirs(os.path.join(package, "lib"), exist_ok=True)
    shutil.copy(library, os.path.join(package, "lib", major))
    share = os.path.join(package, "share", "flitloom")
    shutil.copytree(os.path.join(TREE, "rtl"), os.path.join(share, "rtl"), dirs_exist_ok=True)
    os.makedirs(os.path.join(share, "tools"), exist_ok=True)
    tools = os.path.join(TREE, "tools")
    for name in sorted(os.listdir(tools)):
        if re.fullmatch(r"model\.sh|model_.*\.c", name):
            shutil.copy(os.path.join(tools, name), os.path.join(share, "tools"))


def project():
    with open(os.path.join(TREE, "pyproject.toml"), "rb") as file:
        return tomllib.load(file)["project"]


def metadata(of_version):
    it = project()
    lines = ["Metadata-Version: 2.1", f"Name: {it['name']}", f"Version: {of_version}", f"Summary: {it['description']}",
             f"License: {it['license']}", f"Requires-Python: {it['requires-python']}"]
    lines += [f"Requires-Dist: {wanted}" for wanted in it["dependencies"]]
    for extra, wanted in it["optional-dependencies"].items():
        lines += [f"Provides-Extra: {extra}", *(f"Requires-Dist: {one}; extra == \"{extra}\"" for one in wanted)]
    return "\n".join(lines) + "\n"


def write_wheel(path, folder, of_version, tag):
    info = f"flitloom-{of_version}.dist-info"
    os.makedirs(os.path.join(folder, info))
    pure = "true" if tag.endswith("-any") else "false"
    texts = {"METADATA": metadata(of_version), "WHEEL": f"Wheel-Version: 1.0\nGenerator: flitloom\nRoot-Is-Purelib: {pure}\nTag: {tag}\n"}
    for name, text in texts.items():
        with open(os.path.join(folder, info, name), "w", encoding="utf-8") as file:
            file.write(text)
    record = []
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as wheel:
        for at, folders, names in sorted(os.walk(folder)):
            for name in sorted(names):
                file = os.path.join(at, name)
                inside = os.path.relpath(file, folder)
                with open(file, "rb") as stream:
                    data = stream.read()
                digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
                record.append(f"{inside},sha256={digest},{len(data)}")
                wheel.write(file, inside)
        wheel.writestr(f"{info}/RECORD", "\n".join([*record, f"{info}/RECORD,,", ""]))


# --- What pip calls (PEP 517) --------------------------------------------------------------------------------------------


def get_requires_for_build_wheel(config_settings=None):
    return []


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    system = bool(os.environ.get("FLITLOOM_SYSTEM"))
    if system:
        flags = subprocess.run(["pkg-config", "--cflags", "flitloom"], capture_output=True, text=True, check=True).stdout.split()
        tag = "py3-none-any"
    else:
        flags = TREE_FLAGS
        tag = "py3-none-" + re.sub(r"[-.]", "_", sysconfig.get_platform())
        make("build/gen/flitloom/link/regmap.h")
    of_version = version(flags)
    library = os.path.join(TREE, "build", f"libflitloom.so.{of_version}")
    if not system:
        make(os.path.relpath(library, TREE))
    name = f"flitloom-{of_version}-{tag}.whl"
    with tempfile.TemporaryDirectory() as folder:
        put_sources(os.path.join(folder, "flitloom"), flags)
        if not system:
            put_library(os.path.join(folder, "flitloom"), library)
        write_wheel(os.path.join(wheel_directory, name), folder, of_version, tag)
    return name


def build_sdist(sdist_directory, config_settings=None):
    raise NotImplementedError("flitloom: the source tree is the source distribution: git archive")


def main(words):
    if len(words) != 2 or words[0] not in ("stage", "install"):
        sys.exit(__doc__)
    package = os.path.join(words[1], "flitloom")
    put_sources(package, TREE_FLAGS)
    of_version = version(TREE_FLAGS)
    if words[0] == "stage":
        put_library(package, os.path.join(TREE, "build", f"libflitloom.so.{of_version}"))
        return
    info = os.path.join(words[1], f"flitloom-{of_version}.dist-info")
    os.makedirs(info, exist_ok=True)
    with open(os.path.join(info, "METADATA"), "w", encoding="utf-8") as file:
        file.write(metadata(of_version))


if __name__ == "__main__":
    main(sys.argv[1:])
