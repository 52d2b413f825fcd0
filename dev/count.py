#!/usr/bin/env python3
# Licensed under the Apache License, Version 2.0 (the "License");
# you may not use this file except in compliance with the License.
# You may obtain a copy of the License at
#
#     http://www.apache.org/licenses/LICENSE-2.0
#
# Unless required by applicable law or agreed to in writing, software
# distributed under the License is distributed on an "AS IS" BASIS,
# WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
# See the License for the specific language governing permissions and
# limitations under the License.
"""Counts the quantity of structure: code, classes, wide constructors and settings, by module.

Code is what is left of a Java file without comments, blank lines, imports and the line of its
package. Classes are files but package-info.java. A constructor is wide if it has over seven
parameters; records of test code do not count, since only src/main is read.

  dev/count.py                 a table of all modules' src/main
  dev/count.py --packages      each package too, the largest first
  dev/count.py --wide          each wide constructor
  dev/count.py --long N        each file of over N lines of code
"""

import argparse
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
SETTINGS = "hdfs-ppr-common/src/main/resources/hdfs-ppr-default.xml"
PARAMETERS = 7
# Modules that no installation has: tests on clusters, and benchmarks.
APART = ("it", "bench")

# A string, a character, a comment of either kind: what comes first in the text decides.
TOKEN = re.compile(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|//[^\n]*|/\*.*?\*/', re.S)


def code_of(text):
    """Returns the text without comments; a comment leaves the line breaks that it had."""
    def keep(match):
        token = match.group()
        if token.startswith(("//", "/*")):
            return "\n" * token.count("\n")
        return token
    return TOKEN.sub(keep, text)


def code_lines(code):
    """Returns how many lines of code there are without blanks, imports and the package."""
    return sum(1 for line in code.split("\n")
               if line.strip() and not re.match(r"\s*(import|package)\b.*;", line))


def depth_split(parameters):
    """Returns how many parameters a list has; commas within < >, ( ) and { } split none."""
    depth = 0
    count = 1 if parameters.strip() else 0
    for character in parameters:
        if character in "<({":
            depth += 1
        elif character in ">)}":
            depth -= 1
        elif character == "," and depth == 0:
            count += 1
    return count


def constructors(code):
    """Yields (class, parameters) of each constructor that the text declares."""
    code = re.sub(r'"(?:\\.|[^"\\\n])*"', '""', code)
    names = set(re.findall(r"\b(?:class|enum)\s+(\w+)", code))
    for match in re.finditer(r"(?m)^\s*(?:(?:public|protected|private)\s+)?(\w+)\s*\(", code):
        if match.group(1) not in names:
            continue
        start = match.end()
        depth = 1
        end = start
        while end < len(code) and depth:
            depth += {"(": 1, ")": -1}.get(code[end], 0)
            end += 1
        if re.match(r"\s*(throws[^{;]*)?\{", code[end:]):
            yield match.group(1), depth_split(code[start:end - 1])


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--packages", action="store_true")
    parser.add_argument("--wide", action="store_true")
    parser.add_argument("--long", type=int, metavar="N")
    options = parser.parse_args()

    modules = {}
    packages = {}
    wide = []
    long = []
    for path in sorted(ROOT.glob("*/src/main/java/**/*.java")):
        if path.name == "package-info.java":
            continue
        relative = path.relative_to(ROOT)
        code = code_of(path.read_text(encoding="utf-8"))
        lines = code_lines(code)
        found = [(relative, name, count) for name, count in constructors(code)
                 if count > PARAMETERS]
        wide += found
        if options.long is not None and lines > options.long:
            long.append((lines, relative))
        for table, key in ((modules, relative.parts[0]),
                           (packages, "/".join(relative.parts[:1] + relative.parts[4:-1]))):
            row = table.setdefault(key, [0, 0, 0])
            row[0] += lines
            row[1] += 1
            row[2] += len(found)

    def table(rows):
        print(f"{'':60} {'code':>7} {'classes':>7} {'wide':>5}")
        for name, row in rows:
            print(f"{name:60} {row[0]:7} {row[1]:7} {row[2]:5}")

    product = [row for name, row in modules.items() if name not in APART]
    table(sorted(modules.items()) + [("all but " + " and ".join(APART),
                                      [sum(column) for column in zip(*product)])])
    settings = (ROOT / SETTINGS).read_text(encoding="utf-8").count("<name>")
    print(f"{'settings':60} {settings:7}")
    if options.packages:
        table(sorted(packages.items(), key=lambda item: -item[1][0]))
    if options.wide:
        for relative, name, count in sorted(wide, key=lambda item: -item[2]):
            print(f"{count:3} {name:30} {relative}")
    for lines, relative in sorted(long, reverse=True):
        print(f"{lines:5} {relative}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
