/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package org.hdfsppr.conformance;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/** The results of one test class, read from surefire's XML report. */
final class SuiteResult {
  private final String className;
  private final double seconds;
  private final List<String> passed = new ArrayList<>();
  private final List<Failure> failed = new ArrayList<>();
  private final List<Failure> inError = new ArrayList<>();
  private final List<String> skipped = new ArrayList<>();

  /** A test method that did not pass, and its failure. */
  static final class Failure {
    private final String method;
    private final String message;

    Failure(String method, Element outcome) {
      this.method = method;
      this.message = Stream.of("type", "message").map(outcome::getAttribute)
          .filter(text -> !text.isBlank()).collect(Collectors.joining(": "))
          .replaceAll("\\s+", " ");
    }

    String method() {
      return method;
    }

    /**
     * Returns the type and the message of the exception on one line. Empty if the report has
     * neither.
     */
    String message() {
      return message;
    }
  }

  SuiteResult(String className, double seconds) {
    this.className = className;
    this.seconds = seconds;
  }

  /** Reads all reports in a directory. Maps the name of each test class to its result. */
  static Map<String, SuiteResult> readAll(Path reports) throws IOException {
    Map<String, SuiteResult> results = new TreeMap<>();
    if (Files.isDirectory(reports)) {
      try (DirectoryStream<Path> files = Files.newDirectoryStream(reports, "TEST-*.xml")) {
        for (Path file : files) {
          SuiteResult result = read(file);
          results.put(result.className, result);
        }
      }
    }
    return results;
  }

  private static SuiteResult read(Path file) throws IOException {
    Element suite;
    try {
      DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
      factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
      suite = factory.newDocumentBuilder().parse(file.toFile()).getDocumentElement();
    } catch (ParserConfigurationException | SAXException e) {
      throw new IOException("Not a report of surefire: " + file, e);
    }
    SuiteResult result = new SuiteResult(suite.getAttribute("name"),
        Double.parseDouble(suite.getAttribute("time").replace(",", "")));
    NodeList cases = suite.getElementsByTagName("testcase");
    for (int i = 0; i < cases.getLength(); i++) {
      Element test = (Element) cases.item(i);
      result.add(test.getAttribute("name"), test);
    }
    return result;
  }

  private void add(String reportedName, Element test) {
    // Surefire appends the parameters of a parameterised test to the method's name, and this line
    // removes them. If the setup of a class failed, the report names only the class.
    String method = reportedName.replaceFirst("[({\\[].*", "");
    Element error = child(test, "error");
    Element failure = child(test, "failure");
    if (error != null) {
      inError.add(new Failure(method, error));
    } else if (failure != null) {
      failed.add(new Failure(method, failure));
    } else if (child(test, "skipped") != null) {
      skipped.add(method);
    } else {
      passed.add(method);
    }
  }

  private static Element child(Element test, String name) {
    return (Element) test.getElementsByTagName(name).item(0);
  }

  String className() {
    return className;
  }

  double seconds() {
    return seconds;
  }

  int tests() {
    return passed.size() + failed.size() + inError.size() + skipped.size();
  }

  List<String> passed() {
    return passed;
  }

  /** Returns the methods in which an assertion failed. */
  List<Failure> failed() {
    return failed;
  }

  /**
   * Returns the methods that ended with another exception. Surefire separates these methods from
   * failed assertions, but {@link ConformanceReport} treats both alike.
   */
  List<Failure> inError() {
    return inError;
  }

  List<String> skipped() {
    return skipped;
  }
}
