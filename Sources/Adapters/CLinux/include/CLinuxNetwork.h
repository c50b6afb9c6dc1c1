#ifndef CLINUX_NETWORK_H
#define CLINUX_NETWORK_H

// A descriptor that can be read whenever this machine gets or loses an address (rtnetlink(7)). Not blocking, closed on exec.
// A negative errno where there is none.
int tandem_watch_addresses(void);

// Reads all that has come. 1 when an address came or went since, or so much that some of it was lost; 0 for anything else; a negative
// errno when the descriptor is of no use any more.
int tandem_addresses_changed(int descriptor);

#endif
