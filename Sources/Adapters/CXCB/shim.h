#include <xcb/damage.h>
#include <xcb/shm.h>
#include <xcb/xcb.h>
#include <xcb/xfixes.h>
#include <xcb/xtest.h>

// The library's own variables, which Swift would take for ones that anybody changes.
static inline xcb_extension_t *tandem_xcb_damage(void) { return &xcb_damage_id; }
static inline xcb_extension_t *tandem_xcb_shm(void) { return &xcb_shm_id; }
static inline xcb_extension_t *tandem_xcb_xfixes(void) { return &xcb_xfixes_id; }
static inline xcb_extension_t *tandem_xcb_xtest(void) { return &xcb_test_id; }
