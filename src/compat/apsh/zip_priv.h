/* ---- >>priv.apsh.zip -------------------------------------------------------------------------
 * The members of a zip file, in the order of its directory. Each member is stored or deflated, is
 * not encrypted, and begins after the end of the member before it. A file in the format zip64 is
 * refused.                                                                                      */
#ifndef DOCA_SRC_COMPAT_APSH_ZIP_PRIV_H
#define DOCA_SRC_COMPAT_APSH_ZIP_PRIV_H

#include "compat/apsh/config.h"
#include "compat/apsh/inflate_priv.h"
#include "compat/apsh/json_priv.h"

#define DOCA_PRIV_APSH_MEMBER_NAME 255u /* maximum length of the name of a file */

struct doca_priv_apsh_packed {
    uint64_t at;     /* offset of the member's head in the file */
    uint64_t limit;  /* offset where the next member or the directory begins */
    uint64_t packed; /* length of the packed content */
    uint64_t size;   /* length of the unpacked content */
    uint32_t crc;    /* checksum of the unpacked content */
    bool is_deflated;
    uint32_t name_len; /* 0 when the name is longer than the name of any file */
    char name[DOCA_PRIV_APSH_MEMBER_NAME + 1];
};

struct doca_priv_apsh_zip {
    struct doca_priv_apsh_json file;
    uint64_t directory, directory_end; /* offsets */
    uint32_t num;                      /* members */
    uint64_t next;                     /* offset of the next entry of the directory */
    uint32_t next_number;
};

DOCA_PRIV_DECL bool doca_priv_apsh_zip_open(struct doca_priv_apsh_zip *zip, const char *path,
                                            uint64_t *budget);
DOCA_PRIV_DECL void doca_priv_apsh_zip_rewind(struct doca_priv_apsh_zip *zip);
DOCA_PRIV_DECL bool doca_priv_apsh_zip_next(struct doca_priv_apsh_zip *zip,
                                            struct doca_priv_apsh_packed *member);
DOCA_PRIV_DECL bool doca_priv_apsh_zip_unpack(struct doca_priv_apsh_zip *zip,
                                              const struct doca_priv_apsh_packed *member,
                                              struct doca_priv_apsh_inflate *inflate,
                                              uint64_t *work);

#endif
