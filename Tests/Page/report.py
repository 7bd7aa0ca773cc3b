"""Runs the tests and writes a report that scripts/count-tests reads.

usage: report.py REPORT.xml [TEST...]

If only a few fail, these run once more, and REPORT.again.xml says how.
"""

import pathlib
import sys
import time
import unittest
from xml.etree import ElementTree

HERE = pathlib.Path(__file__).parent
# More failures than these are no accident.
MOST_AGAIN = 2


class Result(unittest.TextTestResult):
    def __init__(self, *arguments, **options):
        super().__init__(*arguments, **options)
        self.cases = {}

    def startTest(self, test):
        self.begun = time.monotonic()
        super().startTest(test)

    def keep(self, test, kind=None, text=""):
        # A test can have several faults: one of each part.
        case = self.cases.setdefault(test.id(), ElementTree.Element(
            "testcase", classname=f"Page.{type(test).__name__}", name=test.id().rsplit(".", 1)[-1]))
        case.set("time", f"{time.monotonic() - getattr(self, 'begun', time.monotonic()):.3f}")
        if kind:
            ElementTree.SubElement(case, kind).set("message", text)

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

    def addSubTest(self, test, part, error):
        super().addSubTest(test, part, error)
        if error:
            self.keep(test, "failure", f"{part}: {error[1]}")

    def failed(self):
        """What failed, each once: tests, or what prepares them."""
        return {test.id(): test for test in (getattr(each, "test_case", each) for each, _ in self.failures + self.errors)}


def run(suite, report):
    begun = time.monotonic()
    result = unittest.TextTestRunner(verbosity=2, resultclass=Result).run(suite)
    print(f"{time.monotonic() - begun:.1f} s")
    root = ElementTree.Element("testsuites")
    ElementTree.SubElement(root, "testsuite", name="page").extend(result.cases.values())
    ElementTree.ElementTree(root).write(report, encoding="utf-8", xml_declaration=True)
    return result


def main(report, *names):
    sys.path.insert(0, str(HERE))
    loader = unittest.defaultTestLoader
    suite = loader.loadTestsFromNames(names) if names else loader.discover(str(HERE))
    result = run(suite, report)
    failed = result.failed()
    if failed and len(failed) <= MOST_AGAIN and all(isinstance(each, unittest.TestCase) for each in failed.values()):
        print("These run once more:", *failed)
        result = run(loader.loadTestsFromNames(failed), pathlib.Path(report).with_suffix(".again.xml"))
    return 0 if result.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
