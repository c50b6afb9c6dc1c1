import Commands
public import Kernel

extension FileError: ClassifiedError {
    public var failureKind: FailureKind {
        switch self {
        case .notFound, .nothingShared: .notFound
        case .exists, .folderNotEmpty: .exists
        case .stateFolder, .outside, .denied, .startsPrograms: .notAllowed
        case .badName, .notAFolder, .isAFolder, .notOrdinary, .intoItself, .otherDisk: .badRequest
        case .diskFull: .full
        case .tooManyEntries: .tooLarge
        case .linkLoop, .noTrash, .unsupported, .system: .refused
        }
    }
}

extension TransferError: ClassifiedError {
    public var failureKind: FailureKind {
        switch self {
        case .ended: .cancelled
        case .refused(let code, let reason): RemoteFailure(code: code, message: reason).failureKind
        case .unknown: .notFound
        case .badChunk: .badRequest
        case .tooMany, .busy, .sourceChanged: .refused
        case .incomplete, .checksumMismatch, .malformedAnswer: .internal
        }
    }
}
