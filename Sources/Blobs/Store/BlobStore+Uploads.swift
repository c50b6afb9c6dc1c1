import Foundation
import Kernel
import Logging
import Transfers

/// Uploads: resumable ones, of which each request says where its bytes belong, and such as come whole in one request.
extension BlobStore {
    /// Begins a resumable upload. Everything is checked before anything is allocated.
    ///
    /// - Parameters:
    ///   - kind: The name of a ``BlobKind``.
    ///   - size: Bytes of the whole.
    /// - Throws: ``BlobError``.
    package func beginUpload(_ kind: String, size: Int64, of owner: String) async throws -> BlobUpload {
        let kind = try self.kind(kind)
        guard size > 0 else { throw BlobError.empty }
        guard size <= kind.byteLimit else { throw BlobError.tooLarge(limit: kind.byteLimit) }
        let upload = try await begin(kind, size: size, of: owner, isResumable: true)
        leave(upload.id)
        return upload.record.upload
    }

    /// The upload with all that has been written on the disk: its offset is a promise.
    ///
    /// - Throws: ``BlobError``.
    package func upload(_ id: String, of owner: String) async throws -> BlobUpload {
        if let stored = try await finished(id, of: owner) { return stored.upload }
        return try await using(id, of: owner) { upload in
            do {
                return try await upload.resume().upload
            } catch {
                guard case BlobError.unknownUpload = BlobError.telling(error) else { throw error }
                // What arrived is gone from the disk, so the sender begins anew.
                await discard(upload)
                throw error
            }
        }
    }

    /// Writes a body behind what there is of an upload. What was written stays when the body breaks off.
    ///
    /// - Parameters:
    ///   - offset: Where the sender believes to go on.
    ///   - next: The body's next piece; nil at its end.
    /// - Returns: Bytes that are on the disk for sure.
    /// - Throws: ``BlobError``, among them ``BlobError/wrongOffset(expected:)``, with an offset that is on the disk for sure, where another
    ///   request writes the same; what `next` throws.
    package func append(
        to id: String,
        of owner: String,
        at offset: Int64,
        next: () async throws -> ArraySlice<UInt8>?
    ) async throws -> Int64 {
        if let stored = try await finished(id, of: owner) { throw BlobError.wrongOffset(expected: stored.size) }
        return try await using(id, of: owner) { upload in
            do {
                // Before the body is asked for, which may be long.
                guard offset == upload.report.written.end else { throw WrongOffset(expected: 0) }
                var position = offset
                while let piece = try await next() {
                    guard !piece.isEmpty else { continue }
                    _ = try await upload.append(piece, at: position)
                    upload.touch(time.date)
                    position += Int64(piece.count)
                }
                try await upload.synchronize()
                return upload.record.received.end
            } catch is WrongOffset {
                try await upload.synchronize()
                throw WrongOffset(expected: upload.record.received.end)
            } catch {
                if case BlobError.diskFull = BlobError.telling(error) {
                    // Room for others, rather than for half of a file.
                    await discard(upload)
                } else {
                    await keep(upload)
                }
                throw error
            }
        }
    }

    /// Brings to the disk what a request left that broke off.
    private func keep(_ upload: Arrival<BlobPlace>) async {
        do {
            try await withCancellationShield { try await upload.synchronize() }
        } catch {
            logger.notice("an upload could not be kept", metadata: ["error": "\(BlobError.telling(error))"])
        }
    }

    /// Checks the whole of an upload and gives it its place. A repeat answers the same blob.
    ///
    /// - Parameter sha256: The sender's checksum of 32 bytes, where it says one.
    /// - Throws: ``BlobError``. What is not taken for what is in it is removed.
    package func completeUpload(_ id: String, of owner: String, sha256: [UInt8]? = nil) async throws -> BlobObject {
        if let object = try await finished(id, of: owner)?.object { return object }
        do {
            return try await using(id, of: owner) { try await complete($0, sha256: sha256) }
        } catch {
            // Another request has completed it meanwhile.
            if let object = try await finished(id, of: owner)?.object { return object }
            throw error
        }
    }

    private func complete(_ upload: Arrival<BlobPlace>, sha256: [UInt8]?) async throws -> BlobObject {
        let kind = kinds[upload.record.kind]
        let date = time.date
        do {
            let record = try await upload.complete { part, checksum, record in
                // One that was whole before the feature gave its kind up is finished all the same.
                guard let kind else { throw BlobError.unknownKind }
                guard sha256 == nil || sha256.map(Hexadecimal.encode) == checksum else {
                    throw BlobError.checksumMismatch
                }
                let found = try Self.inspect(part, kind)
                (record.type, record.pictureSize) = (found.type, found.size)
                record.sha256 = Hexadecimal.decode(checksum) ?? []
                record.touchedAt = date
                record.key =
                    record.key
                    ?? BlobKey.make(in: kind.folder, at: date, fileExtension: found.type?.fileExtension ?? "bin")
            }
            forget(upload.id)
            guard let object = record.object else { throw BlobError.unknownUpload }
            stored(object)
            return object
        } catch {
            switch BlobError.telling(error) {
            case BlobError.checksumMismatch, BlobError.unacceptable, BlobError.tooManyPixels, BlobError.diskFull:
                await discard(upload)
            default: break
            }
            throw error
        }
    }

    /// Says what is in a file, by its bytes alone.
    private static func inspect(_ file: any ReadableFile, _ kind: BlobKind) throws -> (
        type: MediaType?, size: PictureSize?
    ) {
        guard case .media(let types, let pixelLimit) = kind.content else { return (nil, nil) }
        guard let type = MediaType(sniffing: try file.read(at: 0, count: MediaType.sniffedBytes)), types.contains(type)
        else { throw BlobError.unacceptable }
        guard type.isPicture else { return (type, nil) }
        let size = try PictureSize.read(file, type)
        if let pixelLimit {
            guard let size else { throw BlobError.unacceptable }
            guard size.pixels <= pixelLimit else { throw BlobError.tooManyPixels(limit: Int64(pixelLimit)) }
        }
        return (type, size)
    }

    /// Takes a body that comes whole. Nothing is left of it when it breaks off.
    ///
    /// - Parameters:
    ///   - kind: The name of a ``BlobKind``.
    ///   - bound: Bytes that it has at most, where that is known: so many are taken from the owner's quota until it is whole.
    ///   - next: The body's next piece; nil at its end.
    /// - Throws: ``BlobError``; what `next` throws.
    package func receive(
        _ kind: String,
        of owner: String,
        bound: Int64? = nil,
        next: () async throws -> ArraySlice<UInt8>?
    ) async throws -> BlobObject {
        let kind = try self.kind(kind)
        let upload = try await begin(
            kind,
            size: min(kind.byteLimit, max(1, bound ?? .max)),
            of: owner,
            isResumable: false
        )
        do {
            var position: Int64 = 0
            while let piece = try await next() {
                guard !piece.isEmpty else { continue }
                guard position + Int64(piece.count) <= upload.record.size else {
                    throw BlobError.tooLarge(limit: kind.byteLimit)
                }
                _ = try await upload.append(piece, at: position)
                upload.touch(time.date)
                position += Int64(piece.count)
            }
            guard position > 0 else { throw BlobError.empty }
            try await upload.shorten()
            return try await complete(upload, sha256: nil)
        } catch {
            await discard(upload)
            throw BlobError.telling(error)
        }
    }

    /// Removes an upload, also one that is whole, as long as nothing names its blob.
    ///
    /// - Throws: ``BlobError/inUse``; ``BlobError/unknownUpload``.
    package func cancelUpload(_ id: String, of owner: String) async throws {
        guard try await finished(id, of: owner) == nil else {
            try await telling { [table] in try table.delete(id) }
            return await removeDeleted()
        }
        try await using(id, of: owner) { upload in
            forget(id)
            upload.end()
            try await upload.discard()
        }
    }

    /// The record of an upload that has become a blob.
    private func finished(_ id: String, of owner: String) async throws -> BlobRecord? {
        guard BlobKey.isToken(id) else { throw BlobError.unknownUpload }
        let record = try await telling { [table] in try table.record(id, of: owner) }
        return record?.phase == .done ? record : nil
    }

    /// Runs what blocks, and tells what it throws in terms of blobs.
    func telling<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        do {
            return try await work.run(body)
        } catch {
            throw BlobError.telling(error)
        }
    }
}
