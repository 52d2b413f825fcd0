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
package org.hdfsppr.client.read;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.util.List;
import org.hdfsppr.plan.GroupId;
import org.junit.jupiter.api.Test;

/** A client that knows no columns reads each block group by itself. */
class TestColumnSource {
  @Test
  void withoutCoreGroupsThereIsNoColumn() throws IOException {
    GroupId group = new GroupId("pool", -32, 3);
    ColumnSource.NONE.forget(group, 1);
    assertEquals(List.of(), ColumnSource.NONE.of(group, 1));
    assertEquals(List.of(), ColumnSource.NONE.ofOnlyWay(group, 1), "a read then says what is lost");
  }
}
