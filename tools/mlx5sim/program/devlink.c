/*
 * The PCI functions of the emulated machine, as the kernel's devlink describes its devices: the
 * list of devices, and the parameter enable_roce. The family has a number of its own, so devices of
 * the host are not listed.
 */
#include "program/devlink.h"

#include <errno.h>
#include <linux/devlink.h>
#include <linux/genetlink.h>
#include <string.h>

enum {
    FAMILY = GENL_MAX_ID,       /* the kernel gives low numbers first */
    TYPE_FLAG = 6               /* NLA_FLAG of the kernel: the value is the presence of the data */
};

#define ROCE "enable_roce"

static const struct genlmsghdr *header_of(const struct nlmsghdr *request)
{
    return message_header(request, sizeof(struct genlmsghdr));
}

static const char *text_attribute(const struct nlmsghdr *request, unsigned type)
{
    return message_attribute(request, sizeof(struct genlmsghdr), type, 0);
}

static bool asks_for_family(const struct nlmsghdr *request)
{
    const struct genlmsghdr *header = header_of(request);
    const char *name;

    if (request->nlmsg_type != GENL_ID_CTRL || header == NULL ||
        header->cmd != CTRL_CMD_GETFAMILY)
        return false;
    name = text_attribute(request, CTRL_ATTR_FAMILY_NAME);
    return name != NULL && strcmp(name, DEVLINK_GENL_NAME) == 0;
}

bool devlink_is_asked(const struct nlmsghdr *request)
{
    return request->nlmsg_type == FAMILY || asks_for_family(request);
}

static void begin(struct answer *a, const struct nlmsghdr *request, uint8_t command)
{
    const bool is_list = (request->nlmsg_flags & NLM_F_DUMP) != 0;
    const struct genlmsghdr header = {.cmd = command, .version = DEVLINK_GENL_VERSION};

    message_begin(a, request, request->nlmsg_type, is_list ? NLM_F_MULTI : 0, &header,
                  sizeof(header));
}

static void describe_family(const struct nlmsghdr *request, struct answer *a)
{
    const uint16_t number = FAMILY;

    begin(a, request, CTRL_CMD_NEWFAMILY);
    message_string(a, CTRL_ATTR_FAMILY_NAME, DEVLINK_GENL_NAME);
    message_put(a, CTRL_ATTR_FAMILY_ID, &number, sizeof(number));
    message_u32(a, CTRL_ATTR_VERSION, DEVLINK_GENL_VERSION);
    message_u32(a, CTRL_ATTR_HDRSIZE, 0);
    message_u32(a, CTRL_ATTR_MAXATTR, DEVLINK_ATTR_MAX);
    message_end(a);
}

static void put_handle(struct answer *a, const struct wire_function *f)
{
    message_string(a, DEVLINK_ATTR_BUS_NAME, "pci");
    message_string(a, DEVLINK_ATTR_DEV_NAME, f->pci);
}

static void put_roce(struct answer *a, const struct wire_function *f)
{
    message_nest(a, DEVLINK_ATTR_PARAM);
    message_string(a, DEVLINK_ATTR_PARAM_NAME, ROCE);
    message_put(a, DEVLINK_ATTR_PARAM_GENERIC, NULL, 0);
    message_u8(a, DEVLINK_ATTR_PARAM_TYPE, TYPE_FLAG);
    message_nest(a, DEVLINK_ATTR_PARAM_VALUES_LIST);
    message_nest(a, DEVLINK_ATTR_PARAM_VALUE);
    if (f->is_ethernet)
        message_put(a, DEVLINK_ATTR_PARAM_VALUE_DATA, NULL, 0);
    message_u8(a, DEVLINK_ATTR_PARAM_VALUE_CMODE, DEVLINK_PARAM_CMODE_DRIVERINIT);
    message_unnest(a);
    message_unnest(a);
    message_unnest(a);
}

/* True when the request is about this function, or about all functions. SFs have no PCI address of
 * their own, and are not described. */
static bool is_meant(const struct nlmsghdr *request, const struct wire_function *f)
{
    const char *bus = text_attribute(request, DEVLINK_ATTR_BUS_NAME);
    const char *name = text_attribute(request, DEVLINK_ATTR_DEV_NAME);

    if (f->pci[0] == '\0')
        return false;
    if ((request->nlmsg_flags & NLM_F_DUMP) != 0)
        return true;
    return bus != NULL && name != NULL && strcmp(bus, "pci") == 0 && strcmp(name, f->pci) == 0;
}

/* Executes a request. Returns 0 or an errno. */
static int execute(const struct nlmsghdr *request, const struct wire_description *of,
                   struct answer *a)
{
    const struct genlmsghdr *header = header_of(request);
    const bool is_list = (request->nlmsg_flags & NLM_F_DUMP) != 0;
    const bool asks_for_param = header != NULL && header->cmd == DEVLINK_CMD_PARAM_GET;
    const char *param = text_attribute(request, DEVLINK_ATTR_PARAM_NAME);
    unsigned num = 0, i;

    if (request->nlmsg_type == GENL_ID_CTRL) {
        describe_family(request, a);
        return 0;
    }
    if (header == NULL || (header->cmd != DEVLINK_CMD_GET && !asks_for_param))
        return EOPNOTSUPP;
    for (i = 0; i < of->num_functions; i++) {
        if (!is_meant(request, &of->functions[i]))
            continue;
        num++;
        if (asks_for_param && !is_list && (param == NULL || strcmp(param, ROCE) != 0))
            return EINVAL;
        begin(a, request, asks_for_param ? DEVLINK_CMD_PARAM_NEW : DEVLINK_CMD_NEW);
        put_handle(a, &of->functions[i]);
        if (asks_for_param)
            put_roce(a, &of->functions[i]);
        message_end(a);
    }
    return num == 0 && !is_list ? ENODEV : 0;
}

enum verdict devlink_answer(const struct nlmsghdr *request, const struct wire_description *of,
                            struct answer *a)
{
    const int error = execute(request, of, a);

    if (error == 0 && (request->nlmsg_flags & NLM_F_DUMP) != 0)
        message_done(a, request);
    else if (error != 0 || (request->nlmsg_flags & NLM_F_ACK) != 0)
        message_error(a, request, error);
    return VERDICT_REPLACE;
}
