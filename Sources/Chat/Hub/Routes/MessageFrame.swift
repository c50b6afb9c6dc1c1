import Accounts
import Chat
import Foundation
import Kernel

/// The frame by which a new message is pushed, written straight from what the log has.
///
/// It is the text that ``SyncFrame/Response`` with ``PulledMessages`` makes of the same message, byte for byte. Those read the content into a value
/// and build a dictionary for each level, sort its keys and write the content again; here the content is as it is kept and the keys stand in their
/// order. A hub pushes each message at least once, so this is the way of nearly all.
enum MessageFrame {
    /// Bytes of everything beside the content and the client's id, roughly.
    private static let frameBytes = 640

    /// Nil for a message to which something is added as it is read, or whose content is no longer what was sent: that goes the long way.
    static func bytes(of message: StoredMessage) -> [UInt8]? {
        guard message.state == .kept, message.kind == .text || message.kind == .sealed,
            let receiver = message.conversation.peer(of: message.sender),
            // Canonical since it was checked in; anything else would be handed over as an empty object.
            message.content.first == UInt8(ascii: "{")
        else { return nil }
        let content = Data(message.content).base64EncodedString()
        let (time, seq) = (String(message.sendTime), String(message.seq))
        var bytes: [UInt8] = []
        bytes.reserveCapacity(frameBytes + content.utf8.count + message.clientMessageID.utf8.count)
        func add(_ texts: String...) { for text in texts { bytes.append(contentsOf: text.utf8) } }
        add(#"{"data":{"msgs":{""#, message.conversation.text, #"":{"Msgs":[{"attachedInfo":"","clientMsgID":"#)
        JSONValue.appendQuoted(message.clientMessageID, to: &bytes)
        add(#","content":""#, content, #"","contentType":"#, String(message.contentType))
        add(#","createTime":"#, time, #","ex":"","groupID":"","isRead":false,"msgFrom":100"#)
        add(#","recvID":""#, receiver.imUserID, #"","sendID":""#, message.sender.imUserID, #"","sendTime":"#, time)
        add(#","senderFaceURL":"","senderNickname":"","senderPlatformID":0,"seq":"#, seq)
        add(#","serverMsgID":""#, message.serverMessageID, #"","sessionType":1,"status":2}],"endSeq":"#, seq)
        add(#","isEnd":true}},"notificationMsgs":{}},"errCode":0,"errMsg":"","msgIncr":"","operationID":"","#)
        add(#""reqIdentifier":2001}"#)
        return bytes
    }
}
