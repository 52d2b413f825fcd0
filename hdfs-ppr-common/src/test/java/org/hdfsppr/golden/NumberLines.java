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
package org.hdfsppr.golden;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToIntFunction;
import org.apache.hadoop.classification.InterfaceAudience;

/** Lists numbers and words that stand in messages, and that no proto file has. */
@InterfaceAudience.Private
public final class NumberLines {
  public final List<String> lines = new ArrayList<>();

  public <E extends Enum<E>> void numbers(Class<E> type, ToIntFunction<E> number) {
    for (E one : type.getEnumConstants()) {
      lines.add(type.getSimpleName() + " " + one.name() + " = " + number.applyAsInt(one));
    }
  }

  public void words(String name, Class<? extends Enum<?>> type) {
    lines.add(name + ": " + Arrays.toString(type.getEnumConstants()));
  }

  /** Adds the constants of a class. */
  public void bits(Class<?> type) throws IllegalAccessException {
    for (Field field : type.getFields()) {
      if (Modifier.isStatic(field.getModifiers())) {
        lines.add(type.getSimpleName() + " " + field.getName() + " = " + field.get(null));
      }
    }
  }
}
