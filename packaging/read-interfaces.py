#!/usr/bin/env python3
"""Writes every interface of org.mdhost that an object on the session bus has as a file, with the descriptions of
docs/dbus.md.  usage: read-interfaces.py FOLDER"""

import re
import subprocess
import sys
import xml.etree.ElementTree as xml
from pathlib import Path

import dbus

HEADER = """<!DOCTYPE node PUBLIC "-//freedesktop//DTD D-BUS Object Introspection 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/introspect.dtd">
"""
DOCUMENTATION = "org.gtk.GDBus.DocString"


def busctl(*arguments):
    command = ["busctl", "--user", *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True, timeout=30).stdout


def descriptions():
    """(interface, member) to the last column of its row; a heading names the interface of what follows."""
    found, interface = {}, None
    for line in (Path(__file__).parent.parent / "docs/dbus.md").read_text().splitlines():
        if line.startswith("## "):
            names = re.findall(r"`(org\.mdhost\.\w+)`", line)
            interface = names[0] if names else None
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        # A row may describe several members.
        members = re.findall(r"`(\w+)(?:\([^`]*\))?`", cells[0]) if len(cells) > 1 else []
        if interface and cells[1:] and cells[-1]:
            text = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", cells[-1])
            found |= {(interface, member): text.replace("`", "").replace("\\|", "|").strip() for member in members}
    return found


def main():
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True)
    texts, interfaces = descriptions(), {}
    # As long as this process lives, so does the object.
    manager = dbus.SessionBus().get_object("org.mdhost", "/org/mdhost")
    manager.AcquireDiscoveryLease({}, dbus_interface="org.mdhost.Manager1", signature="a{sv}")
    for path in busctl("tree", "--list", "org.mdhost").split():
        for node in xml.fromstring(busctl("introspect", "--xml-interface", "org.mdhost", path)).iter("interface"):
            if node.get("name").startswith("org.mdhost."):
                interfaces[node.get("name")] = node
                for member in node:
                    member.text = None
    for name, interface in sorted(interfaces.items()):
        for member in interface:
            text = texts.get((name, member.get("name")))
            if text and member.tag in ("method", "signal", "property"):
                member.insert(0, xml.Element("annotation", name=DOCUMENTATION, value=text))
        root = xml.Element("node")
        root.append(interface)
        xml.indent(root)
        (folder / f"{name}.xml").write_text(HEADER + xml.tostring(root, encoding="unicode") + "\n")


main()
