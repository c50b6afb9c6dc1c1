import Commands
import Transfers

extension RemoteFailure {
    init(_ error: FileError) {
        let code =
            switch error {
            case .outside, .denied, .startsPrograms: FailureCode.notAllowed
            case .badName, .notAFolder, .isAFolder, .notOrdinary, .folderNotEmpty, .otherDisk, .intoItself,
                .noTrash:
                FailureCode.badParameters
            case .exists: FailureCode.exists
            case .notFound: FailureCode.notFound
            case .unsupported: -32006
            case .nothingShared, .stateFolder, .linkLoop, .diskFull, .tooManyEntries, .system: FailureCode.internalError
            }
        self.init(code: code, message: error.description)
    }

    init(_ error: TransferError) { self.init(code: error.code, message: error.description) }

    /// What a phone is told about any error of a file's method.
    static func telling(_ error: any Error) -> any Error {
        switch error {
        case let error as FileError: RemoteFailure(error)
        case let error as TransferError: RemoteFailure(error)
        default: error
        }
    }
}
