/* Memory keys and memory windows. */
#ifndef MLX5SIM_HCA_MKEY_H
#define MLX5SIM_HCA_MKEY_H

#include "device/hca/memory.h"
#include "device/hca/crypto.h"
#include "device/hca/pieces.h"
#include "device/hca/signature.h"

enum {                          /* access that a key allows */
    HCA_LOCAL_READ = 1, HCA_LOCAL_WRITE = 2, HCA_REMOTE_READ = 4, HCA_REMOTE_WRITE = 8,
    HCA_ATOMIC = 16,
    HCA_RIGHTS = 31,
    HCA_PINNED = 32             /* not a right: the access cannot use on-demand paging */
};

enum hca_mkey_kind {
    MKEY_DIRECT,                /* a contiguous range of memory */
    MKEY_KLM,                   /* a list of entries of any length */
    MKEY_KSM,                   /* a list of entries of the same length */
    MKEY_STRIDED,               /* a block of entries, repeated */
    MKEY_ALIAS,                 /* a key of another function */
    MKEY_NULL                   /* no memory: reads give zeros, writes are discarded */
};

enum {
    MKEY_LOG_MAX_ENTRIES = 18,  /* translations of one key */
    MKEY_MAX_ENTRIES = 1 << MKEY_LOG_MAX_ENTRIES,
    MKEY_MAX_DEPTH = 4,         /* levels of indirect keys */
    MKEY_LOG_MAX_BSF = 3,       /* octowords */
    HCA_ANY_QP = 0xffffff,
    HCA_NULL_KEY = 0x300        /* below the first key that hca_add() gives out */
};

struct hca_klm {
    uint32_t bytes;
    uint32_t stride;            /* MKEY_STRIDED: bytes from one repetition to the next */
    uint32_t key;
    uint64_t addr;
};

struct hca_mkey {
    struct hca_object object;
    enum hca_mkey_kind kind;
    struct hca_pd *pd;
    struct sim_space *space;    /* MKEY_DIRECT */
    struct hca_umem *umem;      /* MKEY_DIRECT: the umem of the memory; NULL without a umem */
    uint64_t addr, iova, len;
    bool covers_all;            /* the key covers all addresses (field length64) */
    uint32_t access;            /* HCA_*, without HCA_PINNED */
    bool on_demand;             /* MKEY_DIRECT: the pages are not pinned */
    bool free;                  /* the key is invalid until a UMR makes it valid */
    bool umr;                   /* a UMR may change the key */
    bool remote_invalidate;
    bool relaxed_write, relaxed_read; /* only stored for queries: the emulator has no bus */
    uint32_t qpn;               /* remote access only through this QP, or HCA_ANY_QP */
    struct hca_klm *entries;
    uint32_t num_entries, max_entries;
    uint32_t log_entity_size;   /* MKEY_KSM */
    uint64_t repeat;            /* MKEY_STRIDED: repetitions */
    uint32_t bsf_octowords;     /* room for the BSF; 0: the key cannot have a signature */
    struct hca_signature sig;
    bool may_encrypt;           /* the key was made for encryption */
    struct hca_crypto crypto;
    uint64_t serial;            /* unique among all keys that the device has had */
    bool exported;              /* ALLOW_OTHER_VHCA_ACCESS */
    uint8_t access_key[32];
    uint64_t target_serial;     /* MKEY_ALIAS */
    uint32_t target_index;
};

struct hca_mkey_attr {
    struct hca_object *pd;
    struct sim_space *space;
    uint64_t addr;              /* in the space */
    uint64_t iova;              /* first address that the key translates */
    uint64_t len;               /* bytes */
    bool covers_all;            /* the key covers all addresses; len is not used */
    uint32_t access;            /* IB_UVERBS_ACCESS_*; the driver has checked the rules */
};

int hca_mkey_create(struct sim_client *client, const struct hca_mkey_attr *attr,
                    struct hca_object **out);
/* Gives the same key other attributes (rereg_mr). */
int hca_mkey_modify(struct hca_object *mkey, const struct hca_mkey_attr *attr);

/* Creates a memory window of type 1 or 2 (IB_UVERBS_ALLOC_MW): a key that gets its memory from a
 * bind WQE. */
int hca_mw_create(struct sim_client *client, struct hca_object *pd, unsigned type,
                  struct hca_object **out);

/* Translates [addr, addr + len) with `key` and appends the pieces of memory to `pieces`. `pd` NULL:
 * the key may belong to any PD. `need` has the rights that the access needs, and HCA_PINNED when it
 * needs pinned memory. Returns false after a line in the log when the access is not allowed. */
bool hca_mkey_map(struct sim_function *function, struct hca_pd *pd, uint32_t key, uint64_t addr,
                  uint64_t len, uint32_t need, struct hca_pieces *pieces);

/* Translates a range of the memory of a signature key. hca_mkey_map() refuses such keys, because
 * the data of an access have another form than those in memory. */
bool hca_mkey_map_blocks(struct hca_mkey *mkey, struct hca_pd *pd, uint64_t addr, uint64_t len,
                         uint32_t need, struct hca_pieces *pieces);

/* Finds the key that an access names. All 32 bits must match: an access with an old tag fails. */
struct hca_mkey *hca_mkey_find(const struct sim_function *function, uint32_t key);

/* Finds the key of a UMR WQE by its index, the upper 24 bits of `key`. The low byte is a tag that
 * the program chooses and that a UMR changes. */
struct hca_mkey *hca_mkey_of_index(const struct sim_function *function, uint32_t key);
struct hca_mkey *hca_mkey_new(struct sim_client *client, struct hca_pd *pd, uint32_t tag);
void hca_mkey_clear(struct hca_mkey *mkey);
uint32_t hca_mkey_access(uint32_t verbs);

#endif
