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
package org.hdfsppr.client.files.text;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.hdfsppr.client.formation.GroupJobResult;
import org.hdfsppr.client.formation.GroupJobResult.Number;
import org.hdfsppr.datanode.SampleAnswers;
import org.hdfsppr.datanode.Snapshot;
import org.hdfsppr.operate.CoreDirectory;
import org.junit.jupiter.api.Test;

/** What {@code hdfs ppr -core -protect -mapreduce} says of its job is what it was. */
class TestGroupJobSnapshot {
  private static final Snapshot RECORDED = Snapshot.of("hdfs-ppr-files-client", "text");
  private static final String FILE = "group-job.txt";

  @Test
  void isAsRecorded() throws JsonProcessingException {
    Map<Number, Long> numbers = new EnumMap<>(Number.class);
    for (Number number : Number.values()) {
      numbers.put(number, 3L + number.ordinal());
    }
    GroupJobResult full = new GroupJobResult(numbers, Map.of("in_group", 1L, "being_formed", 2L,
        "gone", 3L, "other_directory", 4L, "no_like_files", 5L, "open", 6L));
    GroupJobResult empty = new GroupJobResult(Map.of(), Map.of());
    StringBuilder text = new StringBuilder();
    for (CoreDirectory directory : SampleAnswers.core().directories) {
      for (GroupJobResult result : List.of(full, empty)) {
        text.append(GroupJobText.of(directory, result)).append(Snapshot.indented(
            new ObjectMapper().writeValueAsString(GroupJobText.json(directory, result))))
            .append("\n\n");
      }
    }
    RECORDED.assertSame(FILE, text.toString());
  }

  @Test
  void noOtherFilesAreThere() {
    RECORDED.assertFiles(List.of(FILE));
  }
}
