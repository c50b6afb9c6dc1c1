extension RemoteFailure {
    init(_ error: FileError) {
        let code =
            switch error {
            case .outside, .denied, .startsPrograms: RemoteError.notAllowedCode
            case .badName, .notAFolder, .isAFolder, .notOrdinary, .folderNotEmpty, .otherDisk, .intoItself,
                .noTrash:
                RemoteError.badParametersCode
            case .exists: TransferError.existsCode
            case .notFound: TransferError.notFoundCode
            case .unsupported: -32006
            case .nothingShared, .stateFolder, .linkLoop, .diskFull, .tooManyEntries, .system: RemoteError.internalCode
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
