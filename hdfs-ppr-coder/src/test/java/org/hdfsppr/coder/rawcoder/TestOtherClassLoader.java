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
package org.hdfsppr.coder.rawcoder;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.Arrays;
import java.util.Random;
import java.util.ServiceLoader;
import java.util.stream.StreamSupport;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.io.erasurecode.ErasureCoderOptions;
import org.apache.hadoop.io.erasurecode.rawcoder.LinearCodeRawEncoder;
import org.apache.hadoop.io.erasurecode.rawcoder.RawErasureCoderFactory;
import org.apache.hadoop.io.erasurecode.rawcoder.RawErasureDecoder;
import org.apache.hadoop.io.erasurecode.rawcoder.RawErasureEncoder;
import org.junit.jupiter.api.Test;

/**
 * The coders must work if another class loader than Hadoop's has loaded them from an application's
 * jar. The package-private members of Hadoop's package are not accessible then.
 */
@InterfaceAudience.Private
class TestOtherClassLoader {
  private static final long SEED = 20260716;

  @Test
  void codersWorkWhenHadoopIsLoadedByAnotherLoader() throws IOException {
    URL jar = LinearCodeRawEncoder.class.getProtectionDomain().getCodeSource().getLocation();
    try (OurClassesFirst loader = new OurClassesFirst(jar)) {
      RawErasureCoderFactory factory = StreamSupport.stream(
          ServiceLoader.load(RawErasureCoderFactory.class, loader).spliterator(), false)
          .filter(f -> f.getCodecName().equals("hitchhiker-xorplus")
              && f.getClass().getClassLoader() == loader)
          .findFirst().get();
      ErasureCoderOptions options = new ErasureCoderOptions(6, 3);
      RawErasureEncoder encoder = factory.createEncoder(options);
      RawErasureDecoder decoder = factory.createDecoder(options);
      assertNotSame(LinearCodeRawEncoder.class, encoder.getClass());
      byte[][] data = new byte[6][33];
      Random random = new Random(SEED);
      Arrays.stream(data).forEach(random::nextBytes);
      byte[][] parity = new byte[3][33];
      encoder.encode(data, parity);
      byte[][] inputs = {null, data[1], data[2], data[3], data[4], data[5], parity[0], null, null};
      byte[][] outputs = new byte[1][33];
      decoder.decode(inputs, new int[] {0}, outputs);
      assertArrayEquals(data[0], outputs[0]);
    }
  }

  /**
   * A class loader that loads the classes of a given place itself, and all other classes from its
   * parent.
   */
  private static final class OurClassesFirst extends URLClassLoader {
    OurClassesFirst(URL place) {
      super(new URL[] {place}, TestOtherClassLoader.class.getClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      synchronized (getClassLoadingLock(name)) {
        Class<?> loaded = findLoadedClass(name);
        if (loaded == null && findResource(name.replace('.', '/') + ".class") != null) {
          loaded = findClass(name);
        }
        return loaded == null ? super.loadClass(name, resolve) : loaded;
      }
    }
  }
}
