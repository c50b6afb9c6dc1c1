#define _GNU_SOURCE
#include "CLinuxFiles.h"
