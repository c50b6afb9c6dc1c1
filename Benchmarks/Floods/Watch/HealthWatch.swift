import CBenchmarkIO
import Glibc

/// Asks a server for `/health`, each time on a new connection from an address of its own, as a load balancer does.
final class HealthWatch {
    private static let seconds = 2.0
    let samples = Samples()
    private let watch: Watch

    init(port: UInt16) {
        watch = Watch(every: 0.2) { [samples] in
            let began = HalfLoad.now()
            do throws(FloodError) {
                try Self.ask(port)
            } catch {
                samples.fail("\(error)")
            }
            samples.add((HalfLoad.now() - began) * 1000)
        }
    }

    func stop() -> Samples.Summary {
        watch.stop()
        return samples.summary
    }

    private static func ask(_ port: UInt16) throws(FloodError) {
        let socket = benchmark_connect(0x7f00_0001, port)
        guard socket >= 0 else { throw .system("connect for /health") }
        defer { close(socket) }
        let end = HalfLoad.now() + seconds
        try wait(socket, Int16(POLLOUT), until: end)
        let request = Array("GET /health HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nConnection: close\r\n\r\n".utf8)
        guard send(socket, request, request.count, Int32(MSG_NOSIGNAL)) == request.count else {
            throw .system("send for /health")
        }
        var answer: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while !answer.contains(13) {
            try wait(socket, Int16(POLLIN), until: end)
            let count = recv(socket, &buffer, buffer.count, 0)
            guard count > 0 else { throw .system("recv for /health") }
            answer += buffer.prefix(count)
        }
        let status = String(decoding: answer.prefix { $0 != 13 }, as: UTF8.self)
        guard status.hasPrefix("HTTP/1.1 200") else { throw .refused(what: "/health", answer: status) }
    }

    private static func wait(_ socket: Int32, _ events: Int16, until end: Double) throws(FloodError) {
        var waiting = pollfd(fd: socket, events: events, revents: 0)
        let left = end - HalfLoad.now()
        guard left > 0, poll(&waiting, 1, Int32(left * 1000) + 1) > 0 else { throw .noAnswer(what: "/health") }
    }
}
