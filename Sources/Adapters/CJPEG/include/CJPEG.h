#ifndef TANDEM_CJPEG_H
#define TANDEM_CJPEG_H

#include <stddef.h>
#include <stdint.h>

// Writes a JPEG of pixels, row by row, each `0x00RRGGBB` in this machine's little-endian order. `keeps_colours`: colours keep every pixel.
// Returns its bytes, 0 where they are more than `capacity`, -1 where the library refuses.
long tandem_jpeg_write(const uint32_t *pixels, int width, int height, int quality, int keeps_colours, uint8_t *out, size_t capacity);

#endif
