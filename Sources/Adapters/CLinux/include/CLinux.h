// System calls that Swift's Glibc does not show: they need _GNU_SOURCE, or are variadic. Plain prototypes only, so that no macro of
// libc leaks into Swift.
#ifndef CLINUX_H
#define CLINUX_H

#include "CLinuxFaults.h"
#include "CLinuxFiles.h"
#include "CLinuxFolderWatch.h"
#include "CLinuxForeground.h"
#include "CLinuxMemory.h"
#include "CLinuxNetwork.h"
#include "CLinuxProgram.h"
#include "CLinuxReadiness.h"
#include "CLinuxTerminal.h"

#endif
