#include <archive.h>
#include <archive_entry.h>
#include <locale.h>
#if defined(__APPLE__)
#include <xlocale.h>
#endif

// libarchive turns the names of entries into the characters of the thread's locale, and the one that a program begins with has ASCII alone.
// Begins UTF-8 on this thread; the answer is what tandem_end_utf8 puts back.
static inline locale_t tandem_begin_utf8(void) {
    static locale_t utf8;
    locale_t made = __atomic_load_n(&utf8, __ATOMIC_ACQUIRE);
    if (!made) {
#if defined(__APPLE__)
        made = newlocale(LC_CTYPE_MASK, "UTF-8", (locale_t)0);
#else
        made = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
#endif
        locale_t none = (locale_t)0;
        if (made && !__atomic_compare_exchange_n(&utf8, &none, made, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
            freelocale(made);
            made = none;
        }
    }
    return made ? uselocale(made) : (locale_t)0;
}

static inline void tandem_end_utf8(locale_t before) {
    if (before) uselocale(before);
}
