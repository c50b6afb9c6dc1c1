import Kernel

/// Lets the paired phone ask its computer for `system.ping`, fifty times a second at most, and times each answer.
final class PingWatch {
    let samples = Samples()
    private let watch: Watch

    init(phoneFolder folder: String) {
        let connection = Connection(folder: folder)
        watch = Watch(every: 0.02) { [samples] in connection.ping(samples) }
    }

    func stop() -> Samples.Summary {
        watch.stop()
        return samples.summary
    }

    /// Used by the watch's thread only, which is why it may be sent there.
    private final class Connection: @unchecked Sendable {
        private static let seconds = 5
        private let folder: String
        private var control: ControlSocket?

        init(folder: String) { self.folder = folder }

        func ping(_ samples: Samples) {
            let began = HalfLoad.now()
            do {
                let control = try control ?? ControlSocket(folder: folder, patience: 0)
                self.control = control
                let parameters: JSONValue = ["method": "system.ping", "timeout": .integer(Int64(Self.seconds))]
                _ = try control.ask("call", parameters, seconds: Self.seconds + 1)
            } catch {
                control = nil
                samples.fail("\(error)")
            }
            // One that failed was waited for too.
            samples.add((HalfLoad.now() - began) * 1000)
        }
    }
}
