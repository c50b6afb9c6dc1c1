#ifndef CLINUX_FAULTS_H
#define CLINUX_FAULTS_H

// From now on a fault of this program (an illegal instruction, a bad address, an abort) writes "signal N" and a line feed to `descriptor`
// before it ends the program as it would have done; -1 ends that. One descriptor for a process. 0, or -errno.
int tandem_note_faults(int descriptor);

#endif
