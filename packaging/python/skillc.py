"""Starts `skc`, which the same package installs: for `uvx skillc` and `python -m skillc`."""

import os
import subprocess
import sys
import sysconfig


def program():
    name = "skc.exe" if os.name == "nt" else "skc"
    folders = [sysconfig.get_path("scripts"), os.path.dirname(os.path.abspath(sys.argv[0]))]
    # `pip install --user` has a folder of its own.
    folders.append(sysconfig.get_path("scripts", f"{os.name}_user"))
    for folder in folders:
        path = os.path.join(folder, name)
        if os.path.isfile(path):
            return path
    sys.exit(f"skc: '{name}' is not beside this package; install it anew")


def main():
    command = [program(), *sys.argv[1:]]
    if os.name == "nt":
        sys.exit(subprocess.call(command))
    os.execv(command[0], command)


if __name__ == "__main__":
    main()
