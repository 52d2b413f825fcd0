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

import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.coder.code.PprCodec;

/**
 * Contains a factory for every {@link PprCodec}. Hadoop finds the factories by the file {@code
 * META-INF/services/org.apache.hadoop.io.erasurecode.rawcoder.RawErasureCoderFactory}, which needs
 * a class for each codec.
 */
@InterfaceAudience.Private
public final class RawCoderFactories {
  private RawCoderFactories() {
  }

  /** Makes the coders of {@link PprCodec#LRC_L2}. */
  public static final class LrcL2 extends LinearCodeRawCoderFactory {
    /** Called by the service loader. */
    public LrcL2() {
      super(PprCodec.LRC_L2);
    }
  }

  /** Makes the coders of {@link PprCodec#LRC_RS_L2}. */
  public static final class LrcRsL2 extends LinearCodeRawCoderFactory {
    /** Called by the service loader. */
    public LrcRsL2() {
      super(PprCodec.LRC_RS_L2);
    }
  }

  /** Makes the coders of {@link PprCodec#HITCHHIKER_XOR}. */
  public static final class HitchhikerXor extends LinearCodeRawCoderFactory {
    /** Called by the service loader. */
    public HitchhikerXor() {
      super(PprCodec.HITCHHIKER_XOR);
    }
  }

  /** Makes the coders of {@link PprCodec#HITCHHIKER_XORPLUS}. */
  public static final class HitchhikerXorPlus extends LinearCodeRawCoderFactory {
    /** Called by the service loader. */
    public HitchhikerXorPlus() {
      super(PprCodec.HITCHHIKER_XORPLUS);
    }
  }

  /** Makes the coders of {@link PprCodec#HITCHHIKER_NONXOR}. */
  public static final class HitchhikerNonXor extends LinearCodeRawCoderFactory {
    /** Called by the service loader. */
    public HitchhikerNonXor() {
      super(PprCodec.HITCHHIKER_NONXOR);
    }
  }

  /** Makes the coders of {@link PprCodec#ROTATED_RS_R4}. */
  public static final class RotatedRsR4 extends LinearCodeRawCoderFactory {
    /** Called by the service loader. */
    public RotatedRsR4() {
      super(PprCodec.ROTATED_RS_R4);
    }
  }

  /** Makes the coders of {@link PprCodec#LESS_A2}. */
  public static final class LessA2 extends LinearCodeRawCoderFactory {
    /** Called by the service loader. */
    public LessA2() {
      super(PprCodec.LESS_A2);
    }
  }

  /** Makes the coders of {@link PprCodec#LESS_A3}. */
  public static final class LessA3 extends LinearCodeRawCoderFactory {
    /** Called by the service loader. */
    public LessA3() {
      super(PprCodec.LESS_A3);
    }
  }

  /** Makes the coders of {@link PprCodec#LESS_A4}. */
  public static final class LessA4 extends LinearCodeRawCoderFactory {
    /** Called by the service loader. */
    public LessA4() {
      super(PprCodec.LESS_A4);
    }
  }

  /** Makes the coders of {@link PprCodec#CORE_T2}. */
  public static final class CoreT2 extends LinearCodeRawCoderFactory {
    /** Called by the service loader. */
    public CoreT2() {
      super(PprCodec.CORE_T2);
    }
  }

  /** Makes the coders of {@link PprCodec#CORE_T3}. */
  public static final class CoreT3 extends LinearCodeRawCoderFactory {
    /** Called by the service loader. */
    public CoreT3() {
      super(PprCodec.CORE_T3);
    }
  }

  /** Makes the coders of {@link PprCodec#CORE_T4}. */
  public static final class CoreT4 extends LinearCodeRawCoderFactory {
    /** Called by the service loader. */
    public CoreT4() {
      super(PprCodec.CORE_T4);
    }
  }

  /** Makes the coders of {@link PprCodec#CORE_T5}. */
  public static final class CoreT5 extends LinearCodeRawCoderFactory {
    /** Called by the service loader. */
    public CoreT5() {
      super(PprCodec.CORE_T5);
    }
  }

  /** Makes the coders of {@link PprCodec#CORE_T6}. */
  public static final class CoreT6 extends LinearCodeRawCoderFactory {
    /** Called by the service loader. */
    public CoreT6() {
      super(PprCodec.CORE_T6);
    }
  }

  /** Makes the coders of {@link PprCodec#CORE_T7}. */
  public static final class CoreT7 extends LinearCodeRawCoderFactory {
    /** Called by the service loader. */
    public CoreT7() {
      super(PprCodec.CORE_T7);
    }
  }

  /** Makes the coders of {@link PprCodec#CORE_T8}. */
  public static final class CoreT8 extends LinearCodeRawCoderFactory {
    /** Called by the service loader. */
    public CoreT8() {
      super(PprCodec.CORE_T8);
    }
  }

  /** Makes the coders of {@link PprCodec#CORE_T9}. */
  public static final class CoreT9 extends LinearCodeRawCoderFactory {
    /** Called by the service loader. */
    public CoreT9() {
      super(PprCodec.CORE_T9);
    }
  }

  /** Makes the coders of {@link PprCodec#CORE_T10}. */
  public static final class CoreT10 extends LinearCodeRawCoderFactory {
    /** Called by the service loader. */
    public CoreT10() {
      super(PprCodec.CORE_T10);
    }
  }

  /** Makes the coders of {@link PprCodec#CORE_T11}. */
  public static final class CoreT11 extends LinearCodeRawCoderFactory {
    /** Called by the service loader. */
    public CoreT11() {
      super(PprCodec.CORE_T11);
    }
  }

  /** Makes the coders of {@link PprCodec#CORE_T12}. */
  public static final class CoreT12 extends LinearCodeRawCoderFactory {
    /** Called by the service loader. */
    public CoreT12() {
      super(PprCodec.CORE_T12);
    }
  }

  /** Makes the coders of {@link PprCodec#CORE_T13}. */
  public static final class CoreT13 extends LinearCodeRawCoderFactory {
    /** Called by the service loader. */
    public CoreT13() {
      super(PprCodec.CORE_T13);
    }
  }

  /** Makes the coders of {@link PprCodec#CORE_T14}. */
  public static final class CoreT14 extends LinearCodeRawCoderFactory {
    /** Called by the service loader. */
    public CoreT14() {
      super(PprCodec.CORE_T14);
    }
  }

  /** Makes the coders of {@link PprCodec#CORE_T15}. */
  public static final class CoreT15 extends LinearCodeRawCoderFactory {
    /** Called by the service loader. */
    public CoreT15() {
      super(PprCodec.CORE_T15);
    }
  }
}
