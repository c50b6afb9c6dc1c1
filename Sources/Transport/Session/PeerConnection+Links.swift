import Kernel
import Logging

extension PeerConnection {
    /// Uses every link that the source brings, until ``remove(_:)`` or the end of the connection.
    @discardableResult
    public func add(_ source: any LinkSource) -> LinkSourceID {
        nextSource += 1
        let id = LinkSourceID(number: nextSource)
        guard engine.state != .closed else { return id }
        sources[id] = Task { [weak self] in
            for await link in source.links() {
                guard let self else { return }
                await self.add(link)
            }
        }
        return id
    }

    /// Takes no more links from a source, which ends those that it brought.
    public func remove(_ source: LinkSourceID) {
        // The task ends by itself: its stream's end is what ends the links.
        sources.removeValue(forKey: source)?.cancel()
    }

    /// Uses one more link, until it is down.
    public func add(_ link: any Link) async {
        guard let id = attach(link, isReadHere: true) else {
            await link.close()
            return
        }
        logger.debug("link up", metadata: ["kind": "\(link.kind.rawValue)", "link": "\(id.number)"])
    }

    /// - Parameter isReadHere: False when the caller reads the link and passes its frames to ``receive(_:on:)``.
    /// - Returns: Nil once the connection is closed.
    func attach(_ link: any Link, isReadHere: Bool) -> LinkID? {
        guard engine.state != .closed else { return nil }
        nextLink += 1
        let id = LinkID(nextLink)
        let (wakeUps, wake) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let writer = Task { [weak self] in
            for await _ in wakeUps {
                while let frame = await self?.nextFrame(on: id) {
                    do {
                        try await link.send(frame)
                    } catch {
                        // Closed, so that its source knows and brings another.
                        await link.close()
                        await self?.detach(id)
                        return
                    }
                }
            }
        }
        let reader =
            isReadHere
            ? Task { [weak self] in
                for await frame in link.frames() { await self?.receive(frame, on: id) }
                await self?.detach(id)
            } : nil
        links[id] = ConnectedLink(link: link, wakeUps: wake, writer: writer, reader: reader)
        engine.addLink(id, kind: link.kind, now: time.now)
        settle()
        return id
    }

    /// The link is down, or belongs to another connection from now on.
    func detach(_ id: LinkID) {
        guard let link = links.removeValue(forKey: id) else { return }
        link.release()
        engine.removeLink(id, now: time.now)
        settle()
    }

    func receive(_ frame: LinkFrame, on id: LinkID) {
        engine.receive(frame, on: id, now: time.now)
        settle()
    }

    /// Whether records of this session are for this connection.
    func holds(_ id: SessionID) -> Bool { engine.current?.id == id || engine.pending?.session.id == id }

    /// Answers a message 1 that is known to be no replay.
    func accept(_ handshake: ReceivedHandshake, on id: LinkID) throws {
        defer { settle() }
        try engine.accept(handshake, on: id, now: time.now)
    }

    private func nextFrame(on id: LinkID) -> LinkFrame? {
        guard links[id] != nil else { return nil }
        let now = time.now
        // The frame taken here may have to be sent again.
        defer { setTimer(now: now) }
        return engine.nextFrame(on: id, now: now)
    }
}
