import Commands
public import Kernel

extension FileError: ClassifiedError {
    public var facts: FailureFacts {
        switch self {
        case .notFound: .code(FailureCode.notFound, kind: .notFound)
        case .nothingShared: .code(FailureCode.internalError, kind: .notFound)
        case .exists: .code(FailureCode.exists, kind: .exists)
        case .folderNotEmpty: .code(FailureCode.badParameters, kind: .exists)
        case .outside, .denied, .startsPrograms: .code(FailureCode.notAllowed, kind: .notAllowed)
        case .stateFolder: .code(FailureCode.internalError, kind: .notAllowed)
        case .badName, .notAFolder, .isAFolder, .notOrdinary, .intoItself, .otherDisk:
            .code(FailureCode.badParameters, kind: .badRequest)
        case .noTrash: .code(FailureCode.badParameters)
        case .diskFull: .code(FailureCode.internalError, kind: .full)
        case .tooManyEntries: .code(FailureCode.internalError, kind: .tooLarge)
        case .unsupported: .code(FailureCode.unsupported)
        case .linkLoop, .system: .code(FailureCode.internalError)
        }
    }
}

extension TransferError: ClassifiedError {
    public var facts: FailureFacts {
        switch self {
        case .unknown: .code(FailureCode.unknownTransfer, kind: .notFound)
        case .ended: .code(FailureCode.cancelled, kind: .cancelled)
        case .tooMany, .busy: .code(FailureCode.busy)
        case .badChunk: .code(FailureCode.badParameters, kind: .badRequest)
        case .incomplete, .malformedAnswer: .code(FailureCode.internalError, kind: .internal)
        case .checksumMismatch: .code(FailureCode.checksum, kind: .internal)
        case .sourceChanged: .code(FailureCode.sourceChanged)
        // As the computer's answer says it.
        case .refused(let code, let reason): .code(code, kind: RemoteFailure(code: code, message: reason).facts.kind)
        }
    }
}
