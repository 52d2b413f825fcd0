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
package org.hdfsppr.it.views;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** All that one view showed, in the order of time. Thread-safe. */
final class View {
  final String name;
  private final List<Glance> samples = new ArrayList<>();

  View(String name) {
    this.name = name;
  }

  synchronized void add(Glance sample) {
    samples.add(sample);
  }

  synchronized List<Glance> samples() {
    return List.copyOf(samples);
  }

  /** Returns whether this view has ever shown a number. */
  boolean has(String number) {
    return samples().stream().anyMatch(sample -> sample.has(number));
  }

  /** Returns all values of a number, in the order of time. */
  List<Double> values(String number) {
    return samples().stream().filter(sample -> sample.has(number))
        .map(sample -> sample.get(number)).collect(Collectors.toList());
  }

  /** Returns a view that shows the same later. */
  View later(long ms) {
    View late = new View(name + " " + ms + " ms late");
    samples().forEach(sample -> late.add(sample.later(ms)));
    return late;
  }
}
