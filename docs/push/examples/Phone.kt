// A phone in 40 lines of Kotlin for Android. It needs lazysodium-android and jna.
// Not compiled by the tests.
import android.util.Base64
import com.goterl.lazysodium.SodiumAndroid
import java.net.HttpURLConnection
import java.net.URL
import java.net.URLEncoder
import java.security.SecureRandom
import org.json.JSONObject

class Account(val id: Long, val publicKey: ByteArray, val secretKey: ByteArray)

val sodium = SodiumAndroid()
fun encode(bytes: ByteArray): String = Base64.encodeToString(bytes, Base64.NO_WRAP)
fun decode(text: String): ByteArray = Base64.decode(text, Base64.NO_WRAP)

/** Makes an account and registers it. Keep it encrypted by a key of the Android Keystore. */
fun register(server: String, email: String, apiKey: String, bouncerKey: String, token: String): Account {
    val account = Account(SecureRandom().nextLong(), ByteArray(32), ByteArray(32))
    check(sodium.crypto_box_keypair(account.publicKey, account.secretKey) == 0)
    val registration = JSONObject(mapOf("token" to token, "token_kind" to "fcm", "timestamp" to System.currentTimeMillis() / 1000))
    val json = registration.toString().toByteArray()
    val box = ByteArray(json.size + 48)
    check(sodium.crypto_box_seal(box, json, json.size.toLong(), decode(bouncerKey)) == 0) { "the public key is unusable" }
    val form = mapOf(
        "token_kind" to "fcm", "push_account_id" to account.id.toString(), "push_public_key" to encode(account.publicKey),
        "bouncer_public_key" to bouncerKey, "encrypted_push_registration" to encode(box),
    )
    val connection = URL("$server/api/v1/mobile_push/register").openConnection() as HttpURLConnection
    connection.setRequestProperty("Authorization", "Basic " + encode("$email:$apiKey".toByteArray()))
    connection.doOutput = true
    val body = form.map { (name, value) -> "$name=" + URLEncoder.encode(value, "UTF-8") }.joinToString("&")
    connection.outputStream.use { it.write(body.toByteArray()) }
    check(connection.responseCode == 200) { connection.errorStream.reader().readText() }
    return account // now wait for the event push_device
}

/** Decrypts `RemoteMessage.data` in FirebaseMessagingService.onMessageReceived. */
fun open(data: Map<String, String>, account: Account): JSONObject {
    require(data["push_account_id"] == account.id.toString()) { "the notification is for another account" }
    val box = decode(data.getValue("encrypted_data"))
    val json = ByteArray(maxOf(0, box.size - 48))
    check(sodium.crypto_box_seal_open(json, box, box.size.toLong(), account.publicKey, account.secretKey) == 0) { "the notification cannot be decrypted" }
    return JSONObject(String(json))
}
