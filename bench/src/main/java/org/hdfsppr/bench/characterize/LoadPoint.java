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
package org.hdfsppr.bench.characterize;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;


/** What is measured at once: requests of one size and kind, under one scheme. Immutable. */
final class LoadPoint {
  final Scheme scheme;
  final long requestBytes;
  final Places places;
  final LoadOperation operation;
  final DeviceState state;

  LoadPoint(Scheme scheme, long requestBytes, Places places, LoadOperation operation,
      DeviceState state) {
    this.scheme = scheme;
    this.requestBytes = requestBytes;
    this.places = places;
    this.operation = operation;
    this.state = state;
  }

  /**
   * {@return all points, with those that are compared behind each other} Hadoop's own client can
   * neither write at random nor change what is written, so that its files have points for
   * sequential requests and pristine files only.
   */
  static List<LoadPoint> all(List<Scheme> schemes, List<Long> requests, List<Places> patterns,
      List<LoadOperation> operations, List<DeviceState> states) {
    List<LoadPoint> points = new ArrayList<>();
    for (LoadOperation operation : operations) {
      for (long request : requests) {
        for (DeviceState state : states) {
          for (Places places : patterns) {
            for (Scheme scheme : schemes) {
              if (!scheme.stock
                  || places == Places.SEQUENTIAL && state == DeviceState.PRISTINE) {
                points.add(new LoadPoint(scheme, request, places, operation, state));
              }
            }
          }
        }
      }
    }
    return points;
  }

  /** {@return whether another point differs in the places of requests at most} */
  boolean isBesides(LoadPoint other) {
    return scheme.label.equals(other.scheme.label) && requestBytes == other.requestBytes
        && operation == other.operation && state == other.state;
  }

  /** {@return whether another point differs in the state of the device at most} */
  boolean isSameLoad(LoadPoint other) {
    return scheme.label.equals(other.scheme.label) && requestBytes == other.requestBytes
        && operation == other.operation && places == other.places;
  }

  @Override
  public String toString() {
    return String.format(Locale.ROOT, "%s, %s %s of %s, %s", scheme.label, places.label,
        operation.label(), RequestSizes.text(requestBytes), state.label());
  }
}
