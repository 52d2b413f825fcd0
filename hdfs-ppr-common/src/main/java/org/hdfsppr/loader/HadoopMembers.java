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

import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * Looks up classes, fields and methods of Hadoop that are not public. Each lookup also checks the
 * member's type. If the running Hadoop lacks the member, or it has another type, the lookup adds it
 * to the list of missing members. A caller first looks up all members that it needs, and then calls
 * {@link #missing} once. If that list is not empty, the caller changes nothing in Hadoop.
 *
 * <p>Only the {@code ...Access} classes and the reader of Hadoop's counters use this class. Not
 * thread-safe.
 */
@InterfaceAudience.Private
public final class HadoopMembers {
  /**
   * Finds one of Hadoop's classes by its simple name. Tests supply an implementation that returns
   * other classes.
   */
  public interface Classes {
    /**
     * Finds a class.
     *
     * @param simpleName name of the class without the package; {@code Outer$Nested} for a nested
     *     class
     * @return the class
     * @throws ClassNotFoundException if this Hadoop has no such class, or another class loader has
     *     loaded it
     */
    Class<?> find(String simpleName) throws ClassNotFoundException;
  }

  private final Classes classes;
  private final List<String> missing = new ArrayList<>();

  /** @param classes finds the classes that lookups name */
  public HadoopMembers(Classes classes) {
    this.classes = Objects.requireNonNull(classes, "classes");
  }

  /**
   * Returns a finder for the classes of one package of the running Hadoop.
   *
   * @param neighbour a class of that package, from Hadoop or from hdfs-ppr
   * @return the finder
   */
  public static Classes inPackageOf(Class<?> neighbour) {
    String prefix = neighbour.getPackage().getName() + ".";
    ClassLoader loader = neighbour.getClassLoader();
    return simpleName -> {
      Class<?> found = Class.forName(prefix + simpleName, false, loader);
      if (found.getClassLoader() != loader) {
        // Another class loader has loaded the class. The JVM treats its package as another package,
        // even if both packages have the same name, so that its package-private members cannot be
        // used.
        throw new ClassNotFoundException(simpleName + " in the same class loader");
      }
      return found;
    };
  }

  /**
   * Lists members that do not exist or are not as expected. A caller may use the found members only
   * if the list is empty.
   *
   * @return texts, each of which completes the sentence "this Hadoop lacks ..."
   */
  public List<String> missing() {
    return Collections.unmodifiableList(missing);
  }

  /**
   * Looks for a class. Adds it to the missing members if it does not exist.
   *
   * @param simpleName name of the class, as for {@link Classes#find}
   * @return the class, or null if it is missing
   */
  public Class<?> find(String simpleName) {
    try {
      return classes.find(simpleName);
    } catch (ClassNotFoundException e) {
      note("class " + simpleName);
      return null;
    }
  }

  /**
   * Returns the type of arrays of a class.
   *
   * @param type type of the elements, or null if the running Hadoop lacks that class
   * @return the type of the arrays; null if {@code type} is null
   */
  public static Class<?> array(Class<?> type) {
    return type == null ? null : Array.newInstance(type, 0).getClass();
  }

  /**
   * Looks for a field and makes it accessible.
   *
   * @param owner simple name of the class that declares the field
   * @param name name of the field
   * @param type the exact type of the field; null if an earlier lookup has found that this type is
   *     missing
   * @return the field, or null if it is missing
   */
  public Field field(String owner, String name, Class<?> type) {
    Class<?> in = find(owner);
    if (in == null || type == null) {
      return null;
    }
    String description = "field " + owner + "." + name + " of type " + type.getSimpleName();
    try {
      Field field = in.getDeclaredField(name);
      if (field.getType() != type) {
        note(description + " (it is a " + field.getType().getSimpleName() + ")");
        return null;
      }
      return open(field, description) ? field : null;
    } catch (NoSuchFieldException e) {
      note(description);
      return null;
    }
  }

  /**
   * Looks for all instance fields of a class. The caller copies the fields' values to another
   * object of the same class, so that both objects share the state that the fields refer to. A
   * primitive field cannot be shared in this way, so this method adds it to the missing members.
   *
   * @param owner simple name of the class that declares the fields
   * @return the fields, without those that were added to the missing members
   */
  public List<Field> sharedState(String owner) {
    List<Field> state = new ArrayList<>();
    Class<?> type = find(owner);
    if (type == null) {
      return state;
    }
    for (Field field : type.getDeclaredFields()) {
      String description = "field " + owner + "." + field.getName();
      if (Modifier.isStatic(field.getModifiers())) {
        continue;
      }
      if (field.getType().isPrimitive()) {
        note(description + " being an object");
      } else if (open(field, description)) {
        state.add(field);
      }
    }
    return state;
  }

  /**
   * Looks for a method in a class and its superclasses. The caller calls the method without
   * reflection, from the same package, so the method may not be private.
   *
   * @param owner simple name of the class
   * @param name name of the method
   * @param type the exact return type; null if an earlier lookup has found that this type is
   *     missing
   * @param parameters the exact parameter types; each may be null for the same reason as {@code
   *     type}
   */
  public void method(String owner, String name, Class<?> type, Class<?>... parameters) {
    Class<?> in = find(owner);
    if (in == null || type == null || Stream.of(parameters).anyMatch(Objects::isNull)) {
      return;
    }
    String description = "method " + type.getSimpleName() + " " + owner + "." + name
        + Stream.of(parameters).map(Class::getSimpleName)
            .collect(Collectors.joining(", ", "(", ")"));
    for (Class<?> c = in; c != null; c = c.getSuperclass()) {
      try {
        Method method = c.getDeclaredMethod(name, parameters);
        if (method.getReturnType() != type) {
          note(description + " (it returns something else)");
        }
        if (Modifier.isPrivate(method.getModifiers())) {
          note(description + " (it is private)");
        }
        return;
      } catch (NoSuchMethodException e) {
        // The loop continues with the superclass. If no class has the method, the call of note()
        // after the loop adds it to the missing members.
        continue;
      }
    }
    note(description);
  }

  /**
   * Adds a member to the list of missing members, unless it is there already.
   *
   * @param what text that completes the sentence "this Hadoop lacks ..."
   */
  public void note(String what) {
    if (!missing.contains(what)) {
      missing.add(what);
    }
  }

  private boolean open(Field field, String description) {
    try {
      field.setAccessible(true);
      return true;
    } catch (RuntimeException e) {
      // The JVM does not allow reflection on this field (InaccessibleObjectException,
      // SecurityException).
      note(description + " (" + e.getMessage() + ")");
      return false;
    }
  }

  /**
   * Reads a field that {@link #field} has found.
   *
   * @param field a field of the class of {@code owner}
   * @param owner the object that has the field
   * @param type class of the value
   * @param <T> type of the value
   * @return the value
   */
  public static <T> T get(Field field, Object owner, Class<T> type) {
    try {
      return type.cast(field.get(owner));
    } catch (IllegalAccessException e) {
      throw new IllegalStateException("Made accessible, yet not: " + field, e);
    }
  }

  /**
   * Writes a field that {@link #field} has found.
   *
   * @param field a field of the class of {@code owner}
   * @param owner the object that has the field
   * @param value the new value, of the field's type
   */
  public static void set(Field field, Object owner, Object value) {
    try {
      field.set(owner, value);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException("Made accessible, yet not: " + field, e);
    }
  }
}
