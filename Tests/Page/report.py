"""Runs the tests and writes a report that scripts/count-tests reads.

usage: report.py REPORT.xml [TEST...]
"""

import pathlib
import sys
import time
import unittest
from xml.etree import ElementTree

HERE = pathlib.Path(__file__).parent


class Result(unittest.TextTestResult):
    def __init__(self, *arguments, **options):
        super().__init__(*arguments, **options)
        self.cases = []

    def startTest(self, test):
        self.begun = time.monotonic()
        super().startTest(test)

    def keep(self, test, kind=None, text=""):
        case = ElementTree.Element("testcase", classname=f"Page.{type(test).__name__}", name=test.id().rsplit(".", 1)[-1])
        case.set("time", f"{time.monotonic() - getattr(self, 'begun', time.monotonic()):.3f}")
        if kind:
            ElementTree.SubElement(case, kind).set("message", text)
        self.cases.append(case)

    def addSuccess(self, test):
        super().addSuccess(test)
        self.keep(test)

    def addFailure(self, test, error):
        super().addFailure(test, error)
        self.keep(test, "failure", str(error[1]))

    def addError(self, test, error):
        super().addError(test, error)
        self.keep(test, "failure", f"{error[0].__name__}: {error[1]}")

    def addSkip(self, test, reason):
        super().addSkip(test, reason)
        self.keep(test, "skipped", reason)


def main(report, *names):
    sys.path.insert(0, str(HERE))
    loader = unittest.defaultTestLoader
    suite = loader.loadTestsFromNames(names) if names else loader.discover(str(HERE))
    begun = time.monotonic()
    result = unittest.TextTestRunner(verbosity=2, resultclass=Result).run(suite)
    print(f"{time.monotonic() - begun:.1f} s")
    root = ElementTree.Element("testsuites")
    ElementTree.SubElement(root, "testsuite", name="page").extend(result.cases)
    ElementTree.ElementTree(root).write(report, encoding="utf-8", xml_declaration=True)
    return 0 if result.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
