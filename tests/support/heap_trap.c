#include "heap_trap.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static __thread enum heap_trap_mode mode;
static __thread unsigned long calls;
static __thread long held;

enum heap_trap_mode heap_trap_set(enum heap_trap_mode new_mode)
{
    enum heap_trap_mode old = mode;

    mode = new_mode;
    return old;
}

unsigned long heap_trap_calls(void)
{
    return calls;
}

long heap_trap_held(void)
{
    return held;
}

/* Called for every heap call. `num_blocks` is the change in the number of allocated blocks. */
static void on_heap_call(const char *name, int num_blocks)
{
    if (mode == HEAP_TRAP_OFF)
        return;
    calls++;
    held += num_blocks;
    if (mode == HEAP_TRAP_ABORT) {
        static const char text[] = "heap trap: call of ";

        mode = HEAP_TRAP_OFF;
        (void)!write(2, text, sizeof(text) - 1);
        (void)!write(2, name, strlen(name));
        (void)!write(2, "\n", 1);
        abort();
    }
}

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define WITH_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define WITH_SANITIZER 1
#endif
#endif

#ifdef WITH_SANITIZER /* the sanitizer defines malloc, and calls these hooks for each heap call */

void __sanitizer_malloc_hook(const volatile void *p, size_t bytes);
void __sanitizer_free_hook(const volatile void *p);

void __sanitizer_malloc_hook(const volatile void *p, size_t bytes)
{
    (void)p;
    (void)bytes;
    on_heap_call("malloc or a related function", 1);
}

void __sanitizer_free_hook(const volatile void *p)
{
    if (p != NULL)
        on_heap_call("free", -1);
}

bool heap_trap_works(void)
{
    return true;
}

#elif defined(__GLIBC__) /* replace glibc's functions, and call them by their internal names */

void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t n, size_t bytes);
void *__libc_realloc(void *p, size_t bytes);
void *__libc_memalign(size_t alignment, size_t bytes);
void __libc_free(void *p);

void *malloc(size_t bytes)
{
    on_heap_call("malloc", 1);
    return __libc_malloc(bytes);
}

void *calloc(size_t n, size_t bytes)
{
    on_heap_call("calloc", 1);
    return __libc_calloc(n, bytes);
}

void *realloc(void *p, size_t bytes)
{
    on_heap_call("realloc", p == NULL);
    return __libc_realloc(p, bytes);
}

void free(void *p)
{
    if (p != NULL)
        on_heap_call("free", -1);
    __libc_free(p);
}

void *memalign(size_t alignment, size_t bytes);
void *memalign(size_t alignment, size_t bytes)
{
    on_heap_call("memalign", 1);
    return __libc_memalign(alignment, bytes);
}

void *aligned_alloc(size_t alignment, size_t bytes)
{
    on_heap_call("aligned_alloc", 1);
    return __libc_memalign(alignment, bytes);
}

int posix_memalign(void **p, size_t alignment, size_t bytes)
{
    on_heap_call("posix_memalign", 1);
    *p = __libc_memalign(alignment, bytes);
    return *p != NULL ? 0 : 12; /* ENOMEM */
}

bool heap_trap_works(void)
{
    return true;
}

#else

bool heap_trap_works(void)
{
    return false;
}

#endif
