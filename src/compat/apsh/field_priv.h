/* ---- >>priv.apsh.field -----------------------------------------------------------------------
 * Members of the kernel's structures, rings that link structures, and lists. A list is read again
 * when the target changed it during the read. Inside lists NOT_FOUND means that the list changed or
 * is damaged, BAD_STATE that the process has ended, and IO_FAILED that a read failed.           */
#ifndef DOCA_SRC_COMPAT_APSH_FIELD_PRIV_H
#define DOCA_SRC_COMPAT_APSH_FIELD_PRIV_H

#include "compat/apsh/config.h"
#include "compat/apsh/kernel_priv.h"
#include "compat/apsh/object.h"
#include "compat/apsh/object_priv.h"
#include "compat/apsh/snapshot_priv.h"

#define DOCA_PRIV_APSH_COMM 16u /* bytes of the name of a task */

/* A limit of a system, by its attribute. */
#define DOCA_PRIV_APSH_LIMIT(system, attr)                                                         \
    ((uint32_t)(system)->set.limits[(attr) - DOCA_APSH_HASHTEST_LIMIT])

/* A ring of structures that are linked through a member of the type struct list_head. */
struct doca_priv_apsh_ring {
    uint64_t head; /* address of the link where the ring begins; this link is not part of a
                    * structure of the ring */
    enum doca_priv_apsh_member link;
    const uint8_t *members; /* members of each structure that are read in one batch */
    uint32_t num_members;   /* at most DOCA_PRIV_APSH_BATCH */
};

#define DOCA_PRIV_APSH_BATCH 8u

/* A list that is being read. */
struct doca_priv_apsh_list {
    struct doca_apsh_system *system;
    struct doca_priv_apsh_kernel *kernel;
    const struct doca_apsh_process *process; /* NULL: the list is of the system */
    struct doca_priv_apsh_snapshot *snapshot; /* NULL before the snapshot is made */
    uint32_t limit;                          /* maximum number of items */
    uint64_t budget;                         /* maximum number of DMA tasks of one attempt */
};

DOCA_PRIV_DECL bool doca_priv_apsh_has(const struct doca_priv_apsh_kernel *kernel,
                                       enum doca_priv_apsh_member member);
DOCA_PRIV_DECL uint64_t doca_priv_apsh_in(const struct doca_priv_apsh_kernel *kernel,
                                          uint64_t object, enum doca_priv_apsh_member member);
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_read_64(struct doca_priv_apsh_kernel *kernel,
                                                   uint64_t addr, uint64_t *value);
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_get_64(struct doca_priv_apsh_kernel *kernel,
                                                  uint64_t object,
                                                  enum doca_priv_apsh_member member,
                                                  uint64_t *value);
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_get_32(struct doca_priv_apsh_kernel *kernel,
                                                  uint64_t object,
                                                  enum doca_priv_apsh_member member,
                                                  uint32_t *value);
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_get_comm(struct doca_priv_apsh_kernel *kernel,
                                                    uint64_t task,
                                                    char comm[DOCA_PRIV_APSH_COMM + 1]);
DOCA_PRIV_DECL void doca_priv_apsh_batch(struct doca_priv_apsh_kernel *kernel, uint64_t addr,
                                         uint64_t *addrs, uint32_t *num);
DOCA_PRIV_DECL void doca_priv_apsh_fetch(struct doca_priv_apsh_kernel *kernel, uint64_t object,
                                         const uint8_t *members, uint32_t num);
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_ring_next(struct doca_priv_apsh_kernel *kernel,
                                                     const struct doca_priv_apsh_ring *ring,
                                                     uint64_t *object);
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_ring_count(struct doca_priv_apsh_kernel *kernel,
                                                      const struct doca_priv_apsh_ring *ring,
                                                      uint32_t limit, uint32_t *num);
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_need(const struct doca_priv_apsh_kernel *kernel,
                                                const uint8_t *members, size_t num,
                                                const char *function);
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_lacks(const char *what, const char *function);
DOCA_PRIV_DECL void doca_priv_apsh_list_begin(struct doca_priv_apsh_list *list,
                                              struct doca_apsh_system *system,
                                              const struct doca_apsh_process *process, int limit);
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_list_task(struct doca_priv_apsh_list *list,
                                                     uint64_t *task);
DOCA_PRIV_DECL uint64_t doca_priv_apsh_list_value(const struct doca_priv_apsh_list *list,
                                                  int attr);
DOCA_PRIV_DECL uint64_t doca_priv_apsh_list_text(const struct doca_priv_apsh_list *list,
                                                 const char *text);
DOCA_PRIV_DECL uint64_t doca_priv_apsh_list_name(const struct doca_priv_apsh_list *list);
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_list_fail(const struct doca_priv_apsh_list *list,
                                                     doca_error_t rc, const char *function);
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_list_read(
    struct doca_priv_apsh_list *list, doca_error_t (*read)(struct doca_priv_apsh_list *list),
    const char *function);

#endif
