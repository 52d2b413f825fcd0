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
package org.hdfsppr.conf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

/** What a process says of settings that it does not read any more. */
class TestRemovedKeys {
  private static final String OF_ALL = "dfs.ppr.verify.sampled.one.in";

  /** Returns the keys of the lines, and checks the lines. */
  private static List<String> keysOf(List<String> lines) {
    return lines.stream().map(line -> {
      String key = line.substring(0, line.indexOf(' '));
      assertEquals(key + " is set and no longer read: " + RemovedKeys.all().get(key), line);
      return key;
    }).collect(Collectors.toList());
  }

  private static Configuration all() {
    Configuration conf = new Configuration(false);
    RemovedKeys.all().keySet().forEach(key -> conf.set(key, "nonsense"));
    return conf;
  }

  private static List<String> keys(String prefix, String... more) {
    TreeSet<String> keys = new TreeSet<>(List.of(more));
    RemovedKeys.all().keySet().stream().filter(key -> key.startsWith(prefix)).forEach(keys::add);
    return List.copyOf(keys);
  }

  @Test
  void eachKindOfProcessNamesItsOwn() {
    assertEquals(keys("dfs.datanode.", "dfs.ppr.slice.bytes", OF_ALL),
        keysOf(RemovedKeys.ofDataNode(all())));
    assertEquals(keys("dfs.namenode.", OF_ALL), keysOf(RemovedKeys.ofNameNode(all())));
    assertEquals(keys("dfs.client.", OF_ALL), keysOf(RemovedKeys.ofClient(all())));
  }

  @Test
  void whatIsNotSetIsNotNamed() {
    Configuration conf = new Configuration(false);
    conf.addResource(SettingsReader.DEFAULTS);
    assertEquals(List.of(), RemovedKeys.ofDataNode(conf));
    assertEquals(List.of(), RemovedKeys.ofNameNode(conf));
    assertEquals(List.of(), RemovedKeys.ofClient(conf));
    conf.set("dfs.namenode.ppr.web.menu", "true");
    assertEquals(List.of("dfs.namenode.ppr.web.menu"), keysOf(RemovedKeys.ofNameNode(conf)));
  }

  /** A sentence names what replaces a key, which must not be a key that is gone as well. */
  @Test
  void sentencesNameKeysThatThereAre() {
    Configuration known = new Configuration(false);
    known.addResource(SettingsReader.DEFAULTS);
    RemovedKeys.all().forEach((key, now) -> {
      for (String word : now.split("[ ;,]+")) {
        if (word.startsWith("dfs.") && word.contains(".ppr.")) {
          assertTrue(known.get(word) != null && !RemovedKeys.all().containsKey(word), now);
        }
      }
    });
  }

  @Test
  void aStrategyThatIsGoneIsReadAsAnother() {
    String key = PprKeys.NAMENODE_COMMIT_STRATEGY_KEY;
    for (String gone : new String[] {"parity-delta", "Data-Delta"}) {
      Configuration conf = new Configuration(false);
      conf.set(key, gone);
      assertEquals("cau", new SettingsReader(conf).choice(key, "parix", "parix", "cau"));
      assertEquals(List.of(key + " is '" + gone.toLowerCase(Locale.ROOT)
          + "', which is no longer a strategy: commits use 'cau', which sends the fewer bytes of"
          + " both"), RemovedKeys.ofNameNode(conf));
    }
    Configuration other = new Configuration(false);
    other.set(key, "telepathy");
    assertThrows(WrongSettingException.class,
        () -> new SettingsReader(other).choice(key, "parix", "parix", "cau"));
    // The same word means nothing for other settings.
    assertEquals("parity-delta", RemovedValues.current(PprKeys.NAMENODE_SCHEDULER_KEY,
        "parity-delta"));
    assertFalse(RemovedKeys.all().containsKey(key));
  }
}
