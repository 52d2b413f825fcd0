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
package org.hdfsppr.loader;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.lang.reflect.Field;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Tests that the message names every member that the running Hadoop lacks. */
class TestHadoopMembers {
  /** Stands for a class of Hadoop. */
  static class Base {
    int size() {
      return 3;
    }
  }

  /** Stands for another class of Hadoop. */
  static final class Worker extends Base {
    private static final String SHARED = "by all";
    private final List<String> names = List.of("a");
    private int count = 7;

    private int count() {
      return count;
    }
  }

  private final HadoopMembers members = new HadoopMembers(name -> {
    if (name.equals("Worker")) {
      return Worker.class;
    }
    throw new ClassNotFoundException(name);
  });

  @Test
  void whatIsThere() {
    assertSame(Worker.class, members.find("Worker"));
    Field names = members.field("Worker", "names", List.class);
    Field count = members.field("Worker", "count", int.class);
    members.method("Worker", "size", int.class);
    assertEquals(List.of(), members.missing());
    Worker worker = new Worker();
    assertEquals(List.of("a"), HadoopMembers.get(names, worker, List.class));
    HadoopMembers.set(count, worker, 8);
    assertEquals(8, worker.count());
    assertEquals("by all", Worker.SHARED);
  }

  @Test
  void whatIsMissingIsNamedOnce() {
    assertNull(members.find("Gone"));
    assertNull(members.field("Gone", "names", List.class));
    assertNull(members.field("Worker", "names", String.class));
    assertNull(members.field("Worker", "title", String.class));
    assertNull(members.field("Worker", "names", HadoopMembers.array(members.find("Gone"))));
    members.method("Worker", "size", long.class);
    members.method("Worker", "size", int.class, String.class, byte[].class);
    members.method("Worker", "count", int.class);
    members.method("Worker", "any", members.find("Gone"));
    assertEquals(List.of("class Gone", "field Worker.names of type String (it is a List)",
        "field Worker.title of type String",
        "method long Worker.size() (it returns something else)",
        "method int Worker.size(String, byte[])", "method int Worker.count() (it is private)"),
        members.missing());
  }

  @Test
  void stateCanBeSharedUnlessItIsPrimitive() {
    List<Field> state = members.sharedState("Worker");
    assertEquals(List.of("names"),
        state.stream().map(Field::getName).collect(Collectors.toList()));
    assertEquals(List.of("field Worker.count being an object"), members.missing());
  }

  @Test
  void classesAreThoseOfThePackage() throws Exception {
    HadoopMembers.Classes classes = HadoopMembers.inPackageOf(HadoopLoader.class);
    assertSame(HadoopMembers.class, classes.find("HadoopMembers"));
    assertNotNull(classes.find("HadoopMembers$Classes"));
    HadoopMembers here = new HadoopMembers(classes);
    assertNull(here.find("NoSuchClass"));
    assertEquals(List.of("class NoSuchClass"), here.missing());
  }
}
