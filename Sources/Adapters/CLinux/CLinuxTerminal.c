#define _GNU_SOURCE
#include "CLinuxTerminal.h"
