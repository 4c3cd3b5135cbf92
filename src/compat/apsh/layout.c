/* ---- >>impl.apsh.layout ----------------------------------------------------------------------
 * The offsets of all members that the lists read, looked up once at the start of a system. A member
 * that has another name in other versions of the kernel is looked up by both.                   */
#include "compat/apsh/layout_priv.h"

#include "compat/apsh/config.h"
#include "compat/apsh/kernel_priv.h"

/* The structures and members that the lists read. */
static const struct {
    const char *type, *member, *other;
    bool must;
} doca_priv_apsh_members[DOCA_PRIV_APSH_NUM_MEMBERS] = {
#define DOCA_PRIV_APSH_MEMBER_ROW(name, type, member, other, must) { type, member, other, must },
    DOCA_PRIV_APSH_MEMBERS(DOCA_PRIV_APSH_MEMBER_ROW)
#undef DOCA_PRIV_APSH_MEMBER_ROW
};

/* Return the name of a member. */
DOCA_PRIV_DECL const char *doca_priv_apsh_layout_name(unsigned member)
{
    return doca_priv_apsh_members[member].member;
}

/* Add all names that the lists need to the names that the search for type information finds. */
DOCA_PRIV_DECL void doca_priv_apsh_layout_names(struct doca_priv_apsh_btf *btf)
{
    size_t i;

    for (i = 0; i < DOCA_PRIV_APSH_NUM_MEMBERS; i++) {
        doca_priv_apsh_btf_want(btf, doca_priv_apsh_members[i].type);
        doca_priv_apsh_btf_want(btf, doca_priv_apsh_members[i].member);
        doca_priv_apsh_btf_want(btf, doca_priv_apsh_members[i].other);
    }
}

/* Look up all members. Returns NULL, or the first member that is missing although it is needed. */
DOCA_PRIV_DECL const char *doca_priv_apsh_layout(struct doca_priv_apsh_kernel *kernel,
                                                 struct doca_priv_apsh_btf *btf)
{
    int32_t offset;
    size_t i;

    for (i = 0; i < DOCA_PRIV_APSH_NUM_MEMBERS; i++) {
        offset = doca_priv_apsh_btf_member(btf, doca_priv_apsh_members[i].type,
                                           doca_priv_apsh_members[i].member);
        if (offset < 0 && doca_priv_apsh_members[i].other != NULL)
            offset = doca_priv_apsh_btf_member(btf, doca_priv_apsh_members[i].type,
                                               doca_priv_apsh_members[i].other);
        if (offset < 0 && doca_priv_apsh_members[i].must)
            return doca_priv_apsh_members[i].member;
        kernel->offsets[i] = offset;
    }
    return NULL;
}
