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

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;

/**
 * A command that superusers send to all NameNodes of the file system. The command succeeds if at
 * least one NameNode has done it. The other NameNodes may know nothing of the block or node, and
 * then have nothing to do.
 */
abstract class SuperuserCommand extends ToolCommand {
  private final Supplier<Configuration> conf;
  private final String operation;

  /**
   * @param conf names the file system
   * @param operation the name by which NameNodes know the command
   */
  SuperuserCommand(Supplier<Configuration> conf, String operation) {
    this.conf = conf;
    this.operation = operation;
  }

  /** What the NameNodes get with the operation, such as a block; null if nothing. */
  abstract String argument();

  @Override
  protected ExitCode run(ToolOutput output) throws IOException {
    return send(NameNodes.of(conf.get()), argument(), output);
  }

  /** Sends the operation with this argument, or without one if it is null, to all NameNodes. */
  final ExitCode send(NameNodes nameNodes, String argument, ToolOutput output) {
    List<NameNodeAnswer> answers = argument == null ? nameNodes.command(operation)
        : nameNodes.command(operation, argument);
    ExitCode code = NameNodeAnswer.summary(answers);
    if (output.isJson) {
      output.object(json(argument, answers, code));
    } else {
      for (NameNodeAnswer answer : answers) {
        if (answer.code == ExitCode.DONE) {
          output.sentence(answer.toString());
        } else {
          output.complaint(answer.toString());
        }
      }
    }
    return code;
  }

  private Map<String, Object> json(String argument, List<NameNodeAnswer> answers, ExitCode code) {
    List<Object> each = new ArrayList<>();
    for (NameNodeAnswer answer : answers) {
      Map<String, Object> one = new LinkedHashMap<>();
      one.put("nameNode", answer.nameNode);
      one.put("done", answer.code == ExitCode.DONE);
      one.put("message", answer.message);
      each.add(one);
    }
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("command", operation);
    all.put("argument", argument);
    all.put("done", code == ExitCode.DONE);
    all.put("answers", each);
    return all;
  }
}
