#include "CVipsShim.h"

#include "CVipsSamples.h"

#include <malloc.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <vips/vips.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int is_ready = 0;

static void ignore(const gchar *domain, GLogLevelFlags level, const gchar *message, gpointer data) {
    (void)domain, (void)level, (void)message, (void)data;
}

static void start(void) {
    // Each arena of the allocator takes 64 MiB of the address space that the program may have.
    mallopt(M_ARENA_MAX, 2);
    // vips would put large pictures into temporary files, and translate loops into machine code: this program may do neither.
    setenv("VIPS_DISC_THRESHOLD", "64g", 1);
    setenv("VIPS_NOVECTOR", "1", 1);
    if (VIPS_INIT("tandem-pictures") != 0) return;
    // Leaves out every loader that vips itself does not consider safe for files from strangers.
    vips_block_untrusted_set(TRUE);
    // The same picture is never decoded twice, and memory matters more here than speed.
    vips_cache_set_max(0);
    vips_concurrency_set(1);
    // A picture's oddities are no business of the program's stderr, which is nobody's.
    g_log_set_default_handler(ignore, NULL);
    is_ready = 1;
}

static int ready(void) {
    pthread_once(&once, start);
    return is_ready;
}

static int is_allowed(const uint8_t *bytes, size_t count) {
    static const char *const allowed[] = {
        "VipsForeignLoadJpegBuffer", "VipsForeignLoadPngBuffer",   "VipsForeignLoadWebpBuffer",
        "VipsForeignLoadGifBuffer",  "VipsForeignLoadNsgifBuffer", "VipsForeignLoadHeifBuffer",
    };
    const char *loader = vips_foreign_find_load_buffer(bytes, count);
    if (loader == NULL) return 0;
    for (size_t index = 0; index < sizeof allowed / sizeof *allowed; index++) {
        if (strcmp(loader, allowed[index]) == 0) return 1;
    }
    return 0;
}

CVipsResult cvips_read_header(const uint8_t *bytes, size_t count, CVipsHeader *header) {
    if (!ready()) return CVIPS_UNAVAILABLE;
    if (!is_allowed(bytes, count)) return CVIPS_UNKNOWN_FORMAT;
    VipsImage *image = vips_image_new_from_buffer(bytes, count, "", "access", VIPS_ACCESS_SEQUENTIAL, NULL);
    if (image == NULL) return CVIPS_DAMAGED;
    header->width = vips_image_get_width(image);
    header->height = vips_image_get_height(image);
    header->pages = vips_image_get_n_pages(image);
    g_object_unref(image);
    return CVIPS_OK;
}

/// Gives `image` up for the result of an operation on it, whether or not that worked.
static VipsImage *replace(VipsImage *image, int status, VipsImage *result) {
    g_object_unref(image);
    return status == 0 ? result : NULL;
}

/// Gives `image` up for the same without transparency, on white.
static VipsImage *flattened(VipsImage *image) {
    // 16-bit pictures have a white of their own.
    double white = vips_image_get_format(image) == VIPS_FORMAT_USHORT ? 65535 : 255;
    VipsArrayDouble *ground = vips_array_double_newv(1, white);
    VipsImage *next = NULL;
    int status = vips_flatten(image, &next, "background", ground, NULL);
    vips_area_unref(VIPS_AREA(ground));
    return replace(image, status, next);
}

/// Whether the picture has colours of its own: only these need to be translated before they go with its metadata. Without a
/// profile the translation would be a guess, and change every pixel a little.
static CVipsResult read_profile(const uint8_t *bytes, size_t count, int *has_profile) {
    VipsImage *header = vips_image_new_from_buffer(bytes, count, "", "access", VIPS_ACCESS_SEQUENTIAL, NULL);
    if (header == NULL) return CVIPS_DAMAGED;
    *has_profile = vips_image_get_typeof(header, VIPS_META_ICC_NAME) != 0;
    g_object_unref(header);
    return CVIPS_OK;
}

CVipsResult cvips_decode_grey(
    const uint8_t *bytes, size_t count, int32_t side, uint8_t **pixels, int32_t *width, int32_t *height) {
    if (!ready()) return CVIPS_UNAVAILABLE;
    if (!is_allowed(bytes, count)) return CVIPS_UNKNOWN_FORMAT;
    VipsImage *image = NULL;
    VipsImage *next = NULL;
    if (vips_thumbnail_buffer((void *)bytes, count, &image, side, "height", side, "size", VIPS_SIZE_DOWN, NULL) != 0)
        return CVIPS_DAMAGED;
    if (vips_image_hasalpha(image) && (image = flattened(image)) == NULL) return CVIPS_DAMAGED;
    if ((image = replace(image, vips_colourspace(image, &next, VIPS_INTERPRETATION_B_W, NULL), next)) == NULL)
        return CVIPS_DAMAGED;
    if ((image = replace(image, vips_cast_uchar(image, &next, NULL), next)) == NULL) return CVIPS_DAMAGED;
    if ((image = replace(image, vips_extract_band(image, &next, 0, NULL), next)) == NULL) return CVIPS_DAMAGED;
    size_t size = 0;
    uint8_t *grey = vips_image_write_to_memory(image, &size);
    int columns = vips_image_get_width(image);
    int rows = vips_image_get_height(image);
    g_object_unref(image);
    if (grey == NULL) return CVIPS_DAMAGED;
    if (size != (size_t)columns * (size_t)rows) {
        g_free(grey);
        return CVIPS_DAMAGED;
    }
    *pixels = grey;
    *width = columns;
    *height = rows;
    return CVIPS_OK;
}

CVipsResult cvips_encode_bilevel_png(
    const uint8_t *pixels, int32_t width, int32_t height, uint8_t **bytes, size_t *count) {
    if (!ready()) return CVIPS_UNAVAILABLE;
    VipsImage *image = vips_image_new_from_memory_copy(
        pixels, (size_t)width * (size_t)height, width, height, 1, VIPS_FORMAT_UCHAR);
    if (image == NULL) return CVIPS_DAMAGED;
    image->Type = VIPS_INTERPRETATION_B_W;
    void *encoded = NULL;
    int status = vips_pngsave_buffer(image, &encoded, count, "bitdepth", 1, "compression", 9, NULL);
    g_object_unref(image);
    if (status != 0) return CVIPS_DAMAGED;
    *bytes = encoded;
    return CVIPS_OK;
}

CVipsResult cvips_encode(
    const uint8_t *bytes, size_t count, int32_t max_width, int32_t jpeg_quality, uint8_t **encoded, size_t *size,
    int32_t *width, int32_t *height) {
    if (!ready()) return CVIPS_UNAVAILABLE;
    if (!is_allowed(bytes, count)) return CVIPS_UNKNOWN_FORMAT;
    VipsImage *image = NULL;
    VipsImage *next = NULL;
    int has_profile = 0;
    if (read_profile(bytes, count, &has_profile) != CVIPS_OK) return CVIPS_DAMAGED;
    int status = has_profile
                     ? vips_thumbnail_buffer((void *)bytes, count, &image, max_width, "height", VIPS_MAX_COORD, "size",
                                             VIPS_SIZE_DOWN, "export_profile", "srgb", NULL)
                     : vips_thumbnail_buffer((void *)bytes, count, &image, max_width, "height", VIPS_MAX_COORD, "size",
                                             VIPS_SIZE_DOWN, NULL);
    if (status != 0) return CVIPS_DAMAGED;
    // JPEG knows no transparency: what shows through is white, as on a page.
    if (jpeg_quality > 0 && vips_image_hasalpha(image) && (image = flattened(image)) == NULL) return CVIPS_DAMAGED;
    if ((image = replace(image, vips_cast_uchar(image, &next, NULL), next)) == NULL) return CVIPS_DAMAGED;
    void *written = NULL;
    status = jpeg_quality > 0 ? vips_jpegsave_buffer(image, &written, size, "Q", jpeg_quality, "strip", TRUE,
                                                     "optimize_coding", TRUE, NULL)
                              : vips_pngsave_buffer(image, &written, size, "compression", 6, "strip", TRUE, NULL);
    *width = vips_image_get_width(image);
    *height = vips_image_get_height(image);
    g_object_unref(image);
    if (status != 0) return CVIPS_DAMAGED;
    *encoded = written;
    return CVIPS_OK;
}

struct CVipsPixels {
    VipsImage *image;
};

/// Gives `image` up for its pixels in memory, without what else it carries.
static CVipsResult kept(VipsImage *image, CVipsPixels **pixels) {
    VipsImage *memory = vips_image_copy_memory(image);
    g_object_unref(image);
    if (memory == NULL) return CVIPS_DAMAGED;
    CVipsPixels *kept = malloc(sizeof *kept);
    if (kept == NULL || vips_image_get_bands(memory) != 3 || vips_image_get_format(memory) != VIPS_FORMAT_UCHAR) {
        free(kept);
        g_object_unref(memory);
        return CVIPS_DAMAGED;
    }
    vips_image_remove(memory, VIPS_META_ICC_NAME);
    kept->image = memory;
    *pixels = kept;
    return CVIPS_OK;
}

CVipsResult cvips_decode(const uint8_t *bytes, size_t count, int32_t side, CVipsPixels **pixels) {
    if (!ready()) return CVIPS_UNAVAILABLE;
    if (!is_allowed(bytes, count)) return CVIPS_UNKNOWN_FORMAT;
    VipsImage *image = NULL;
    VipsImage *next = NULL;
    int has_profile = 0;
    if (read_profile(bytes, count, &has_profile) != CVIPS_OK) return CVIPS_DAMAGED;
    int status = has_profile
                     ? vips_thumbnail_buffer((void *)bytes, count, &image, side, "height", side, "size",
                                             VIPS_SIZE_DOWN, "export_profile", "srgb", NULL)
                     : vips_thumbnail_buffer((void *)bytes, count, &image, side, "height", side, "size",
                                             VIPS_SIZE_DOWN, NULL);
    if (status != 0) return CVIPS_DAMAGED;
    if (vips_image_hasalpha(image) && (image = flattened(image)) == NULL) return CVIPS_DAMAGED;
    if ((image = replace(image, vips_colourspace(image, &next, VIPS_INTERPRETATION_sRGB, NULL), next)) == NULL)
        return CVIPS_DAMAGED;
    if ((image = replace(image, vips_cast_uchar(image, &next, NULL), next)) == NULL) return CVIPS_DAMAGED;
    return kept(image, pixels);
}

CVipsResult cvips_shrink(const CVipsPixels *pixels, int32_t side, CVipsPixels **shrunk) {
    VipsImage *image = NULL;
    if (vips_thumbnail_image(pixels->image, &image, side, "height", side, "size", VIPS_SIZE_DOWN, NULL) != 0)
        return CVIPS_DAMAGED;
    return kept(image, shrunk);
}

CVipsResult cvips_encode_jpeg(const CVipsPixels *pixels, int32_t quality, uint8_t **encoded, size_t *size) {
    void *written = NULL;
    int status = vips_jpegsave_buffer(
        pixels->image, &written, size, "Q", quality, "strip", TRUE, "optimize_coding", TRUE, NULL);
    if (status != 0) return CVIPS_DAMAGED;
    *encoded = written;
    return CVIPS_OK;
}

int32_t cvips_width(const CVipsPixels *pixels) { return vips_image_get_width(pixels->image); }

int32_t cvips_height(const CVipsPixels *pixels) { return vips_image_get_height(pixels->image); }

const uint8_t *cvips_bytes(const CVipsPixels *pixels) { return VIPS_IMAGE_ADDR(pixels->image, 0, 0); }

CVipsResult cvips_copy_bytes(const CVipsPixels *pixels, uint8_t **bytes, size_t *count) {
    void *copy = vips_image_write_to_memory(pixels->image, count);
    if (copy == NULL) return CVIPS_DAMAGED;
    *bytes = copy;
    return CVIPS_OK;
}

void cvips_release(CVipsPixels *pixels) {
    g_object_unref(pixels->image);
    free(pixels);
}

/// Everything that is done with pictures, once. What fails is no concern: a machine may lack a decoder.
static void exercise(const uint8_t *bytes, size_t count) {
    uint8_t *memory = NULL;
    size_t size = 0;
    int32_t width = 0, height = 0;
    if (cvips_decode_grey(bytes, count, 8, &memory, &width, &height) == CVIPS_OK) g_free(memory);
    for (int quality = 0; quality <= 80; quality += 80)
        if (cvips_encode(bytes, count, 8, quality, &memory, &size, &width, &height) == CVIPS_OK) g_free(memory);
    CVipsPixels *pixels = NULL, *shrunk = NULL;
    if (cvips_decode(bytes, count, 16, &pixels) != CVIPS_OK) return;
    if (cvips_shrink(pixels, 7, &shrunk) == CVIPS_OK) {
        if (cvips_encode_jpeg(shrunk, 20, &memory, &size) == CVIPS_OK) g_free(memory);
        if (cvips_copy_bytes(shrunk, &memory, &size) == CVIPS_OK) g_free(memory);
        cvips_release(shrunk);
    }
    cvips_release(pixels);
}

/// A sample with a colour profile, made here: a profile is larger than the picture.
static void exercise_profile(void) {
    VipsImage *image = vips_image_new_from_buffer(jpeg_sample, sizeof jpeg_sample, "", NULL);
    if (image == NULL) return;
    void *bytes = NULL;
    size_t count = 0;
    if (vips_jpegsave_buffer(image, &bytes, &count, "profile", "srgb", NULL) == 0) {
        exercise(bytes, count);
        g_free(bytes);
    }
    g_object_unref(image);
}

CVipsResult cvips_warm_up(void) {
    if (!ready()) return CVIPS_UNAVAILABLE;
    exercise(jpeg_sample, sizeof jpeg_sample);
    exercise(png_sample, sizeof png_sample);
    exercise(webp_sample, sizeof webp_sample);
    exercise(gif_sample, sizeof gif_sample);
    exercise(heic_sample, sizeof heic_sample);
    exercise(avif_sample, sizeof avif_sample);
    exercise_profile();
    static const uint8_t pixels[4] = {0, 255, 255, 0};
    uint8_t *encoded = NULL;
    size_t size = 0;
    if (cvips_encode_bilevel_png(pixels, 2, 2, &encoded, &size) == CVIPS_OK) g_free(encoded);
    vips_error_clear();
    return CVIPS_OK;
}

const char *cvips_version(void) {
    static char text[32];
    g_snprintf(text, sizeof text, "%d.%d.%d", vips_version(0), vips_version(1), vips_version(2));
    return text;
}

void cvips_free(void *memory) { g_free(memory); }

void cvips_take_error(char *text, size_t capacity) {
    g_strlcpy(text, vips_error_buffer(), capacity);
    text[strcspn(text, "\n")] = '\0';
    vips_error_clear();
}
