import NIOCore
import Synchronization
import Transport

/// How a connection ends: by us, by silence, or because the socket is gone.
extension RelayConnection {
    /// Sends a close frame behind what was sent before, and gives the peer a while to answer it.
    func close(_ code: WebSocketCloseCode?, reason: String) {
        guard phase == .open, let context else { return }
        writeEverything(context)
        // Frames held behind a delivery that will not finish would be lost; the mailbox keeps its own.
        if let frames = held.take() { context.write(wrapOutboundOut(frames), promise: nil) }
        phase = .closing
        leave()
        forgetArrival()
        reader.limit = relay.limits.unregisteredMessageBytes
        sendClose(code, reason: reason, thenCloses: false)
        let channel = context.channel
        loop.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(relay.limits.closeTimeout)) {
            channel.close(promise: nil)
        }
    }

    func sendClose(_ code: WebSocketCloseCode?, reason: String, thenCloses: Bool) {
        guard let context else { return }
        var buffer = context.channel.allocator.buffer(capacity: 128)
        let payload = WebSocketFrameWriter.closePayload(code, reason: reason)
        payload.withUnsafeBytes { WebSocketFrameWriter.append(.close, $0, to: &buffer) }
        let channel = context.channel
        let written = context.writeAndFlush(wrapOutboundOut(buffer))
        if thenCloses { written.whenComplete { _ in channel.close(promise: nil) } }
        account()
    }

    /// Called every ping interval. A socket that did not answer the ping before is gone, whatever TCP says.
    func keepAlive() {
        guard phase == .open, let context else { return }
        guard !isAwaitingPong else {
            relay.counters.deadSocketsClosed.add(1, ordering: .relaxed)
            context.close(promise: nil)
            return
        }
        isAwaitingPong = true
        appendControl(.ping, UnsafeRawBufferPointer(start: nil, count: 0))
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // A reset or a broken TLS record: the close that follows is all there is to do.
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        end()
        context.fireChannelInactive()
    }

    /// A connection that breaks while the upgrade is answered is over before this handler is in its pipeline: then this is all that it
    /// is told, and what it was counted with must be given back all the same.
    func handlerRemoved(context: ChannelHandlerContext) { end() }

    /// Gives up everything this connection holds. Harmless when repeated.
    private func end() {
        guard phase != .closed else { return }
        loop.beginEvent()
        phase = .closed
        leave()
        endArrival()
        loop.connections[number] = nil
        relay.addresses.close(address)
        relay.counters.connectionsOpen.subtract(1, ordering: .relaxed)
        (backlog, out, held, waiting, memo) = (nil, nil, nil, nil, nil)
        // Routes and memos of other sockets hold on to this connection, and must not keep the half of a message with it.
        reader = WebSocketFrameReader(role: .server, limit: 0)
        freeInboundRoutes()
        outboundRoutes = [:]
        account()
        context = nil
        loop.finishEvent()
    }
}
