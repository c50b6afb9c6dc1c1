import Agents
import Conversations
import Kernel

extension FuzzTarget {
    /// What an agent's program writes: lines come whole however they are cut, and every request of any protocol can be declined.
    static let agentLines = FuzzTarget(name: "agent-lines") { bytes in
        guard let first = bytes.first else { return }
        let output = Array(bytes.dropFirst())
        let whole = lines(of: output, step: max(1, output.count))
        guard whole == lines(of: output, step: Int(first) + 1) else { finding("cutting the output changes its lines") }
        for line in whole ?? [] {
            if case .request(_, let method, let parameters)? = RPCMessage(line) {
                if let found = CodexRequest.parse(method: method, parameters, changes: { _ in parameters["changes"] }) {
                    check(found.request)
                }
                if let found = ACPRequest.parse(method: method, parameters) { check(found.request) }
            }
            if case .notification(_, let parameters)? = RPCMessage(line) {
                _ = ACPUpdate(parameters["update"] ?? .null)
            }
            if case .request(_, let control)? = ClaudeMessage(line), let request = control.request { check(request) }
        }
    }

    private static func lines(of output: [UInt8], step: Int) -> [[UInt8]]? {
        var splitter = LineSplitter(limit: 1 << 10)
        var lines: [[UInt8]] = []
        do {
            for start in stride(from: 0, to: output.count, by: step) {
                lines += try splitter.add(Array(output[start..<min(output.count, start + step)]))
            }
        } catch {
            return nil
        }
        return lines + [splitter.finish()]
    }

    private static func check(_ request: AgentRequest) {
        guard Set(request.options.map(\.id)).count == request.options.count else { finding("two options with one id") }
        guard let way = request.options.first(where: { $0.kind == .decline || $0.kind == .cancel }) else {
            finding("a request that cannot be declined")
        }
        guard (try? request.reply(ApprovalAnswer(optionID: way.id))) != nil else {
            finding("a refusal that is refused")
        }
        for option in request.options { _ = try? request.reply(ApprovalAnswer(optionID: option.id)) }
        if case .command(let command) = request.subject, command.line.utf8.count > ItemText.limit {
            finding("a command that is too long to be shown")
        }
    }
}
