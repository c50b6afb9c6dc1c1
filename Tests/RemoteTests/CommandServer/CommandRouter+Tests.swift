import CommandServer
import Kernel
import Logging
import Rights

extension CommandRouter {
    /// A router behind a gate that knows no rights: only what a method itself asks for opens it.
    init(
        methods: [RemoteMethod],
        logger: Logger = Logger(label: "test"),
        answers: (any AnswerStore)? = nil,
        audit: (any AuditLog)? = nil,
        time: any TimeSource = .system
    ) {
        self.init(
            methods: methods,
            logger: logger,
            gate: CommandGate(rights: RightsCatalogue([])),
            answers: answers,
            audit: audit,
            time: time
        )
    }
}
