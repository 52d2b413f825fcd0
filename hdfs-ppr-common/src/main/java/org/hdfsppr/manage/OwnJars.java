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
package org.hdfsppr.manage;

import java.io.IOException;
import java.net.JarURLConnection;
import java.net.URL;
import java.net.URLConnection;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.TreeMap;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import org.apache.hadoop.classification.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the jars of hdfs-ppr on a class path, by the class {@code PprKeys}, which each of them has.
 * An operator wants to know of several jars: a JVM takes each class from the first jar that has it,
 * so that two jars of different versions give a mixture of both.
 */
@InterfaceAudience.Private
public final class OwnJars {
  private static final Logger LOG = LoggerFactory.getLogger(OwnJars.class);
  private static final String MARKER = "org/hdfsppr/conf/PprKeys.class";

  private OwnJars() {
  }

  /**
   * Looks for the jars. Reads the manifest of each of them, and opens no other jar.
   *
   * @param loader the class loader whose class path is searched
   * @return the jars, in the order of the class path, each once; if the class path cannot be read,
   *     the method logs a warning and returns the jars that it has found until then
   */
  public static List<OwnJar> find(ClassLoader loader) {
    List<OwnJar> jars = new ArrayList<>();
    try {
      // A class path may name a jar twice, which does no harm.
      TreeMap<String, Boolean> seen = new TreeMap<>();
      for (URL url : Collections.list(loader.getResources(MARKER))) {
        if (seen.put(url.toString(), true) == null) {
          jars.add(new OwnJar(place(url), version(url)));
        }
      }
    } catch (IOException e) {
      LOG.warn("The jars of hdfs-ppr on this class path stay unknown", e);
    }
    return jars;
  }

  /**
   * Returns the last two names of the path to the jar, or to the folder, that contains the class
   * file {@code marker}.
   */
  static String place(URL marker) {
    String path = marker.getPath();
    path = path.substring(0, path.length() - MARKER.length()).replaceAll("(!/|/)$", "");
    int last = path.lastIndexOf('/');
    int before = path.lastIndexOf('/', last - 1);
    return path.substring(before + 1);
  }

  private static String version(URL marker) throws IOException {
    URLConnection connection = marker.openConnection();
    if (!(connection instanceof JarURLConnection)) {
      return "";
    }
    // With the cache, the JVM would keep the jar open.
    connection.setUseCaches(false);
    try (JarFile jar = ((JarURLConnection) connection).getJarFile()) {
      Manifest manifest = jar.getManifest();
      String version = manifest == null ? null
          : manifest.getMainAttributes().getValue(Attributes.Name.IMPLEMENTATION_VERSION);
      return version == null ? "" : version;
    }
  }
}
