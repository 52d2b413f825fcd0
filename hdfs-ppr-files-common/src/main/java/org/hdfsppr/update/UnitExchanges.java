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
package org.hdfsppr.update;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * Data units of a stripe that exchange their racks in pairs, and the racks of all units afterwards.
 * Each rack keeps the number of its units, so that a rack whose loss the code bore before the
 * exchanges is one whose loss it bears after them. Immutable.
 */
@InterfaceAudience.Private
public final class UnitExchanges {
  /** Two data units that exchange their racks. Immutable. */
  public static final class Exchange {
    /** The unit for whose sake the two change places: commits often change it */
    public final int changed;
    /** The unit that makes room: commits change it less, or not at all */
    public final int unchanged;

    private Exchange(int changed, int unchanged) {
      this.changed = changed;
      this.unchanged = unchanged;
    }

    @Override
    public String toString() {
      return changed + " for " + unchanged;
    }
  }

  /** The racks of all units after the exchanges */
  public final StripeRacks racks;
  /** The exchanges, in the order in which they were decided */
  public final List<Exchange> exchanges;

  private UnitExchanges(StripeRacks racks, List<Exchange> exchanges) {
    this.racks = racks;
    this.exchanges = Collections.unmodifiableList(exchanges);
  }

  /**
   * @param racks the racks of the units
   * @return no exchanges yet
   */
  static UnitExchanges none(StripeRacks racks) {
    return new UnitExchanges(racks, List.of());
  }

  /**
   * @param changed a data unit
   * @param unchanged a data unit of another rack
   * @return these exchanges, and then the one of the two units
   */
  UnitExchanges with(int changed, int unchanged) {
    List<Exchange> more = new ArrayList<>(exchanges);
    more.add(new Exchange(changed, unchanged));
    return new UnitExchanges(racks.swapped(changed, unchanged), more);
  }

  /** @return the number of whole units that cross from one rack to another one */
  public int unitsMoved() {
    return 2 * exchanges.size();
  }

  @Override
  public String toString() {
    return exchanges + ", then " + racks;
  }
}
