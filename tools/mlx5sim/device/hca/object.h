/*
 * Objects of the device and their numbers. Every object begins with a struct hca_object, and
 * hca_find() finds it by its type and number. Numbers are given out in order and used again only
 * when the end of the table is reached. The use of a destroyed object's number is therefore
 * noticed.
 *
 * Functions that create an object return 0 or an errno, and create nothing when they fail. An
 * object holds references on the objects and spaces that it uses.
 */
#ifndef MLX5SIM_HCA_OBJECT_H
#define MLX5SIM_HCA_OBJECT_H

#include <stdbool.h>
#include <stdint.h>

#include "device/machine/machine.h"

enum hca_type {
    HCA_NONE, HCA_PD, HCA_MKEY, HCA_CQ, HCA_SRQ, HCA_QP, HCA_UMEM, HCA_DM, HCA_ICM, HCA_XRCD,
    HCA_RQT, HCA_TIR, HCA_RULE, HCA_COUNTER, HCA_TABLE, HCA_GROUP, HCA_REFORMAT, HCA_MODIFY,
    HCA_SAMPLER, HCA_PSV, HCA_DEK, HCA_LOGIN, HCA_OPERATION, HCA_SCHED,
    HCA_METER,
    HCA_DEVX                    /* other objects made by firmware commands */
};

enum { HCA_LOG_MAX_XRCD = 10, HCA_LOG_MAX_TABLES = 10, HCA_LOG_MAX_CHANGES = 10,
       HCA_LOG_MAX_PSV = 16, HCA_LOG_MAX_DEK = 10, HCA_LOG_MAX_OPERATION = 12,
       HCA_LOG_MAX_SCHED = 13, HCA_LOG_MAX_METER = 10 };

/* The first member of every object of the device. */
struct hca_object {
    enum hca_type type;
    uint32_t number;            /* pdn, cqn, qpn, srqn, umem id; of an mkey: the 32-bit key */
    struct sim_function *function;
    struct sim_client *client;
    unsigned refs;              /* number of objects that use this object; destroy needs 0 */
    void *uobject;              /* for the driver: its struct uobject, or NULL */
    void (*release)(struct hca_object *);   /* drops the object's references; may be NULL */
};

/* An object made by a firmware command that has no properties except its number. */
struct hca_other {
    struct hca_object object;
    uint32_t kind;              /* opcode of the command */
};

/* Sets the limits from the profile of the machine. Called once, before the first client. */
int hca_init(void);

/* Returns the object of this type and number, or NULL. An mkey is found by its index. */
struct hca_object *hca_find(enum hca_type type, uint32_t number);
/* Calls `each` for every object of a type. `each` must not create or destroy objects. */
void hca_each(enum hca_type type, void (*each)(struct hca_object *, void *), void *arg);

/* Gives the object a number and puts it into the table. `release` is called when the object is
 * destroyed, to drop its references. Returns 0 or ENOMEM. */
int hca_add(struct hca_object *object, enum hca_type type, struct sim_client *client,
            void (*release)(struct hca_object *));

/* True when the mkey that was last destroyed at this index had this key. */
bool hca_is_destroyed_key(uint32_t key);

void hca_ref(void *object);             /* NULL is allowed */
void hca_unref(void *object);

/* Frees the object. Returns 0, or EBUSY while another object uses it. The driver must free the
 * uobject. */
int hca_destroy(struct hca_object *object);

/* Logs objects of the client that still exist after the driver has destroyed all its handles. */
void hca_log_leaked(struct sim_client *client);

#endif
