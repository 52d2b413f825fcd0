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
package org.hdfsppr.namenode.web;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.namenode.doctor.ClusterFacts;
import org.hdfsppr.namenode.doctor.Doctor;
import org.hdfsppr.plan.NodeRef;
import org.junit.jupiter.api.Test;

/** What the document of the doctor costs when many viewers read it. */
@InterfaceAudience.Private
class TestDoctorPages {
  private static final String PATH = "/v1/doctor";
  private static final int NODES = 200;

  private final AtomicLong nowMs = new AtomicLong(1);
  private final AtomicInteger examinations = new AtomicInteger();
  private final PageRegistry desk = new PageRegistry(
      List.of(new DoctorPages(this::facts, new Doctor(List.of()), nowMs::get)), "run");

  private ClusterFacts facts() {
    examinations.incrementAndGet();
    List<NodeRef> live = new ArrayList<>();
    for (int i = 0; i < NODES; i++) {
      live.add(new NodeRef("uuid" + i, "10.0.0." + i, "host" + i, 9866, NodeRef.NO_REPAIR_PORT,
          "/r"));
    }
    return new ClusterFacts(live, List.of(), Map.of(), 0,
        new ClusterFacts.NameNodeFacts("0.2.0", List.of(), 25e6, true));
  }

  /** Each open page reads the document every half minute, and some links are slow. */
  @Test
  void viewersOfTheSameSecondShareOneCompressedVersion() {
    PageResponse page = desk.find(PATH);
    Optional<String> tag = desk.tag(page);
    assertTrue(tag.isPresent(), "without a version it is sent uncompressed");
    byte[] zipped = desk.zipped(PATH, page).get();
    assertTrue(zipped.length < page.body.length / 5, zipped.length + " bytes");
    nowMs.addAndGet(999);
    assertEquals(tag, desk.tag(desk.find(PATH)));
    assertEquals(1, examinations.get());
    nowMs.addAndGet(1);
    assertNotEquals(tag, desk.tag(desk.find(PATH)));
    assertEquals(2, examinations.get());
  }
}
