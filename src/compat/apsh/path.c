/* ---- >>impl.apsh.path ------------------------------------------------------------------------
 * Paths of files. A path leads from a directory entry through its parents to the root of its file
 * system, from there to the entry where the file system is mounted, and so on up to the root of all
 * mounts. Each name has at least one character, so the length of a path bounds the number of
 * entries; the number of mounts is bounded separately. Loops are errors: each entry is compared
 * with a saved earlier entry. The distance at which the saved entry is replaced doubles each time.
 *                                                                                               */
#include "compat/apsh/path_priv.h"

#include "compat/apsh/attr.h"
#include "compat/apsh/bytes_priv.h"
#include "compat/apsh/config.h"
#include "compat/apsh/field_priv.h"
#include "compat/apsh/kernel_priv.h"
#include "compat/apsh/platform_priv.h"
#include "compat/apsh/snapshot_priv.h"
#include "compat/apsh/walk_priv.h"

#define DOCA_PRIV_APSH_NAME_MAX 255u /* bytes of a name of a directory entry */
#define DOCA_PRIV_APSH_MOUNTS 64u    /* maximum depth of nested mounts */

/* Check that the kernel has the members that paths need. */
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_path_need(const struct doca_priv_apsh_kernel *kernel,
                                                     const char *function)
{
    static const uint8_t needed[] = {
        DOCA_PRIV_APSH_FILE_DENTRY, DOCA_PRIV_APSH_FILE_MNT,    DOCA_PRIV_APSH_DENTRY_PARENT,
        DOCA_PRIV_APSH_DENTRY_LEN,  DOCA_PRIV_APSH_DENTRY_NAME, DOCA_PRIV_APSH_MNT_ROOT,
        DOCA_PRIV_APSH_MOUNT_MNT,   DOCA_PRIV_APSH_MOUNT_PARENT, DOCA_PRIV_APSH_MOUNT_POINT
    };

    return doca_priv_apsh_need(kernel, needed, sizeof(needed), function);
}

/* Get the location of the open file whose structure is at `file`. */
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_path_place(struct doca_priv_apsh_kernel *kernel,
                                                      uint64_t file,
                                                      struct doca_priv_apsh_location *place)
{
    doca_error_t rc =
        doca_priv_apsh_get_64(kernel, file, DOCA_PRIV_APSH_FILE_DENTRY, &place->dentry);

    return rc == DOCA_SUCCESS
               ? doca_priv_apsh_get_64(kernel, file, DOCA_PRIV_APSH_FILE_MNT, &place->mnt)
               : rc;
}

/* Write the name of a directory entry, with a slash, before the path. If there is not enough room,
 * the beginning of the name is cut off. */
static doca_error_t doca_priv_apsh_path_prepend(struct doca_priv_apsh_kernel *kernel,
                                                uint64_t dentry, struct doca_priv_apsh_path *path)
{
    char name[1 + DOCA_PRIV_APSH_NAME_MAX];
    uint32_t len = 0;
    uint64_t at = 0;
    size_t n;
    doca_error_t rc = doca_priv_apsh_get_32(kernel, dentry, DOCA_PRIV_APSH_DENTRY_LEN, &len);

    if (rc == DOCA_SUCCESS)
        rc = doca_priv_apsh_get_64(kernel, dentry, DOCA_PRIV_APSH_DENTRY_NAME, &at);
    if (rc == DOCA_SUCCESS && (len == 0 || len > DOCA_PRIV_APSH_NAME_MAX))
        return DOCA_ERROR_NOT_FOUND;
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_apsh_read(kernel, at, name + 1, len);
    if (rc != DOCA_SUCCESS)
        return rc;
    if (memchr(name + 1, '\0', len) != NULL)
        return DOCA_ERROR_NOT_FOUND;
    name[0] = '/';
    n = len + 1 < path->first ? len + 1 : path->first;
    path->first -= n;
    memcpy(path->text + path->first, name + (len + 1 - n), n);
    return DOCA_SUCCESS;
}

/* Move from the root of a file system to the entry where the file system is mounted. *is_top is set
 * when the file system is the root of all mounts. */
static doca_error_t doca_priv_apsh_path_up(struct doca_priv_apsh_kernel *kernel,
                                           struct doca_priv_apsh_location *place, bool *is_top)
{
    const uint64_t mount =
        place->mnt - (uint64_t)(int64_t)kernel->offsets[DOCA_PRIV_APSH_MOUNT_MNT];
    uint64_t parent = 0;
    doca_error_t rc = doca_priv_apsh_get_64(kernel, mount, DOCA_PRIV_APSH_MOUNT_PARENT, &parent);

    *is_top = parent == mount;
    if (rc != DOCA_SUCCESS || *is_top)
        return rc;
    place->mnt = doca_priv_apsh_in(kernel, parent, DOCA_PRIV_APSH_MOUNT_MNT);
    return doca_priv_apsh_get_64(kernel, mount, DOCA_PRIV_APSH_MOUNT_POINT, &place->dentry);
}

/* Read the path of a location. */
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_path_read(struct doca_priv_apsh_list *list,
                                                     struct doca_priv_apsh_location place,
                                                     struct doca_priv_apsh_path *path)
{
    const size_t room = DOCA_PRIV_APSH_LIMIT(list->system, DOCA_APSH_STRING_LIMIT);
    struct doca_priv_apsh_kernel *kernel = list->kernel;
    uint64_t root = 0, parent = 0, passed = 0;
    uint32_t num_mounts = 0, num_names = 0;
    bool is_top = false;
    doca_error_t rc;

    path->first = room < sizeof(path->text) ? room - 1 : sizeof(path->text) - 1;
    path->text[path->first] = '\0';
    while (path->first > 0 && !is_top) {
        rc = doca_priv_apsh_get_64(kernel, place.mnt, DOCA_PRIV_APSH_MNT_ROOT, &root);
        if (rc == DOCA_SUCCESS && place.dentry == root) {
            rc = doca_priv_apsh_path_up(kernel, &place, &is_top);
            if (num_mounts++ == DOCA_PRIV_APSH_MOUNTS)
                rc = DOCA_ERROR_NOT_FOUND;
        } else if (rc == DOCA_SUCCESS) {
            rc = doca_priv_apsh_path_prepend(kernel, place.dentry, path);
            if (rc == DOCA_SUCCESS)
                rc = doca_priv_apsh_get_64(kernel, place.dentry, DOCA_PRIV_APSH_DENTRY_PARENT,
                                           &parent);
            is_top = parent == place.dentry; /* a file without a directory */
            place.dentry = parent;
            if (rc == DOCA_SUCCESS && !is_top && parent == passed)
                rc = DOCA_ERROR_NOT_FOUND;
            if ((num_names & (num_names + 1)) == 0) /* before entries 1, 2, 4, 8 and so on */
                passed = parent;
            num_names++;
        }
        if (rc != DOCA_SUCCESS)
            return rc;
    }
    if (path->first > 0 && path->text[path->first] == '\0') /* the root itself */
        path->text[--path->first] = '/';
    return DOCA_SUCCESS;
}

/* Return the bytes of a path with its NUL. */
DOCA_PRIV_DECL size_t doca_priv_apsh_path_bytes(const struct doca_priv_apsh_path *path)
{
    return strlen(path->text + path->first) + 1;
}

/* Copy a path to the snapshot. Returns NULL when the path has grown since it was counted. */
DOCA_PRIV_DECL char *doca_priv_apsh_path_text(const struct doca_priv_apsh_list *list,
                                              const struct doca_priv_apsh_path *path)
{
    return doca_priv_apsh_text(list->snapshot, path->text + path->first,
                               doca_priv_apsh_path_bytes(path) - 1);
}
