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

/* The build machine's ISA-L, renamed; isal.c loads it from here. */
  .section .rodata
  .hidden ppr_isal_image
  .global ppr_isal_image
  .balign 16
ppr_isal_image:
  .incbin "isal.image"
  .hidden ppr_isal_image_end
  .global ppr_isal_image_end
ppr_isal_image_end:
  .section .note.GNU-stack, "", @progbits
