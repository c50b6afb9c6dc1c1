#include <xcb/xcb.h>
#include <xcb/xfixes.h>

// The library's own variable, which Swift would take for one that anybody changes.
static inline xcb_extension_t *tandem_xcb_xfixes(void) { return &xcb_xfixes_id; }
