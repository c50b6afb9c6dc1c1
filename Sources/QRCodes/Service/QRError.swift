/// The reason why a code could not be made or read. The description is shown to the person: what happened, then what to do.
package enum QRError: Error, Hashable, Sendable, CustomStringConvertible {
    case emptyText
    case textTooLong(bytes: Int, limit: Int)
    case malformedMatrix(side: Int, modules: Int)
    case cannotDraw(reason: String)

    case unreadableFile(path: String, reason: String)
    case fileTooLarge(limit: Int)
    case notAPicture
    case damagedPicture(reason: String)
    case pictureTooLarge(width: Int, height: Int, pages: Int, limit: Int)
    case noCode
    case severalCodes(count: Int)
    case codeTooLong(bytes: Int, limit: Int)
    case codeIsNotText
    case readerFailed(reason: String)
    /// What reads pictures is missing, fails or is busy.
    /// - Parameter sentence: Says so to the person, and what to do.
    case noPictureReader(sentence: String)

    case noCamera
    case cameraNotAllowed(device: String)
    case cameraFailed(device: String, reason: String)

    case noScreen
    case screenToolMissing(tool: String, package: String)
    case screenFailed(tool: String, reason: String)
    case screenTimedOut(tool: String, after: Duration)

    package var description: String {
        switch self {
        case .emptyText:
            "There is no text to put into a code."
        case .textTooLong(let bytes, let limit):
            "\(bytes) bytes do not fit into a QR code, which holds \(limit) at this level. Shorten the text."
        case .malformedMatrix(let side, let modules):
            "\(modules) modules with \(side) on an edge are no QR code. Please report this."
        case .cannotDraw(let reason):
            "The code could not be drawn as a picture: \(reason). Show it as text or as SVG instead."
        case .unreadableFile(let path, let reason):
            "\(path) cannot be read: \(reason). Check the path."
        case .fileTooLarge(let limit):
            "The file is larger than \(limit >> 20) MiB. Use a smaller picture of the code."
        case .notAPicture:
            "This is not a picture that can be read here. Use a JPEG, PNG, WebP, GIF, HEIC or AVIF file."
        case .damagedPicture(let reason):
            "The picture is damaged: \(reason). Take it again."
        case .pictureTooLarge(let width, let height, let pages, let limit):
            "The picture has \(width) × \(height) pixels\(pages > 1 ? " on \(pages) pages" : ""), more than the "
                + "\(limit / 1_000_000) million that are read. Crop it around the code."
        case .noCode:
            "There is no QR code in the picture. Show the whole code with its white border, sharp and large."
        case .severalCodes(let count):
            "There are \(count) QR codes in the picture. Crop it so that only the one to read is left."
        case .codeTooLong(let bytes, let limit):
            "The code holds \(bytes) bytes, more than the \(limit) a pairing code has. It is not from Tandem."
        case .codeIsNotText:
            "The code holds no text. It is not from Tandem."
        case .readerFailed(let reason):
            "The picture could not be searched for a code: \(reason). Try again."
        case .noPictureReader(let sentence):
            sentence
        case .noCamera:
            "No camera was found. Connect one, or use a picture of the code: tandem pair scan --image FILE."
        case .cameraNotAllowed(let device):
            "\(device) may not be used by this account. Add yourself to the group video "
                + "(sudo usermod -aG video $USER), sign in again and retry."
        case .cameraFailed(let device, let reason):
            "The camera \(device) does not work: \(reason). Close other programs that use it, or use a picture of "
                + "the code: tandem pair scan --image FILE."
        case .noScreen:
            "There is no screen here: neither WAYLAND_DISPLAY nor DISPLAY is set. Use a picture of the code: "
                + "tandem pair scan --image FILE."
        case .screenToolMissing(let tool, let package):
            "Reading the screen needs the program \(tool). Install it: sudo apt install \(package)."
        case .screenFailed(let tool, let reason):
            "\(tool) could not read the screen: \(reason). Take a screenshot yourself and use it: "
                + "tandem pair scan --image FILE."
        case .screenTimedOut(let tool, let lifetime):
            "\(tool) did not answer within \(lifetime). Take a screenshot yourself and use it: "
                + "tandem pair scan --image FILE."
        }
    }
}
