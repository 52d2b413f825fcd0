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

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintWriter;
import java.util.Collections;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * Prints a command's result: sentences and tables for people, or, with {@code -json}, one JSON
 * object per line for programs. With {@code -json}, refusals also go to the standard output, as
 * {@code {"error": "..."}}. Used by one thread.
 */
@InterfaceAudience.Private
public final class ToolOutput {
  private final PrintWriter out;
  private final PrintWriter err;
  /** Whether the user wants JSON, which {@link #object} prints, instead of text */
  public final boolean isJson;

  ToolOutput(PrintWriter out, PrintWriter err, boolean isJson) {
    this.out = out;
    this.err = err;
    this.isJson = isJson;
  }

  /**
   * Prints lines for people.
   *
   * @param lines each has to end with a line break
   */
  public void lines(String lines) {
    out.print(lines);
    out.flush();
  }

  /**
   * Prints a sentence for people.
   *
   * @param sentence the sentence
   */
  public void sentence(String sentence) {
    out.println(sentence);
    out.flush();
  }

  /**
   * Prints what was refused, or what has failed.
   *
   * @param sentence says so
   */
  public void complaint(String sentence) {
    err.println(sentence);
    err.flush();
  }

  /**
   * @return whether the process that read the output has ended, so that no more output is needed
   */
  public boolean isGone() {
    return out.checkError();
  }

  /**
   * Prints one line of JSON.
   *
   * @param value a map, a list or a plain value
   */
  public void object(Object value) {
    try {
      out.println(new ObjectMapper().writeValueAsString(value));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("No JSON can be made of " + value.getClass(), e);
    }
    out.flush();
  }

  /**
   * Prints why the command has not been done, as text or as JSON.
   *
   * @param sentence the reason
   */
  public void refusal(String sentence) {
    if (isJson) {
      object(Collections.singletonMap("error", sentence));
    } else {
      complaint(sentence);
    }
  }
}
