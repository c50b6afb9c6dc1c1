import Metrics
import Synchronization

/// The server's counters. Event loops add once for each read event; a housekeeping step hands the sums on.
final class RelayCounters: Sendable {
    let framesForwarded = Atomic<Int>(0)
    let bytesForwarded = Atomic<Int>(0)
    let framesStored = Atomic<Int>(0)
    let framesDelivered = Atomic<Int>(0)
    let framesRefused = Atomic<Int>(0)
    let connectionsOpened = Atomic<Int>(0)
    let connectionsOpen = Atomic<Int>(0)
    /// Sockets of every kind, those that have not said anything included.
    let socketsOpen = Atomic<Int>(0)
    /// Registered WebSockets of others than the holders of unmetered keys.
    let guestsOpen = Atomic<Int>(0)
    /// Connections that found no room, or made another one give way.
    let connectionsRefused = Atomic<Int>(0)
    /// Requests for a host that is not this server, or of a foreign page.
    let requestsRefused = Atomic<Int>(0)
    /// Sockets that did not register in time, or began a message and did not finish it.
    let idleSocketsClosed = Atomic<Int>(0)
    /// Bytes of messages that have not arrived whole.
    let arrivalBytes = Atomic<Int>(0)
    /// Ids that found no room in the directory.
    let idsRefused = Atomic<Int>(0)
    /// Ids in the directory, when it was last counted.
    let idsKnown = Atomic<Int>(0)
    let slowReadersClosed = Atomic<Int>(0)
    let deadSocketsClosed = Atomic<Int>(0)
    let socketsThrottled = Atomic<Int>(0)
    /// Bytes that wait for readers that are behind.
    let outgoingBytes = Atomic<Int>(0)

    /// A line for each metric, as `# HELP` of `/metrics`. Neither backslashes nor line feeds may stand in it.
    static let descriptions = [
        "signaling_frames_forwarded_total": "Messages that were handed on to a connected device.",
        "signaling_bytes_forwarded_total": "Bytes of these messages.",
        "signaling_frames_stored_total": "Messages that were kept for a device that was away.",
        "signaling_stored_frames_delivered_total": "Kept messages that were handed over later.",
        "signaling_frames_refused_total": "Messages that were not handed on.",
        "signaling_connections_opened_total": "WebSockets that were opened.",
        "signaling_connections_refused_total": "Connections that found no room, or made another one give way.",
        "signaling_requests_refused_total": "Requests for a host that is not this server, or of a foreign page.",
        "signaling_idle_sockets_closed_total": "Sockets that did not register in time, or did not finish a message.",
        "signaling_ids_refused_total": "Ids that found no room in the directory.",
        "signaling_slow_readers_closed_total": "Connections that were closed because too much waited for them.",
        "signaling_dead_sockets_closed_total": "Connections that were closed because no sign of life came.",
        "signaling_sockets_throttled_total": "Times that a connection was made to wait, since it sent too much.",
        "signaling_connections_open": "WebSockets that are open now.",
        "signaling_arriving_bytes": "Bytes of messages that have not arrived whole.",
        "signaling_ids_known": "Ids in the directory, when it was last counted.",
        "signaling_outgoing_bytes": "Bytes that wait for readers that are behind.",
    ]

    private let published = Mutex<[String: Int]>([:])

    /// Brings the metrics system up to date.
    func publish() {
        publish("signaling_frames_forwarded", framesForwarded)
        publish("signaling_bytes_forwarded", bytesForwarded)
        publish("signaling_frames_stored", framesStored)
        publish("signaling_stored_frames_delivered", framesDelivered)
        publish("signaling_frames_refused", framesRefused)
        publish("signaling_connections_opened", connectionsOpened)
        publish("signaling_connections_refused", connectionsRefused)
        publish("signaling_requests_refused", requestsRefused)
        publish("signaling_idle_sockets_closed", idleSocketsClosed)
        publish("signaling_ids_refused", idsRefused)
        publish("signaling_slow_readers_closed", slowReadersClosed)
        publish("signaling_dead_sockets_closed", deadSocketsClosed)
        publish("signaling_sockets_throttled", socketsThrottled)
        Gauge(label: "signaling_connections_open").record(connectionsOpen.load(ordering: .relaxed))
        Gauge(label: "signaling_arriving_bytes").record(arrivalBytes.load(ordering: .relaxed))
        Gauge(label: "signaling_ids_known").record(idsKnown.load(ordering: .relaxed))
        Gauge(label: "signaling_outgoing_bytes").record(outgoingBytes.load(ordering: .relaxed))
    }

    private func publish(_ label: String, _ value: borrowing Atomic<Int>) {
        let now = value.load(ordering: .relaxed)
        let step = published.withLock { published in
            defer { published[label] = now }
            return now - (published[label] ?? 0)
        }
        // Also when nothing changed, so that a counter is there from the start.
        Counter(label: label).increment(by: Int64(step))
    }
}
