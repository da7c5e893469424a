// A phone in 40 lines of Swift, for the app and its notification service extension. It needs
// swift-sodium (https://github.com/jedisct1/swift-sodium). Not compiled by the tests.
import Foundation
import Sodium

struct Account: Codable {
    var id: Int64
    var publicKey: [UInt8]
    var secretKey: [UInt8]
}
enum PushError: Error { case badKey, refused, otherAccount, undecryptable }
let sodium = Sodium()

/// Makes an account and registers it. Keep it in the keychain; share it with the extension by an access group.
func register(server: URL, email: String, apiKey: String, bouncerKey: String, token: Data) async throws -> Account {
    guard let pair = sodium.box.keyPair(), let bouncer = Data(base64Encoded: bouncerKey) else { throw PushError.badKey }
    let account = Account(id: .random(in: .min ... .max), publicKey: pair.publicKey, secretKey: pair.secretKey)
    let registration: [String: Any] = [
        "token": token.map { String(format: "%02x", $0) }.joined(), "token_kind": "apns",
        "timestamp": Int(Date().timeIntervalSince1970), "ios_app_id": Bundle.main.bundleIdentifier!,
    ]
    let json = try JSONSerialization.data(withJSONObject: registration)
    guard let box = sodium.box.seal(message: [UInt8](json), recipientPublicKey: [UInt8](bouncer)) else { throw PushError.badKey }
    let form = [
        "token_kind": "apns", "push_account_id": String(account.id), "bouncer_public_key": bouncerKey,
        "push_public_key": Data(pair.publicKey).base64EncodedString(),
        "encrypted_push_registration": Data(box).base64EncodedString(),
    ]
    var request = URLRequest(url: server.appendingPathComponent("api/v1/mobile_push/register"))
    request.httpMethod = "POST"
    request.setValue("Basic " + Data("\(email):\(apiKey)".utf8).base64EncodedString(), forHTTPHeaderField: "Authorization")
    request.httpBody = Data(form.map { "\($0)=\($1.addingPercentEncoding(withAllowedCharacters: .alphanumerics)!)" }.joined(separator: "&").utf8)
    let (_, response) = try await URLSession.shared.data(for: request)
    guard (response as? HTTPURLResponse)?.statusCode == 200 else { throw PushError.refused }
    return account // now wait for the event push_device
}

/// Decrypts `request.content.userInfo` in the notification service extension.
func open(_ userInfo: [AnyHashable: Any], account: Account) throws -> [String: Any] {
    guard (userInfo["push_account_id"] as? NSNumber)?.int64Value == account.id else { throw PushError.otherAccount }
    guard let text = userInfo["encrypted_data"] as? String, let box = Data(base64Encoded: text),
        let json = sodium.box.open(anonymousCipherText: [UInt8](box), recipientPublicKey: account.publicKey, recipientSecretKey: account.secretKey)
    else { throw PushError.undecryptable }
    return try JSONSerialization.jsonObject(with: Data(json)) as? [String: Any] ?? [:]
}
