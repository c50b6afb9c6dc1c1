/// What the old phone proves itself with on the next link.
enum SourceSecret: Sendable {
    case pin(MigrationPIN)
    case code(MigrationCode)
    case resumption([UInt8])

    var method: AuthPIN.Method {
        switch self {
        case .pin: .pin
        case .code: .qr
        case .resumption: .resume
        }
    }
}
