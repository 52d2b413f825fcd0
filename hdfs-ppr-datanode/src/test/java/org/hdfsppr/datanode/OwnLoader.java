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
package org.hdfsppr.datanode;

import java.net.URL;
import java.net.URLClassLoader;
import java.util.Arrays;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * A class loader below Hadoop's, as for an application's jars. It loads the classes in some places
 * itself, and leaves all others to its parent.
 */
@InterfaceAudience.Private
public final class OwnLoader extends URLClassLoader {
  /** Loads the classes that are in the same places as the given classes. */
  public OwnLoader(Class<?>... samples) {
    super(Arrays.stream(samples)
        .map(sample -> sample.getProtectionDomain().getCodeSource().getLocation())
        .toArray(URL[]::new), OwnLoader.class.getClassLoader());
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
