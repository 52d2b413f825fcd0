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
package org.hdfsppr.wire;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.FieldDescriptor;
import org.apache.hadoop.thirdparty.protobuf.Message;

/**
 * Makes messages that no sender would send: valid messages with a missing, repeated or extreme
 * field, and bytes that are cut, flipped, doubled or random.
 */
@InterfaceAudience.Private
public final class Mutator {
  private static final int[] INTS = {0, 1, -1, 2, 15, 16, 17, 255, 256, 511, 512, 1 << 20,
      (1 << 20) + 1, Integer.MAX_VALUE, Integer.MIN_VALUE, 600_000, 600_001, 65_535, 65_536};
  private static final long[] LONGS = {0, 1, -1, 1L << 40, (1L << 40) + 1, Long.MAX_VALUE,
      Long.MIN_VALUE, 1L << 31, 1L << 32, 512};

  private final Random random;

  public Mutator(Random random) {
    this.random = random;
  }

  /** Changes one field somewhere in a message. */
  public Message.Builder change(Message.Builder message) {
    List<FieldDescriptor> fields = message.getDescriptorForType().getFields();
    FieldDescriptor field = fields.get(random.nextInt(fields.size()));
    if (field.isRepeated()) {
      changeRepeated(message, field);
    } else if (random.nextInt(20) == 0) {
      message.clearField(field);
    } else if (field.getJavaType() == FieldDescriptor.JavaType.MESSAGE) {
      message.setField(field, change(((Message) message.getField(field)).toBuilder())
          .buildPartial());
    } else {
      message.setField(field, extreme(field));
    }
    return message;
  }

  private void changeRepeated(Message.Builder message, FieldDescriptor field) {
    int count = message.getRepeatedFieldCount(field);
    if (count == 0) {
      return;
    }
    int index = random.nextInt(count);
    if (field.getJavaType() != FieldDescriptor.JavaType.MESSAGE) {
      message.setRepeatedField(field, index, extreme(field));
      return;
    }
    Message old = (Message) message.getRepeatedField(field, index);
    switch (random.nextInt(6)) {
      case 0:
        message.clearField(field);
        break;
      case 1:
        for (int copies = 1 + random.nextInt(20); copies > 0; copies--) {
          message.addRepeatedField(field, old);
        }
        break;
      case 2:
        message.addRepeatedField(field, change(old.toBuilder()).buildPartial());
        break;
      default:
        message.setRepeatedField(field, index, change(old.toBuilder()).buildPartial());
        break;
    }
  }

  private Object extreme(FieldDescriptor field) {
    switch (field.getJavaType()) {
      case INT:
        return random.nextInt(4) == 0 ? random.nextInt() : INTS[random.nextInt(INTS.length)];
      case LONG:
        return random.nextInt(4) == 0 ? random.nextLong() : LONGS[random.nextInt(LONGS.length)];
      case STRING:
        String[] texts = {"", "a\nb", "\u0000", "x".repeat(1024), "x".repeat(1025),
            "\u00fc".repeat(2000), "10.0.0.1", "uuid-1"};
        return texts[random.nextInt(texts.length)];
      case BYTE_STRING:
        byte[] bytes = new byte[random.nextInt(4) == 0 ? random.nextInt(5000) : random.nextInt(20)];
        random.nextBytes(bytes);
        return ByteString.copyFrom(bytes);
      case BOOLEAN:
        return random.nextBoolean();
      default:
        throw new IllegalArgumentException(field.toString());
    }
  }

  /** Changes some bytes. */
  public byte[] change(byte[] valid) {
    byte[] bytes = valid.clone();
    for (int times = 1 + random.nextInt(4); times > 0 && bytes.length > 0; times--) {
      int at = random.nextInt(bytes.length);
      switch (random.nextInt(5)) {
        case 0:
          bytes[at] ^= 1 << random.nextInt(8);
          break;
        case 1:
          bytes[at] = (byte) random.nextInt();
          break;
        case 2:
          bytes = Arrays.copyOf(bytes, at);
          break;
        case 3:
          // 0xff is a varint that goes on, and the start of large numbers.
          bytes[at] = -1;
          break;
        default:
          byte[] more = new byte[bytes.length + random.nextInt(50)];
          System.arraycopy(bytes, 0, more, 0, at);
          System.arraycopy(bytes, at, more, at + more.length - bytes.length, bytes.length - at);
          bytes = more;
          break;
      }
    }
    return bytes;
  }

  public byte[] bytes(int most) {
    byte[] bytes = new byte[random.nextInt(most)];
    random.nextBytes(bytes);
    return bytes;
  }
}
