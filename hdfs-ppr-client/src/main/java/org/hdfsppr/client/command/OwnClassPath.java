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
package org.hdfsppr.client.command;

import java.io.File;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.classification.InterfaceAudience;

/** The jars of hdfs-ppr on the class path of this process. Immutable. */
@InterfaceAudience.Private
final class OwnClassPath {
  /** What to do about a {@link #finding}. */
  static final String REMEDY = "keep the jars of one version on this host, and delete the others";

  private static final Pattern JAR =
      Pattern.compile("hdfs-ppr-[a-z]+-(\\d[^/]*?)(?:-dropin)?\\.jar");

  private final Map<String, Set<String>> jarsByVersion = new TreeMap<>();

  /**
   * @param classPath jars and folders, as the JVM has them
   */
  OwnClassPath(String classPath) {
    for (String entry : classPath.split(Pattern.quote(File.pathSeparator))) {
      Matcher jar = JAR.matcher(new File(entry).getName());
      if (jar.matches()) {
        jarsByVersion.computeIfAbsent(jar.group(1), version -> new LinkedHashSet<>()).add(entry);
      }
    }
  }

  /** Says which versions there are, if there are several; empty if all is well. */
  Optional<String> finding() {
    if (jarsByVersion.size() < 2) {
      return Optional.empty();
    }
    StringBuilder text = new StringBuilder("The class path of this command has "
        + jarsByVersion.size() + " versions of hdfs-ppr, which break each other:");
    jarsByVersion.forEach((version, jars) -> text.append(' ').append(version).append(" (")
        .append(String.join(", ", jars)).append(')'));
    return Optional.of(text.toString());
  }
}
