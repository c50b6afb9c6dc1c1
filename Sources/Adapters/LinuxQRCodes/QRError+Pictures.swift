import Pictures
import QRCodes

extension QRError {
    /// The error of a picture that was to be read, told to the person who looks for a code in it.
    init(reading error: any Error) {
        self =
            switch error as? PictureError {
            case .notAPicture: .notAPicture
            case .damaged(let reason): .damagedPicture(reason: reason)
            case .tooLarge(let size, let limit):
                .pictureTooLarge(width: size.width, height: size.height, pages: 1, limit: limit)
            case .fileTooLarge(let limit): .fileTooLarge(limit: limit)
            case .notEncoded(let reason): .readerFailed(reason: reason)
            case .some(let error): .noPictureReader(sentence: "\(error)")
            case nil: .readerFailed(reason: "it was not waited for")
            }
    }

    /// The error of a code that was to be drawn.
    init(drawing error: any Error) {
        self =
            switch error as? PictureError {
            case .damaged(let reason), .notEncoded(let reason): .cannotDraw(reason: reason)
            case .some(let error): .noPictureReader(sentence: "\(error)")
            case nil: .cannotDraw(reason: "it was not waited for")
            }
    }
}
