/* The terminal of tools/apsh_top.c: modes, size, keys and frames. Every end of the tool restores
 * the modes. A frame is one write. It begins at the top left and clears each line behind the text
 * of the line, so that nothing flickers. */
#ifndef APSH_TOP_SCREEN_H
#define APSH_TOP_SCREEN_H

#include "look.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/select.h>
#include <termios.h>

#define ENTER "\033[?1049h\033[?25l\033[H\033[2J" /* alternate screen, no cursor, empty */
#define LEAVE "\033[0m\033[?25h\033[?1049l"
#define MAX_COLUMNS 500

static struct {
    volatile sig_atomic_t is_open;
    volatile sig_atomic_t is_changed; /* the size changed, or the tool continues after a stop */
    int key_fd;                       /* terminal whose modes are set, or -1 */
    bool has_keys;                    /* the input of `key_fd` has not ended */
    struct termios before, during;
    unsigned rows, columns;
    unsigned row; /* of the frame that is being made */
} screen = { .key_fd = -1, .rows = 24, .columns = 80 };

/* Calls that a signal handler may make. */
static void say_raw(const char *text, size_t len)
{
    const ssize_t n = write(STDOUT_FILENO, text, len);

    (void)n; /* a failed write cannot be reported */
}

static void screen_leave(void)
{
    if (!screen.is_open)
        return;
    screen.is_open = 0;
    say_raw(LEAVE, sizeof(LEAVE) - 1);
    if (screen.key_fd >= 0)
        (void)tcsetattr(screen.key_fd, TCSANOW, &screen.before);
}

static void screen_enter(void)
{
    if (screen.key_fd >= 0)
        (void)tcsetattr(screen.key_fd, TCSANOW, &screen.during);
    say_raw(ENTER, sizeof(ENTER) - 1);
    screen.is_open = 1;
    screen.is_changed = 1;
}

/* Restore the terminal, and end as the signal ends a program: it is delivered again when this
 * handler returns. */
static void on_end(int signal_number)
{
    screen_leave();
    (void)signal(signal_number, SIG_DFL);
    (void)raise(signal_number);
}

static void on_stop(int signal_number)
{
    const int error = errno;
    const bool was_open = screen.is_open;

    (void)signal_number;
    screen_leave();
    (void)raise(SIGSTOP);
    if (was_open)
        screen_enter();
    errno = error;
}

static void on_size(int signal_number)
{
    (void)signal_number;
    screen.is_changed = 1;
}

static void handle(int signal_number, void (*handler)(int))
{
    struct sigaction action;

    memset(&action, 0, sizeof(action));
    action.sa_handler = handler;
    (void)sigfillset(&action.sa_mask);
    (void)sigaction(signal_number, &action, NULL);
}

/* Find a terminal to read keys from: standard input, the terminal of the session, or that of the
 * output, which can be the terminal of another session. */
static void find_keys(void)
{
    const int mode = fcntl(STDOUT_FILENO, F_GETFL);

    screen.key_fd = isatty(STDIN_FILENO) ? STDIN_FILENO : open("/dev/tty", O_RDWR | O_CLOEXEC);
    if (screen.key_fd < 0 && mode >= 0 && (mode & O_ACCMODE) == O_RDWR)
        screen.key_fd = STDOUT_FILENO;
    if (screen.key_fd < 0 || tcgetattr(screen.key_fd, &screen.before) != 0) {
        screen.key_fd = -1;
        return;
    }
    screen.has_keys = true;
    screen.during = screen.before;
    screen.during.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
    if (tcgetpgrp(screen.key_fd) < 0) /* the terminal of another session: Ctrl-C is a key */
        screen.during.c_lflag &= ~(tcflag_t)ISIG;
    screen.during.c_cc[VMIN] = 0;
    screen.during.c_cc[VTIME] = 0;
}

static void screen_open(void)
{
    static const int ends[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGABRT, SIGSEGV,
                                SIGBUS };
    sigset_t size;
    size_t i;

    find_keys();
    for (i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
        handle(ends[i], on_end);
    handle(SIGTSTP, on_stop);
    handle(SIGWINCH, on_size);
    (void)sigemptyset(&size); /* it is delivered while the tool waits */
    (void)sigaddset(&size, SIGWINCH);
    (void)sigprocmask(SIG_BLOCK, &size, NULL);
    screen_enter();
}

static void measure_screen(void)
{
    struct winsize size;

    screen.is_changed = 0;
    screen.rows = 24;
    screen.columns = 80;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_row == 0 || size.ws_col == 0)
        return;
    screen.rows = size.ws_row;
    screen.columns = size.ws_col < MAX_COLUMNS ? size.ws_col : MAX_COLUMNS;
}

/* ---- frames ---- */

static void frame_begin(void)
{
    if (screen.is_changed)
        measure_screen();
    out.len = 0;
    screen.row = 0;
    out_text("\033[H");
}

/* Append a line, cut at the right margin. `mode`: "", "1" for bold, "7" for reverse. A line as wide
 * as the terminal is not cleared behind its end: that would erase its last character. */
static void frame_line(const char *mode, const char *text)
{
    const size_t len = strlen(text), room = screen.columns;
    size_t i;

    if (screen.row >= screen.rows)
        return;
    if (screen.row++ > 0)
        out_text("\r\n");
    if (*mode != '\0')
        out_format("\033[%sm", mode);
    out_bytes(text, len < room ? len : room);
    for (i = len; *mode == '7' && i < room; i++)
        out_text(" ");
    if (*mode != '\0')
        out_text("\033[0m");
    if (len < room && *mode != '7')
        out_text("\033[K");
}

static void frame_end(void)
{
    if (screen.row < screen.rows)
        out_text("\r\n\033[J");
    out_flush();
}

/* ---- keys ---- */

enum key { NO_KEY = 0, KEY_UP = 256, KEY_DOWN, KEY_PAGE_UP, KEY_PAGE_DOWN, KEY_ESCAPE };

/* Wait for a key until the time `until`. Returns NO_KEY when it has come, and when the size of the
 * terminal changes. */
static int wait_for_key(uint64_t until)
{
    static const struct {
        char text[8];
        enum key key;
    } sequences[] = { { "\033[A", KEY_UP },       { "\033[B", KEY_DOWN },
                      { "\033OA", KEY_UP },       { "\033OB", KEY_DOWN },
                      { "\033[5~", KEY_PAGE_UP }, { "\033[6~", KEY_PAGE_DOWN } };
    static char keys[64];
    static size_t len, at;
    const uint64_t now = now_ns(), left = until > now ? until - now : 0;
    const struct timespec wait = { (time_t)(left / 1000000000u), (long)(left % 1000000000u) };
    sigset_t mask;
    fd_set fds;
    ssize_t n;
    size_t i;

    if (at == len) {
        FD_ZERO(&fds);
        if (screen.has_keys)
            FD_SET(screen.key_fd, &fds);
        (void)sigprocmask(SIG_BLOCK, NULL, &mask);
        (void)sigdelset(&mask, SIGWINCH);
        if (pselect(screen.has_keys ? screen.key_fd + 1 : 0, &fds, NULL, NULL, &wait, &mask) <= 0)
            return NO_KEY;
        n = read(screen.key_fd, keys, sizeof(keys) - 1);
        if (n <= 0) /* the terminal has no more keys */
            screen.has_keys = false;
        at = 0;
        len = n > 0 ? (size_t)n : 0;
        keys[len] = '\0';
        if (n <= 0)
            return NO_KEY;
    }
    for (i = 0; i < sizeof(sequences) / sizeof(sequences[0]); i++)
        if (strncmp(keys + at, sequences[i].text, strlen(sequences[i].text)) == 0) {
            at += strlen(sequences[i].text);
            return (int)sequences[i].key;
        }
    if (keys[at] == '\033') { /* ESC alone, or the beginning of an unknown sequence */
        at = len;
        return (int)KEY_ESCAPE;
    }
    return (unsigned char)keys[at++];
}

#endif
