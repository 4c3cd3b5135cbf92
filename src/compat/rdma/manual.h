/* doca_core_rdma.h - the API of DOCA RDMA (doca_rdma.h, 2.5 to 3.x), for use with doca_core.h
 *
 * RDMA connects instances of two programs. A program sends messages to buffers that the other one
 * has posted, and reads, writes and changes memory that the other one has exported, without help of
 * that program. Here, both sides are processes of one machine, or threads of one process, and the
 * software device replaces the card.
 *
 * THIS HEADER HAS all 178 functions of doca_rdma.h of 2.10 and the one that 3.0 adds, with the
 * vendor's names, values and signatures, and the forms of 2.5 and 3.0 where these differ: see
 * >>rdma.api_25. The calls for a DPA, for a GPU and for librdmacm only answer NOT_SUPPORTED and log
 * one line.
 *
 * DO THIS in the one C (or C++) file that has the implementation, in place of doca_core.h, and
 * include this header without the macros everywhere else:
 *
 *     #define DOCA_CORE_IMPLEMENTATION
 *     #define DOCA_CORE_RDMA_IMPLEMENTATION
 *     #include "doca_core_rdma.h"
 *
 * and compile programs of 2.10 and 3.x with -DDOCA_CORE_API=30000.
 *
 * CONTENTS (search for the tag)
 * amalgamate: contents
 *
 * SOURCE. tools/amalgamate generates this file from the parts in src/compat/rdma/. Change the
 * parts.
 */
