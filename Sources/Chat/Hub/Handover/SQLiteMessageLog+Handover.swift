package import Accounts
import Chat
package import ChatSealing
import Foundation
import GRDB
package import Kernel
import Storage

extension SQLiteMessageLog {
    package func offer(
        _ offer: HandoverOffer,
        objects: [String],
        of person: UserID,
        origin: String?,
        at now: Int64
    ) async throws {
        try await write(cost: Self.rowCost * (objects.count + 1)) {
            try $0.offer(offer, objects: objects, of: person, origin: origin, at: now)
        }
    }

    package func handovers(of person: UserID, at now: Int64) async throws -> [JSONValue] {
        try await reading { reading in
            let offers: [Data] = try reading.database.values(
                """
                SELECT offer FROM chat_handover
                WHERE person = \(person.number) AND offeredAt > \(now - HandoverOffer.lifetime)
                ORDER BY offeredAt, id LIMIT \(ChatLimits.handovers)
                """
            )
            return try offers.map { try JSONValue(parsing: $0) }
        }
    }

    package func endHandover(_ id: [UInt8], of person: UserID, origin: String?) async throws {
        try await write(cost: Self.rowCost * ChatLimits.handoverObjects) {
            try $0.endHandover(id, of: person, origin: origin)
        }
    }

    package func sweepHandovers(at now: Int64, limit: Int) async throws -> Int {
        try await write(cost: Self.rowCost * ChatLimits.handoverObjects) {
            try $0.sweepHandovers(at: now, limit: limit)
        }
    }
}
