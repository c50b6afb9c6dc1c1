import Crypto
import Foundation
import Testing

@testable import MigrationContainer

@Suite("A sealed package")
struct ContainerTests {
    private static let passwordKey = SymmetricKey(data: [UInt8](repeating: 7, count: 32))
    private static let segment = SegmentCipher.segment

    private static func header(
        length: UInt64?,
        salt: UInt8 = 1,
        session: SymmetricKey? = nil
    ) throws -> ContainerHeader {
        try ContainerHeader(
            prefix: ContainerPrefix(
                cost: .usual,
                isSessionBound: session != nil,
                salt: [UInt8](repeating: salt, count: 32),
                noncePrefix: [UInt8](repeating: 2, count: 7),
                length: length,
                backupID: [UInt8](repeating: 3, count: 16)
            ),
            passwordKey: passwordKey,
            sessionKey: session
        )
    }

    private static func payload(_ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 8) }
    }

    private static func package(_ payload: [UInt8], salt: UInt8 = 1) throws -> [UInt8] {
        let sealer = try ContainerSealer(header: try header(length: UInt64(payload.count), salt: salt))
        return try sealer.bytes(in: 0..<sealer.length) { Array(payload[Int($0.lowerBound)..<Int($0.upperBound)]) }
    }

    private static func open(_ package: [UInt8], step: Int = 10_000) throws -> [UInt8] {
        let header = try ContainerHeader(
            Array(package.prefix(ContainerHeader.byteCount)),
            passwordKey: passwordKey,
            sessionKey: nil
        )
        var opener = ContainerOpener(header: header)
        var plaintext: [UInt8] = []
        var place = ContainerHeader.byteCount
        while place < package.count {
            try opener.append(package[place..<min(place + step, package.count)]) { plaintext += $0 }
            place += step
        }
        try opener.finish { plaintext += $0 }
        return plaintext
    }

    @Test(
        "#9: it opens to its payload, at the edges of segments too",
        arguments: [0, 1, segment - 1, segment, segment + 1, 2 * segment, 2 * segment + 5]
    )
    func roundTrip(count: Int) throws {
        let payload = Self.payload(count)
        let package = try Self.package(payload)
        #expect(UInt64(package.count) == SegmentCipher.packageLength(of: UInt64(count)))
        #expect(try Self.open(package) == payload)
    }

    @Test("#25: any range of it is made again with the same bytes")
    func ranges() throws {
        let payload = Self.payload(2 * Self.segment + 100)
        let package = try Self.package(payload)
        let sealer = try ContainerSealer(header: try Self.header(length: UInt64(payload.count)))
        let sealed = SegmentCipher.sealedSegment
        for range in [0..<1, 100..<200, 159..<161, 160..<160 + sealed, sealed..<2 * sealed, 131_000..<package.count]
        where range.upperBound <= package.count {
            let bytes = try sealer.bytes(in: UInt64(range.lowerBound)..<UInt64(range.upperBound)) {
                Array(payload[Int($0.lowerBound)..<Int($0.upperBound)])
            }
            #expect(bytes == Array(package[range]))
        }
    }

    @Test("class flips: one bit anywhere in the header is found", arguments: 0..<ContainerHeader.byteCount)
    func headerFlips(place: Int) throws {
        var bytes = try Self.header(length: 10).bytes
        bytes[place] ^= 1
        #expect(throws: ContainerError.self) {
            try ContainerHeader(bytes, passwordKey: Self.passwordKey, sessionKey: nil)
        }
    }

    @Test("class flips: one bit in a segment or its tag names the segment", arguments: [0, 1, 2])
    func segmentFlips(index: Int) throws {
        let package = try Self.package(Self.payload(2 * Self.segment + 100))
        let start = ContainerHeader.byteCount + index * SegmentCipher.sealedSegment
        for place in [start, min(start + SegmentCipher.sealedSegment, package.count) - 1] {
            var damaged = package
            damaged[place] ^= 1
            #expect(throws: ContainerError.damagedSegment(UInt32(index))) { try Self.open(damaged) }
        }
    }

    @Test("class length: a package cut anywhere at a segment's edge, or one byte beside, is truncated")
    func truncation() throws {
        let package = try Self.package(Self.payload(2 * Self.segment + 100))
        let head = ContainerHeader.byteCount
        let edges = [head, head + SegmentCipher.sealedSegment, head + 2 * SegmentCipher.sealedSegment]
        for count in edges.flatMap({ [$0 - 1, $0, $0 + 1] }) + [0, package.count - 1] {
            #expect(throws: ContainerError.truncated) { try Self.open(Array(package.prefix(count))) }
        }
    }

    @Test("class length: a byte behind the end, swapped segments and one of another package are refused")
    func additions() throws {
        let package = try Self.package(Self.payload(2 * Self.segment + 100))
        let other = try Self.package(Self.payload(2 * Self.segment + 100), salt: 9)
        let head = ContainerHeader.byteCount
        let first = head..<head + SegmentCipher.sealedSegment
        let second = first.upperBound..<first.upperBound + SegmentCipher.sealedSegment
        #expect(throws: ContainerError.trailingData) { try Self.open(package + [0]) }
        var swapped = package
        swapped.replaceSubrange(first, with: package[second])
        #expect(throws: ContainerError.damagedSegment(0)) { try Self.open(swapped) }
        var spliced = package
        spliced.replaceSubrange(second, with: other[second])
        #expect(throws: ContainerError.damagedSegment(1)) { try Self.open(spliced) }
    }

    @Test("#8, class secrets: a wrong password is told from a damaged header, without any payload")
    func wrongPassword() throws {
        var bytes = try Self.header(length: 10).bytes
        let wrong = SymmetricKey(data: [UInt8](repeating: 8, count: 32))
        #expect(throws: ContainerError.wrongPassword) {
            try ContainerHeader(bytes, passwordKey: wrong, sessionKey: nil)
        }
        bytes[159] ^= 1
        #expect(throws: ContainerError.damagedHeader) {
            try ContainerHeader(bytes, passwordKey: Self.passwordKey, sessionKey: nil)
        }
    }

    @Test("#12: a package of a session does not open without the session's key, or with another")
    func sessionKey() throws {
        let session = SymmetricKey(data: [UInt8](repeating: 5, count: 32))
        let bytes = try Self.header(length: 10, session: session).bytes
        #expect(throws: ContainerError.sessionNeeded) {
            try ContainerHeader(bytes, passwordKey: Self.passwordKey, sessionKey: nil)
        }
        #expect(throws: ContainerError.wrongPassword) {
            try ContainerHeader(bytes, passwordKey: Self.passwordKey, sessionKey: Self.passwordKey)
        }
        #expect(try ContainerHeader(bytes, passwordKey: Self.passwordKey, sessionKey: session).bytes == bytes)
    }

    @Test("class KDF bomb: costs outside the limits are refused", arguments: [0, 13, 19, 40, UInt32.max])
    func costs(logN: UInt32) {
        #expect(throws: ContainerError.unsupportedKDFParameters) { try ScryptCost(logN: logN, parallelism: 1) }
        #expect(throws: ContainerError.unsupportedKDFParameters) { try ScryptCost(logN: 17, parallelism: 1 << 30) }
        #expect(throws: ContainerError.unsupportedKDFParameters) {
            try ScryptCost(logN: 17, blockSize: 16, parallelism: 1)
        }
    }

    @Test("class hostile manifest: a length of 2^63 is refused")
    func hugeLength() throws {
        var bytes = try Self.header(length: 10).prefix.bytes
        bytes[68] = 0x80
        #expect(throws: ContainerError.tooLarge) { try ContainerPrefix(bytes) }
    }
}
