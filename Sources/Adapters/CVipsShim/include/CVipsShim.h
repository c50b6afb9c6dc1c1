#ifndef TANDEM_CVIPSSHIM_H
#define TANDEM_CVIPSSHIM_H

// Pictures through libvips: bytes in, bytes out. Swift cannot call vips itself (every operation is variadic), and no
// vips or GLib type appears here, so that whoever imports this needs none of their compiler flags. Only the program
// tandem-pictures links it: what decodes a stranger's bytes has no business beside keys.
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

/// Starts libvips, loads every decoder that is used, and does with small pictures all that is ever done: what libraries load on first
/// use is loaded then, and no file is opened any more.
CVipsResult cvips_warm_up(void);

/// The version of libvips, for example "8.14.1". Lives as long as the program.
const char *cvips_version(void);

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

/// Decoded pixels: red, green and blue of sRGB, 8 bits each.
typedef struct CVipsPixels CVipsPixels;

/// Decodes the first page, upright, in sRGB, on white, shrunk so that neither edge is longer than `side`. `*pixels` goes to
/// `cvips_release`.
CVipsResult cvips_decode(const uint8_t *bytes, size_t count, int32_t side, CVipsPixels **pixels);

/// Shrinks so that neither edge is longer than `side`. `*shrunk` goes to `cvips_release`.
CVipsResult cvips_shrink(const CVipsPixels *pixels, int32_t side, CVipsPixels **shrunk);

/// Encodes as a JPEG of `quality` 1 to 100 without metadata. `*encoded` goes to `cvips_free`.
CVipsResult cvips_encode_jpeg(const CVipsPixels *pixels, int32_t quality, uint8_t **encoded, size_t *size);

int32_t cvips_width(const CVipsPixels *pixels);
int32_t cvips_height(const CVipsPixels *pixels);

/// Width × height × 3 bytes, row by row without padding, as long as `pixels` live.
const uint8_t *cvips_bytes(const CVipsPixels *pixels);

/// Copies what `cvips_bytes` shows. `*bytes` goes to `cvips_free`.
CVipsResult cvips_copy_bytes(const CVipsPixels *pixels, uint8_t **bytes, size_t *count);

void cvips_release(CVipsPixels *pixels);

void cvips_free(void *memory);

/// Moves the first line of the last error into `text`, cut to fit and always terminated.
void cvips_take_error(char *text, size_t capacity);

#endif
