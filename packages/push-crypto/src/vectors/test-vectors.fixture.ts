import sodium from 'libsodium-wrappers';

import { keyPair } from './fixed-box.fixture.ts';

const sampleTexts: Record<string, string> = {
  'nothing at all': '',
  'one byte': 'x',
  'a registration of an iPhone':
    '{"token":"0f5e","token_kind":"apns","timestamp":1795238400,"ios_app_id":"org.example.chat"}',
  'a notification':
    '{"realm_url":"http://localhost:4600","realm_name":"Harbour","user_id":8,"type":"test","time":1795238400}',
  'letters of many scripts': 'Hörst du die Glocke? 鐘が鳴る 🔔 كلا، جرس',
  'the longest notification': JSON.stringify({ content: 'Ahoy! '.repeat(481) }).padEnd(2900, ' '),
};

/** The text of `sealed-boxes.json`, from libsodium's primitives; the same at every call. */
export async function testVectors(): Promise<string> {
  await sodium.ready;
  const vectors = Object.entries(sampleTexts).map(([name, text]) => {
    const recipient = keyPair(`recipient of ${name}`);
    const ephemeral = keyPair(`ephemeral key of ${name}`);
    const nonce = sodium.crypto_generichash(
      sodium.crypto_box_NONCEBYTES,
      Buffer.concat([ephemeral.publicKey, recipient.publicKey]),
      null,
    );
    const sealed = sodium.crypto_box_easy(text, nonce, recipient.publicKey, ephemeral.privateKey);
    return {
      name,
      recipient_public_key: base64(recipient.publicKey),
      recipient_secret_key: base64(recipient.privateKey),
      ephemeral_public_key: base64(ephemeral.publicKey),
      ephemeral_secret_key: base64(ephemeral.privateKey),
      nonce: base64(nonce),
      plaintext: base64(Buffer.from(text)),
      box: base64(Buffer.concat([ephemeral.publicKey, sealed])),
    };
  });
  return `${JSON.stringify({ construction: 'crypto_box_seal', vectors }, null, 2)}\n`;
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}
