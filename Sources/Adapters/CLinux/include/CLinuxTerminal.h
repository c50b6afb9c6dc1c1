#ifndef CLINUX_TERMINAL_H
#define CLINUX_TERMINAL_H

#include <stdint.h>
#include <sys/types.h>

#endif
