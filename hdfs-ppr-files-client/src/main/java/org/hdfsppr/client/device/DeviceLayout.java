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
package org.hdfsppr.client.device;

import java.util.Locale;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * Says which file has which bytes of a device. The files are called objects. All have the same
 * number of bytes, except that the last one may have fewer. Immutable.
 */
@InterfaceAudience.Private
public final class DeviceLayout {
  /**
   * How many objects a device has at most: a bit less than what HDFS allows in a directory by
   * default.
   */
  static final int OBJECTS_MOST = 1_000_000;
  private static final String PREFIX = "object-";

  /** Bytes of the device */
  public final long size;
  /** Bytes of each object but the last one */
  public final long objectBytes;

  /**
   * @param size bytes of the device
   * @param objectBytes bytes of an object
   * @throws IllegalArgumentException if a size is not valid; the message is a sentence that can be
   *     shown to users
   */
  public DeviceLayout(long size, long objectBytes) {
    if (size < 1 || objectBytes < 1) {
      throw new IllegalArgumentException("A device of " + size + " bytes in objects of "
          + objectBytes + " bytes makes no sense");
    }
    if ((size - 1) / objectBytes >= OBJECTS_MOST) {
      throw new IllegalArgumentException("A device of " + size + " bytes would have more than "
          + OBJECTS_MOST + " objects of " + objectBytes + " bytes; choose longer objects");
    }
    this.size = size;
    this.objectBytes = objectBytes;
  }

  /**
   * Returns a layout with sizes that are rounded up to whole stripes, because updates cannot change
   * a stripe that a file has only in part.
   *
   * @param size the wanted bytes of the device
   * @param objectBytes the wanted bytes of an object
   * @param stripeBytes bytes of a stripe
   * @return the layout
   * @throws IllegalArgumentException if a size is not valid; the message is a sentence that can be
   *     shown to users
   */
  public static DeviceLayout rounded(long size, long objectBytes, long stripeBytes) {
    return new DeviceLayout(up(size, stripeBytes), up(objectBytes, stripeBytes));
  }

  private static long up(long bytes, long stripeBytes) {
    if (bytes < 1 || bytes > Long.MAX_VALUE - stripeBytes) {
      throw new IllegalArgumentException("A size of " + bytes + " bytes makes no sense");
    }
    return (bytes + stripeBytes - 1) / stripeBytes * stripeBytes;
  }

  public int objects() {
    return (int) ((size - 1) / objectBytes + 1);
  }

  /** Returns the index of the object that has a byte of the device. */
  int objectAt(long offset) {
    return (int) (offset / objectBytes);
  }

  /** Returns where in its object a byte of the device is. */
  long inObject(long offset) {
    return offset % objectBytes;
  }

  /**
   * @param object the index of an object
   * @return how many bytes the object has
   */
  public long bytesOf(int object) {
    return Math.min(objectBytes, size - object * objectBytes);
  }

  /**
   * @param object the index of an object
   * @return the name of the object's file
   */
  public static String nameOf(int object) {
    return String.format(Locale.ROOT, PREFIX + "%07d", object);
  }

  /** Returns the index of the object whose file has this name; -1 if no object's file has it. */
  static int objectOf(String name) {
    if (!name.startsWith(PREFIX)) {
      return -1;
    }
    try {
      int object = Integer.parseInt(name.substring(PREFIX.length()));
      return object >= 0 && nameOf(object).equals(name) ? object : -1;
    } catch (NumberFormatException e) {
      return -1;
    }
  }

  @Override
  public String toString() {
    return size + " bytes in " + objects() + " objects of " + objectBytes + " bytes";
  }
}
