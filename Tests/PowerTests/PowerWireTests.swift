import Commands
import Kernel
import Power
import Testing

struct PowerWireTests {
    @Test("an address is read with colons or hyphens, and written with colons")
    func address() throws {
        let address = try #require(HardwareAddress("52-54-00-AB-cd-0f"))
        #expect(address.bytes == [0x52, 0x54, 0, 0xab, 0xcd, 0x0f])
        #expect(address.description == "52:54:00:ab:cd:0f")
    }

    @Test(
        "texts that are no interface's address are refused",
        arguments: [
            "", "52:54:00:12:34", "52:54:00:12:34:5", "52:54:00:12:34:567", "52:54-00:12:34:56", "525400123456",
            "5g:54:00:12:34:56", "00:00:00:00:00:00", "ff:ff:ff:ff:ff:ff", "01:00:5e:00:00:01", "５2:54:00:12:34:56",
        ]
    )
    func malformed(text: String) {
        #expect(HardwareAddress(text) == nil)
    }

    @Test("a magic packet is six bytes of 255 and the address sixteen times")
    func packet() throws {
        let address = try #require(HardwareAddress("52:54:00:12:34:56"))
        let bytes = MagicPacket(for: address).bytes
        #expect(bytes.count == 102)
        #expect(bytes.prefix(6).allSatisfy { $0 == 255 })
        #expect(Array(bytes[6..<12]) == address.bytes)
        #expect(Array(bytes.suffix(6)) == address.bytes)
    }

    @Test(
        "a request without addresses, with too many, or with one that is none is refused as a whole",
        arguments: [
            [], ["52:54:00:12:34:56", "nonsense"], ["52:54:00:12:34:56", 7],
            .array(Array(repeating: "52:54:00:12:34:56", count: WakeLimits.addresses + 1)),
        ] as [JSONValue]
    )
    func refusedRequest(list: JSONValue) {
        #expect(throws: RemoteFailure.self) { try WakeRequest(wire: RemoteParameters(["addresses": list])) }
    }

    @Test("a status survives its wire, and an interface with an impossible address is left out of it")
    func status() throws {
        let address = try #require(HardwareAddress("52:54:00:12:34:56"))
        let status = PowerStatus(
            lockObstacle: nil,
            sleepObstacle: "The system does not allow it.",
            interfaces: [.init(name: "eth0", address: address, isWakeOn: nil)]
        )
        #expect(try PowerStatus(wire: status.wire) == status)
        let other: JSONValue = ["interfaces": [["name": "x", "address": "zz"], ["address": "52:54:00:12:34:56"]]]
        #expect(try PowerStatus(wire: other).interfaces.map(\.address) == [address])
    }
}
