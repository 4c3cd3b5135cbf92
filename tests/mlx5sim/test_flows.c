/*
 * Flow counters, flow tables and QUERY_LAG: commands that programs issue through DevX. The offsets
 * are those of public definitions.
 */
#include "rig.h"

enum { OK = 0, BAD_PARAM = 3, BAD_RESOURCE = 5, BAD_INPUT_LEN = 0x50,
       BAD_OUTPUT_LEN = 0x51 };

struct command {
    uint8_t in[0x40], out[0x50];
};

static struct command of(unsigned opcode)
{
    struct command c = { .in = { 0 } };

    put(c.in, 0, 16, opcode);
    return c;
}

/* Return the status of a general command; -1 when the kernel refuses it. */
static int general(struct rig *rig, struct command *c, size_t in, size_t out)
{
    errno = 0;
    if (mlx5dv_devx_general_cmd(rig->ctx, c->in, in, c->out, out) == 0)
        return OK;
    return errno == EREMOTEIO ? c->out[0] : -1;
}

static int query(struct mlx5dv_devx_obj *obj, struct command *c, size_t in, size_t out)
{
    int err = mlx5dv_devx_obj_query(obj, c->in, in, c->out, out);

    return err == 0 ? OK : err == EREMOTEIO || errno == EREMOTEIO ? c->out[0] : -1;
}

/* Create an object, or return NULL and check the status. */
static struct mlx5dv_devx_obj *create(struct rig *rig, struct command *c, size_t in, size_t out,
                                      int status)
{
    struct mlx5dv_devx_obj *obj = mlx5dv_devx_obj_create(rig->ctx, c->in, in, c->out, out);

    CHECK_EQ(c->out[0], status);
    CHECK_EQ(obj != NULL, status == OK);
    return obj;
}

/* ---- LAG ------------------------------------------------------------------------------------ */

static void the_ports_are_not_bonded(void)
{
    struct rig rig = rig_open(0);
    struct command c = of(0x842);

    CHECK_EQ(general(&rig, &c, 16, 16), OK);
    CHECK_EQ(get(c.out, 0x40, 64), 0);          /* lag_state and all other fields */
    put(c.in, 0x30, 16, 1);
    CHECK_EQ(general(&rig, &c, 16, 16), BAD_PARAM);
    CHECK(get(c.out, 0x20, 32) != 0);           /* syndrome */
    rig_close(&rig);
}

/* ---- counters ------------------------------------------------------------------------------- */

static void a_flow_counter_is_allocated_and_queried(void)
{
    struct rig rig = rig_open(0);
    struct command c = of(0x939), q = of(0x93b);
    struct mlx5dv_devx_obj *obj = create(&rig, &c, 16, 16, OK);

    put(q.in, 0xe0, 32, get(c.out, 0x40, 32));
    memset(q.out, 0xff, sizeof(q.out));
    CHECK_EQ(query(obj, &q, 0x20, 0x20), OK);
    CHECK_EQ(get(q.out, 0x80, 64), 0);          /* packets */
    CHECK_EQ(get(q.out, 0xc0, 64), 0);          /* octets */
    CHECK_EQ(q.out[0x20], 0xff);                /* bytes after the output are untouched */
    CHECK_EQ(mlx5dv_devx_obj_destroy(obj), 0);
    rig_close(&rig);
}

static void wrong_commands_on_counters_are_refused(void)
{
    struct rig rig = rig_open(0);
    struct command c = of(0x939), q = of(0x93b), table = of(0x930);
    struct mlx5dv_devx_obj *obj, *of_table;

    put(c.in, 0x78, 8, 3);              /* two sizes of a bulk */
    create(&rig, &c, 16, 16, BAD_PARAM);
    put(c.in, 0x78, 8, 0);
    put(c.in, 0x73, 5, 8);              /* a bulk by its logarithm */
    create(&rig, &c, 16, 16, BAD_PARAM);
    put(c.in, 0x73, 5, 0);
    obj = create(&rig, &c, 16, 16, OK);
    of_table = create(&rig, &table, 0x40, 16, OK);
    put(q.in, 0xe0, 32, get(c.out, 0x40, 32));
    CHECK_EQ(query(obj, &q, 0x20, 0x10), BAD_OUTPUT_LEN);
    CHECK_EQ(query(of_table, &q, 0x20, 0x20), -1);      /* not the object of the handle */
    put(q.in, 0xc1, 1, 1);              /* into memory, with key 0 */
    CHECK_EQ(query(obj, &q, 0x20, 0x20), BAD_RESOURCE);
    put(q.in, 0xc1, 1, 0);
    put(q.in, 0xd0, 16, 2);             /* two counters */
    CHECK_EQ(query(obj, &q, 0x20, 0x20), BAD_PARAM);
    put(q.in, 0xd0, 16, 1);
    CHECK_EQ(query(obj, &q, 0x20, 0x20), OK);
    put(q.in, 0xe0, 32, get(table.out, 0x48, 24));      /* a table, not a counter */
    CHECK_EQ(query(of_table, &q, 0x20, 0x20), -1);      /* no command on a table */
    CHECK_EQ(query(obj, &q, 0x18, 0x20), -1);           /* too short to name the object */
    CHECK_EQ(mlx5dv_devx_obj_destroy(of_table), 0);
    CHECK_EQ(mlx5dv_devx_obj_destroy(obj), 0);
    rig_close(&rig);
}

/* ---- tables --------------------------------------------------------------------------------- */

static struct command table(unsigned type, unsigned level, unsigned log_size)
{
    struct command c = of(0x930);

    put(c.in, 0x80, 8, type);
    put(c.in, 0xc0 + 0x08, 8, level);
    put(c.in, 0xc0 + 0x18, 8, log_size);
    return c;
}

static void a_flow_table_keeps_its_properties(void)
{
    struct rig rig = rig_open(0);
    struct command next = table(0, 5, 1), c = table(0, 3, 10), q = of(0x932);
    struct mlx5dv_devx_obj *of_next = create(&rig, &next, 0x40, 16, OK), *obj;
    uint64_t number = get(next.out, 0x48, 24);

    put(c.in, 0xc0 + 0x04, 4, 1);       /* packets without a match go to a table */
    put(c.in, 0xc0 + 0x28, 24, number);
    obj = create(&rig, &c, 0x40, 16, OK);
    CHECK(get(c.out, 0x48, 24) != number);
    put(q.in, 0xa8, 24, get(c.out, 0x48, 24));
    CHECK_EQ(query(obj, &q, 0x40, 0x40), OK);
    CHECK_EQ(get(q.out, 0xc0 + 0x04, 4), 1);
    CHECK_EQ(get(q.out, 0xc0 + 0x08, 8), 3);
    CHECK_EQ(get(q.out, 0xc0 + 0x18, 8), 10);
    CHECK_EQ(get(q.out, 0xc0 + 0x28, 24), number);
    CHECK(mlx5dv_devx_obj_destroy(of_next) != 0);       /* the other table refers to it */
    CHECK_EQ(mlx5dv_devx_obj_destroy(obj), 0);
    CHECK_EQ(mlx5dv_devx_obj_destroy(of_next), 0);
    rig_close(&rig);
}

static void refused(struct rig *rig, unsigned bit, unsigned width, uint64_t value, int status)
{
    struct command c = table(0, 3, 10);

    put(c.in, bit, width, value);
    create(rig, &c, 0x40, 16, status);
}

static void wrong_commands_on_tables_are_refused(void)
{
    struct rig rig = rig_open(0);
    struct command c = table(0, 3, 10), other = table(1, 9, 10), counter = of(0x939);
    struct command q = of(0x932);
    struct mlx5dv_devx_obj *obj, *of_other, *of_counter;

    create(&rig, &c, 0x30, 16, BAD_INPUT_LEN);
    refused(&rig, 0x40, 1, 1, BAD_PARAM);               /* of another function */
    refused(&rig, 0x80, 8, 4, BAD_PARAM);               /* of the eswitch */
    refused(&rig, 0xc0 + 0x02, 1, 1, BAD_PARAM);        /* of software */
    refused(&rig, 0xc0 + 0x08, 8, 128, BAD_PARAM);      /* level */
    refused(&rig, 0xc0 + 0x18, 8, 17, BAD_PARAM);       /* size */
    refused(&rig, 0xc0 + 0x04, 4, 2, BAD_PARAM);        /* action without a match */
    refused(&rig, 0xc0 + 0x04, 4, 1, BAD_RESOURCE);     /* table 0 does not exist */

    obj = create(&rig, &c, 0x40, 16, OK);
    of_other = create(&rig, &other, 0x40, 16, OK);
    of_counter = create(&rig, &counter, 16, 16, OK);
    put(c.in, 0xc0 + 0x04, 4, 1);
    put(c.in, 0xc0 + 0x28, 24, get(c.out, 0x48, 24));   /* a table of the same level */
    create(&rig, &c, 0x40, 16, BAD_PARAM);
    put(c.in, 0xc0 + 0x28, 24, get(other.out, 0x48, 24));       /* of another type */
    create(&rig, &c, 0x40, 16, BAD_PARAM);
    put(c.in, 0xc0 + 0x28, 24, get(counter.out, 0x40, 32));     /* a counter */
    create(&rig, &c, 0x40, 16, BAD_RESOURCE);

    put(q.in, 0xa8, 24, get(other.out, 0x48, 24));
    CHECK_EQ(query(of_other, &q, 0x40, 0x40), BAD_PARAM);       /* the query names another type */
    put(q.in, 0x80, 8, 1);
    CHECK_EQ(query(of_other, &q, 0x40, 0x40), OK);
    CHECK_EQ(query(of_other, &q, 0x20, 0x40), BAD_INPUT_LEN);
    CHECK_EQ(query(of_other, &q, 0x40, 0x20), BAD_OUTPUT_LEN);
    CHECK_EQ(query(obj, &q, 0x40, 0x40), -1);           /* not the object of the handle */
    CHECK_EQ(mlx5dv_devx_obj_destroy(obj), 0);
    CHECK_EQ(mlx5dv_devx_obj_destroy(of_other), 0);
    CHECK_EQ(mlx5dv_devx_obj_destroy(of_counter), 0);
    rig_close(&rig);
}

static const struct rig_case cases[] = {
    RIG_CASE(the_ports_are_not_bonded),
    RIG_CASE(a_flow_counter_is_allocated_and_queried),
    RIG_CASE(wrong_commands_on_counters_are_refused),
    RIG_CASE(a_flow_table_keeps_its_properties),
    RIG_CASE(wrong_commands_on_tables_are_refused),
};

RIG_MAIN(cases)
