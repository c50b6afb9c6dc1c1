/// Which end of a connection this is: a client masks what it sends and a server does not.
package enum WebSocketRole: Sendable {
    case client, server
}
