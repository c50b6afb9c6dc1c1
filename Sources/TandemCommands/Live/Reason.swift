import Foundation

/// Why the system or a decoder said no, as part of a sentence: without domains, codes and debugging text.
enum Reason {
    static func of(_ error: any Error) -> String {
        switch error {
        case let error as CocoaError:
            if let cause = error.underlying as? POSIXError { return text(cause.code) }
            return words(for: error)
        case let error as POSIXError: return text(error.code)
        case DecodingError.dataCorrupted(let context): return context.debugDescription
        case DecodingError.keyNotFound(let key, _): return "\(key.stringValue) is missing"
        case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context):
            return "\(context.codingPath.map(\.stringValue).joined(separator: ".")) is of the wrong kind"
        default: return "\(error)"
        }
    }

    private static func text(_ code: POSIXErrorCode) -> String { String(cString: strerror(code.rawValue)).lowercased() }

    private static func words(for error: CocoaError) -> String {
        switch error.code {
        case .fileNoSuchFile, .fileReadNoSuchFile: "there is no such file or folder"
        case .fileReadNoPermission, .fileWriteNoPermission: "it is not yours to use"
        case .fileWriteOutOfSpace: "the disk is full"
        case .fileWriteVolumeReadOnly: "the disk is read-only"
        default: "the system refused it"
        }
    }
}
