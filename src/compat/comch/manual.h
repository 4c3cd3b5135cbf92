/* doca_core_comch.h - the API of DOCA Comch (doca_comch.h, 2.10 and 3.x), for use with doca_core.h
 *
 * CONTENTS (search for the tag)
 * amalgamate: contents
 *
 * SOURCE. tools/amalgamate generates this file from the parts in src/compat/comch/. Change the
 * parts.
 */
