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

"""Goes from the pages of a real NameNode to the operator's page, as an operator does.

test_menu.py URL: where the NameNode's web server is, such as http://10.77.1.1:9870
"""

import os
import sys
import unittest

from playwright.sync_api import expect, sync_playwright

CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")
NAMENODE = ""


class TestMenu(unittest.TestCase):
  @classmethod
  def setUpClass(cls):
    cls.playwright = sync_playwright().start()
    cls.browser = cls.playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])

  @classmethod
  def tearDownClass(cls):
    cls.browser.close()
    cls.playwright.stop()

  def setUp(self):
    self.context = self.browser.new_context()
    self.addCleanup(self.context.close)
    self.errors = []

  def go_from(self, name):
    page = self.context.new_page()
    page.goto("%s/%s" % (NAMENODE, name))
    entry = page.get_by_role("link", name="Erasure-coded repairs")
    page.get_by_role("link", name="Utilities").click()
    expect(entry).to_be_visible()
    page.on("pageerror", lambda error: self.errors.append(str(error)))
    entry.click()
    expect(page).to_have_url(NAMENODE + "/ppr/")
    # The page has asked the NameNode, and the NameNode has answered.
    expect(page.locator("#health-state")).to_have_text("OK", timeout=60_000)
    self.assertEqual([], self.errors, "the browser complains")

  def test_from_the_health_of_the_cluster(self):
    self.go_from("dfshealth.html")

  def test_from_the_explorer_of_files(self):
    self.go_from("explorer.html")

  def test_back_to_hadoops_pages(self):
    page = self.context.new_page()
    page.goto("%s/dfshealth.html" % NAMENODE)
    page.get_by_role("link", name="Utilities").click()
    page.get_by_role("link", name="Erasure-coded repairs").click()
    expect(page).to_have_url(NAMENODE + "/ppr/")
    page.go_back()
    expect(page.get_by_role("link", name="Utilities")).to_be_visible()


if __name__ == "__main__":
  if len(sys.argv) < 2 or not sys.argv[1].startswith("http"):
    sys.exit(__doc__)
  NAMENODE = sys.argv.pop(1)
  unittest.main(verbosity=2)
