/// An event of a ``SessionEngine`` that its owner has to act on or to report.
package enum SessionEvent: Hashable, Sendable {
    case stateChanged(PeerConnectionState)
    /// To be saved, for the next handshake.
    case established(ResumptionTicket)
    /// The peer no longer holds the ticket that was used.
    case ticketRefused
    /// The peer is another process than before: what it had taken and not answered is lost.
    case peerRestarted
    /// A question over a link got no answer in time: what carries it may be gone, or stand still in one direction.
    case linkUnanswered(LinkID)
    case messageArrived
    case roomMade
    /// Durable messages up to this number need not be kept any more.
    case durableArrived(through: UInt64)
}
