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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.util.StringUtils;
import org.hdfsppr.wire.proto.PprProtos.PartialSumRequestProto;
import org.junit.jupiter.api.Test;

/**
 * Requests of 0.2.0 whose trees have inner targets. A node that served one as if it had no inner
 * target would send rows that its parent takes for others, so that it has to refuse each of them.
 */
@InterfaceAudience.Private
class TestRefusedInnerTargets {
  /** A whole request as 0.2.0 writes it: an inner target, and two helpers below it. */
  private static final String RECORDED =
      "0a0172120442502d371880f8ffffffffffffff0120e907288927308020384040034802500158b0ea"
      + "0162ce010a1f0a03753134120931302e302e302e31341a03683134208a4d28a24d32022f721a740a"
      + "1c0a027533120831302e302e302e331a026833208a4d28a24d32022f72121908031089271a030304"
      + "05220d0a020103120202031a014b22001a390a1c0a027534120831302e302e302e341a026834208a"
      + "4d28a24d32022f72121908041089271a03030405220d0a020104120202041a014b22002235080110"
      + "011a111081f8ffffffffffffff0118e907208827220d0a020101120202011a014b22002a01073a04"
      + "4449534b420444532d316808";

  private static PartialSumRequestProto.Builder recorded() throws Exception {
    return PartialSumRequestProto.parseFrom(StringUtils.hexStringToByte(RECORDED)).toBuilder();
  }

  /** It is what a node of 0.2.0 with the setting features.withheld=8 answers, too. */
  @Test
  void theNodeLacksTheFeature() {
    assertEquals("The request needs features that this version lacks: 8",
        assertThrows(UnsupportedRequestException.class, () -> PartialSumRequest.parse(
            StringUtils.hexStringToByte(RECORDED))).getMessage());
  }

  /** The features come before anything else of the request, so that the leader learns them. */
  @Test
  void nothingElseIsLookedAt() throws Exception {
    byte[] senseless = recorded().setLostRows(0).setStreamBytes(0)
        .setMustUnderstand(8 | RequestFeatures.NARROW_LINKS).build().toByteArray();
    assertThrows(UnsupportedRequestException.class, () -> PartialSumRequest.parse(senseless));
  }

  /** The node does not take a tree without the bit for one in which it is a helper. */
  @Test
  void aTargetWithoutTheBitHasNoUnitOfItsOwn() throws Exception {
    byte[] withoutBit = recorded().clearMustUnderstand().build().toByteArray();
    String message = assertThrows(MalformedRequestException.class,
        () -> PartialSumRequest.parse(withoutBit)).getMessage();
    assertTrue(message.contains("has no unit of its own to add"), message);
  }

  @Test
  void noFeatureTakesTheBit() {
    assertEquals(55, RequestFeatures.KNOWN);
    assertEquals(63, RequestFeatures.EVER_KNOWN);
  }
}
