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

import java.io.IOException;
import java.io.InputStream;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.jar.Attributes;
import java.util.jar.JarInputStream;
import java.util.jar.Manifest;
import java.util.stream.Collectors;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * Finds what a second jar adds to the jar of repairs. A second jar registers providers of a service
 * type, and this class finds them by {@link ServiceLoader}. It uses the class loader that has
 * loaded the service type, and not the class loader of the calling thread. If only the class loader
 * of a job or of the thread sees a second jar, this class therefore ignores the jar: its classes
 * would not fit classes that another loader has loaded.
 *
 * <p>The manifest of a provider's jar must state the same version as the manifest of the service
 * type's jar. Classes that are not in a jar have no version, and fit every version. The class
 * compares the versions before it makes the provider. It keeps the providers that it has found for
 * the life of the JVM. It does not keep a failure, because the cause may pass: a JVM that has no
 * free file descriptor, for example, cannot read a jar.
 */
@InterfaceAudience.Private
public final class Extensions {
  private static final Extensions OF_THIS_JVM = new Extensions();

  private final Map<Class<?>, List<?>> found = new HashMap<>();

  Extensions() {
  }

  /**
   * Returns the only provider of a type.
   *
   * @param <T> the service type
   * @param type the service type
   * @return the provider; empty if no jar has a provider of this type
   * @throws IOException if there are several providers, or if a provider's jar states another
   *     version or cannot be loaded; the message names the jars and the remedy
   */
  public static <T> Optional<T> one(Class<T> type) throws IOException {
    return OF_THIS_JVM.single(type);
  }

  /**
   * Returns all providers of a type.
   *
   * @param <T> the service type
   * @param type the service type
   * @return the providers, in the order of the class path
   * @throws IOException if a provider's jar states another version or cannot be loaded; the message
   *     names the jars and the remedy
   */
  public static <T> List<T> all(Class<T> type) throws IOException {
    return OF_THIS_JVM.every(type);
  }

  <T> Optional<T> single(Class<T> type) throws IOException {
    List<T> all = every(type);
    if (all.size() > 1) {
      throw new IOException("Two jars add a " + type.getSimpleName() + ": "
          + all.stream().map(provider -> source(provider.getClass()))
              .collect(Collectors.joining(" and "))
          + "; leave the one that belongs to " + source(type));
    }
    return all.isEmpty() ? Optional.empty() : Optional.of(all.get(0));
  }

  synchronized <T> List<T> every(Class<T> type) throws IOException {
    List<?> providers = found.get(type);
    if (providers == null) {
      providers = look(type);
      found.put(type, providers);
    }
    return providers.stream().map(type::cast).collect(Collectors.toUnmodifiableList());
  }

  private static <T> List<T> look(Class<T> type) throws IOException {
    List<T> providers = new ArrayList<>();
    try {
      for (ServiceLoader.Provider<T> provider : (Iterable<ServiceLoader.Provider<T>>)
          ServiceLoader.load(type, type.getClassLoader()).stream()::iterator) {
        check(type, provider.type());
        providers.add(provider.get());
      }
      return providers;
    } catch (ServiceConfigurationError | LinkageError e) {
      throw new IOException("A jar beside " + source(type) + " adds a " + type.getSimpleName()
          + " that does not load: " + e + "; install all jars of hdfs-ppr from one release", e);
    }
  }

  private static void check(Class<?> type, Class<?> provider) throws IOException {
    String its = version(provider);
    String ours = version(type);
    if (its != null && ours != null && !its.equals(ours)) {
      throw new IOException(source(provider) + " (" + its + ") and " + source(type) + " ("
          + ours + ") are of different versions; install both from one release");
    }
  }

  /**
   * Returns the version that the manifest of a class's jar states. Java's {@code Package} has only
   * one version for each package. Two jars may have classes of the same package, so that this
   * method reads the jar itself.
   *
   * @return the version; null if the class comes from a folder, as in a build, or if the manifest
   *     states no version
   */
  private static String version(Class<?> type) throws IOException {
    CodeSource source = type.getProtectionDomain().getCodeSource();
    if (source == null || source.getLocation() == null
        || !source.getLocation().getPath().endsWith(".jar")) {
      return null;
    }
    try (InputStream file = source.getLocation().openStream();
        JarInputStream jar = new JarInputStream(file)) {
      Manifest manifest = jar.getManifest();
      return manifest == null ? null
          : manifest.getMainAttributes().getValue(Attributes.Name.IMPLEMENTATION_VERSION);
    }
  }

  private static String source(Class<?> type) {
    CodeSource source = type.getProtectionDomain().getCodeSource();
    return source == null ? type.getName() : String.valueOf(source.getLocation());
  }
}
