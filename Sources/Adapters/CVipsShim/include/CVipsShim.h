#ifndef TANDEM_CVIPSSHIM_H
#define TANDEM_CVIPSSHIM_H

// Pictures through libvips: bytes in, bytes out. Swift cannot call vips itself (every operation is variadic), and no
// vips or GLib type appears here, so that whoever imports this needs none of their compiler flags.
//
// vips keeps one error text for the whole process: call these functions from one thread at a time.

#include <stddef.h>
#include <stdint.h>

typedef enum {
    CVIPS_OK = 0,
    CVIPS_UNKNOWN_FORMAT = 1,
    CVIPS_DAMAGED = 2,
    CVIPS_UNAVAILABLE = 3,
} CVipsResult;

typedef struct {
    int32_t width;
    int32_t height;
    int32_t pages;
} CVipsHeader;

/// Reads what the header claims and no pixels. Only JPEG, PNG, WebP, GIF, HEIC and AVIF are known formats.
CVipsResult cvips_read_header(const uint8_t *bytes, size_t count, CVipsHeader *header);

/// Decodes the first page, upright, on white, 8-bit grey, shrunk so that neither edge is longer than `side`.
/// On success `*pixels` holds `*width` × `*height` bytes without padding, to be given to `cvips_free`.
CVipsResult cvips_decode_grey(
    const uint8_t *bytes, size_t count, int32_t side, uint8_t **pixels, int32_t *width, int32_t *height);

/// Encodes 8-bit grey pixels that are all 0 or 255 as a PNG with one bit for each. `*bytes` goes to `cvips_free`.
CVipsResult cvips_encode_bilevel_png(
    const uint8_t *pixels, int32_t width, int32_t height, uint8_t **bytes, size_t *count);

/// Writes the first page anew, upright, without its metadata, shrunk so that it is not wider than `max_width`: as a JPEG of
/// `jpeg_quality` 1 to 100, or for 0 as a PNG. `*encoded` goes to `cvips_free`.
CVipsResult cvips_encode(
    const uint8_t *bytes, size_t count, int32_t max_width, int32_t jpeg_quality, uint8_t **encoded, size_t *size,
    int32_t *width, int32_t *height);

void cvips_free(void *memory);

/// Moves the first line of the last error into `text`, cut to fit and always terminated.
void cvips_take_error(char *text, size_t capacity);

/// Ends what vips keeps for the calling thread. To be called before a pool's thread goes back to its pool.
void cvips_end_thread(void);

#endif
