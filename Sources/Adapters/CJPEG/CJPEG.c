#include "CJPEG.h"

#include <setjmp.h>
#include <stdio.h>

#include <jpeglib.h>

// The library calls back where its buffer is full and where it fails; both leave it by a jump, since what it writes into has one size.
struct failure {
    struct jpeg_error_mgr manager;
    jmp_buf leave;
    int is_full;
};

static void fail(j_common_ptr info) {
    struct failure *failure = (struct failure *)info->err;
    longjmp(failure->leave, 1);
}

static void say_nothing(j_common_ptr info) { (void)info; }

static void begin(j_compress_ptr info) { (void)info; }

static void end(j_compress_ptr info) { (void)info; }

static boolean full(j_compress_ptr info) {
    struct failure *failure = (struct failure *)info->err;
    failure->is_full = 1;
    longjmp(failure->leave, 1);
}

long tandem_jpeg_write(const uint32_t *pixels, int width, int height, int quality, int keeps_colours, uint8_t *out, size_t capacity) {
    struct jpeg_compress_struct info;
    struct failure failure;
    struct jpeg_destination_mgr destination = {0};
    info.err = jpeg_std_error(&failure.manager);
    failure.manager.error_exit = fail;
    failure.manager.output_message = say_nothing;
    failure.is_full = 0;
    jpeg_create_compress(&info);
    if (setjmp(failure.leave)) {
        jpeg_destroy_compress(&info);
        return failure.is_full ? 0 : -1;
    }
    destination.init_destination = begin;
    destination.empty_output_buffer = full;
    destination.term_destination = end;
    destination.next_output_byte = out;
    destination.free_in_buffer = capacity;
    info.dest = &destination;
    info.image_width = (JDIMENSION)width;
    info.image_height = (JDIMENSION)height;
    info.input_components = 4;
    info.in_color_space = JCS_EXT_BGRX;
    jpeg_set_defaults(&info);
    jpeg_set_quality(&info, quality, TRUE);
    info.dct_method = JDCT_FASTEST;
    if (keeps_colours) {
        info.dct_method = JDCT_ISLOW;
        info.comp_info[0].h_samp_factor = 1;
        info.comp_info[0].v_samp_factor = 1;
    }
    jpeg_start_compress(&info, TRUE);
    while (info.next_scanline < info.image_height) {
        JSAMPROW row = (JSAMPROW)(pixels + (size_t)info.next_scanline * (size_t)width);
        jpeg_write_scanlines(&info, &row, 1);
    }
    jpeg_finish_compress(&info);
    long count = (long)(capacity - destination.free_in_buffer);
    jpeg_destroy_compress(&info);
    return count;
}
