package import Kernel

extension BlobError: ClassifiedError {
    package var facts: FailureFacts {
        switch self {
        case .malformedKind: .kind(.internal)
        case .notSignedIn: .kind(.signedOut)
        case .malformedRequest: .kind(.badRequest)
        case .unknownKind: .kind(.badRequest, reason: "unknownKind")
        case .unknownUpload: .kind(.notFound, reason: "unknownUpload")
        case .unknownObject: .kind(.notFound, reason: "unknownObject")
        case .empty: .kind(.badRequest, reason: "empty")
        case .tooLarge(let limit): .kind(.tooLarge, reason: "tooLarge", ["limit": .integer(limit)])
        case .unacceptable: .kind(.badRequest, reason: "unacceptable")
        case .tooManyPixels(let limit): .kind(.tooLarge, reason: "tooManyPixels", ["limit": .integer(limit)])
        case .wrongOffset(let expected): .kind(.refused, reason: "wrongOffset", ["offset": .integer(expected)])
        case .incomplete(let missing): .kind(.refused, reason: "incomplete", ["missing": .integer(missing)])
        case .checksumMismatch: .kind(.refused, reason: "checksumMismatch")
        case .inUse: .kind(.refused, reason: "inUse")
        case .bytesUsed(let limit): .kind(.full, reason: "bytesUsed", ["limit": .integer(limit)])
        case .objectsUsed(let limit): .kind(.full, reason: "objectsUsed", ["limit": .integer(Int64(limit))])
        case .tooManyUploads(let limit): .kind(.refused, reason: "tooManyUploads", ["limit": .integer(Int64(limit))])
        case .diskFull: .kind(.full, reason: "diskFull")
        case .busy: .kind(.refused, reason: "busy")
        case .addressExpired: .kind(.notAllowed, reason: "addressExpired")
        case .addressForged: .kind(.notAllowed, reason: "addressForged")
        case .failed: .kind(.internal)
        }
    }

    /// The status of HTTP that says it.
    package var status: Int {
        switch self {
        case .malformedKind, .failed: 500
        case .notSignedIn: 401
        case .malformedRequest, .unknownKind, .empty: 400
        case .addressExpired, .addressForged: 403
        case .unknownUpload, .unknownObject: 404
        case .wrongOffset, .incomplete, .inUse: 409
        case .tooLarge, .tooManyPixels: 413
        case .unacceptable: 415
        case .checksumMismatch: 422
        case .tooManyUploads: 429
        case .busy: 503
        // A quota is a shortage of room, too (RFC 4331, section 6).
        case .diskFull, .bytesUsed, .objectsUsed: 507
        }
    }
}
