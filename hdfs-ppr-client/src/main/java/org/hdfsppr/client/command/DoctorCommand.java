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

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.File;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.client.text.DoctorText;
import org.hdfsppr.conf.RemovedKeys;
import picocli.CommandLine.Command;

/** {@code hdfs ppr -doctor}: what is wrong with the installation. */
@InterfaceAudience.Private
@Command(name = "-doctor",
    description = "Compares the plugins, versions, ports, kernels, clocks, class paths and settings"
        + " of all nodes, and prints what is wrong and what to do, the worst first.",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:no error is found", "1:an error is found, or the command has failed",
        "2:not understood"},
    footer = "%nExample: hdfs ppr -doctor")
final class DoctorCommand extends PageCommand {
  private static final String FINDINGS = "findings";

  DoctorCommand(CommandEnvironment surroundings) {
    super(surroundings);
  }

  @Override
  String path() {
    return "/v1/doctor";
  }

  /**
   * Adds findings about the class path and the settings of this host, which the NameNode does not
   * know, and orders all findings.
   */
  @Override
  void select(ObjectNode document) {
    ArrayNode all = document.arrayNode();
    document.path(FINDINGS).forEach(all::add);
    new OwnClassPath(surroundings.classPath()).finding().ifPresent(text -> {
      ObjectNode finding = all.addObject();
      finding.put("severity", DoctorText.ERROR).put("code", "client_class_path");
      finding.putArray("nodes");
      finding.put("text", text).put("remedy", OwnClassPath.REMEDY);
    });
    RemovedKeys.ofClient(surroundings.conf()).forEach(text -> {
      ObjectNode finding = all.addObject();
      finding.put("severity", DoctorText.WARNING).put("code", "client_settings");
      finding.putArray("nodes");
      finding.put("text", "On this host, " + text)
          .put("remedy", "take it out of the site files of clients");
    });
    ArrayNode sorted = document.putArray(FINDINGS);
    DoctorText.worstFirst(all).forEach(sorted::add);
  }

  private static List<JsonNode> findings(ObjectNode document) {
    return DoctorText.worstFirst(document.path(FINDINGS));
  }

  @Override
  String text(ObjectNode document, Instant now) {
    return DoctorText.of(findings(document));
  }

  @Override
  ExitCode judge(ObjectNode document, ToolOutput output) {
    return DoctorText.number(findings(document), DoctorText.ERROR) > 0 ? ExitCode.FAILED
        : ExitCode.DONE;
  }

  /** The jars of hdfs-ppr on the class path of this process. Immutable. */
  static final class OwnClassPath {
    /** What to do about a {@link #finding}. */
    static final String REMEDY = "keep the jars of one version on this host, and delete the others";

    private static final Pattern JAR =
        Pattern.compile("hdfs-ppr-(?:files-)?[a-z]+-(\\d[^/]*?)(?:-dropin)?\\.jar");

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

    /** Says which versions are on the class path if there are several; empty if there are not. */
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
}
