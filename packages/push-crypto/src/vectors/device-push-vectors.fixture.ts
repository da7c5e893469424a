// Computed apart from this package, by tweetnacl, libsodium-wrappers, @noble/hashes and a program in Python.
const key = Buffer.from('MYCBgoOEhYaHiImKi4yNjo+QkZKTlJWWl5iZmpucnZ6f', 'base64');
const tokenId = Buffer.from('CABBxC4BRCg=', 'base64');
const encryptedData =
  'AAECAwQFBgcICQoLDA0ODxAREhMUFRYXMmRYTg6Zr+6HT+AZRSlYG3+p++oGp0XIIYp8dnBm++HU7WEA2PA6Jid1tY0sjKpyzDb4hvODpnQJjdaq+LmE9mbNaigd+pLYuUKcKjKXKn/7aXnWIBx2s7xOYPHfrxdgzEMhBdh8tV7gWCNWBoX60p9TI607KW2ZLkefOuQr5qAigM+UFoXIwBKTuhkKLMtt72sr722hhSjTEbfCGV0INCe2AU6Y19Z0kiQkHU3SAPx8B3Q+6j8T4j7Iy8zWvKjdkJTmkFmzDOA6lEU791eIw3608xy2tTL309j8HyjKOa8ohbXleu+xHd2hrNQrmA+vQpm7wKbfotHZIxm0ZZ+16nTcvuOv57nvHhKhwMneBYy93cQqpc7J/j9YBSsCD7V/8ccIAlB9b9v8Jstg4deys0BIa6rkBuqDh3IFVNA=';

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');
const damagedAt = (at: number): string => {
  const bytes = Buffer.from(encryptedData, 'base64');
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  return base64(bytes);
};

/** One registration and one notification of feature level 468 and later, and what must be refused there. */
export const devicePushVectors = {
  token_ids: [
    { token: 'bellhop-example-fcm-token', token_id: base64(tokenId) },
    { token: 'fcm:APA91bExample_token-0001', token_id: 'QpC5lAufHJ0=' },
    { token: 'c0ffee', token_id: '+wKIhyAx/Eg=' },
    { token: 'C0FFEE', token_id: 'jS5/TZMf7/8=' },
  ],
  bad_token_ids: [
    { name: '7 bytes', token_id: base64(tokenId.subarray(0, 7)) },
    { name: '9 bytes', token_id: base64(Buffer.concat([tokenId, Buffer.of(0)])) },
    { name: 'no bytes', token_id: '' },
    { name: 'no padding', token_id: 'CABBxC4BRCg' },
    { name: 'a line break', token_id: 'CABBxC4BRCg=\n' },
    { name: 'bits under the padding', token_id: 'CABBxC4BRCh=' },
    { name: 'the alphabet of URLs', token_id: '-wKIhyAx_Eg=' },
    { name: 'a 64-bit integer', token_id: '576533063144653864' },
  ],
  registration: {
    bouncer_secret_key: 'AQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHyA=',
    bouncer_public_key: 'B6N8vBQgk8i3VdwbEOhstCY3StFqqFPtC9/AsrhtHHw=',
    ephemeral_secret_key: base64(Buffer.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`')),
    plaintext: '{"token_kind":"fcm","token":"bellhop-example-fcm-token","timestamp":1767225600}',
    encrypted_push_registration:
      'ZLEBsdC+WocEvQePmJUAH8A+jp+VIvGI3RKNmEbUhGb50R/k/XVcwTcEfnhIlftvhAV8OHxYQWMHCozVgm1zeE7PFaclIj2TYfl00XXhdqDaYuGBpYiiHJq3jleOZ59i6Hknwl2aHie3thvo/cB2mQHAsLONqgdaCYw4d5kvOA==',
  },
  notification: {
    push_key_id: 3_735_928_559,
    push_key: base64(key),
    nonce: 'AAECAwQFBgcICQoLDA0ODxAREhMUFRYX',
    plaintext:
      '{"realm_url":"https://chat.example.com","realm_name":"Example","user_id":10,"sender_id":6,"recipient_type":"direct","recipient_user_ids":[6,10],"type":"message","message_id":46,"time":1767225601,"content":"Grüße 👋","sender_full_name":"Ada","sender_avatar_url":"https://chat.example.com/avatar/6"}',
    encrypted_data: encryptedData,
    cipher_id: 'f3c48bc1487e57b2',
  },
  bad_push_keys: [
    { name: 'another first byte', push_key: base64(Buffer.of(0x32, ...key.subarray(1))) },
    { name: '32 bytes', push_key: base64(key.subarray(0, 32)) },
    { name: '34 bytes', push_key: base64(Buffer.concat([key, Buffer.of(0)])) },
    { name: 'no bytes', push_key: '' },
    { name: 'padding that is not needed', push_key: `${base64(key)}====` },
    { name: 'a line break', push_key: `${base64(key)}\n` },
    { name: 'the alphabet of URLs', push_key: base64(key).replaceAll('+', '-') },
    { name: 'hexadecimal digits', push_key: key.toString('hex') },
  ],
  bad_encrypted_data: [
    { name: 'no bytes', encrypted_data: '' },
    { name: 'a damaged nonce', encrypted_data: damagedAt(3) },
    { name: 'a damaged tag', encrypted_data: damagedAt(30) },
    { name: 'a damaged ciphertext', encrypted_data: damagedAt(60) },
    {
      name: 'one byte less',
      encrypted_data: base64(Buffer.from(encryptedData, 'base64').subarray(0, -1)),
    },
    {
      name: '39 bytes',
      encrypted_data: base64(Buffer.from(encryptedData, 'base64').subarray(0, 39)),
    },
    { name: 'no padding', encrypted_data: encryptedData.slice(0, -1) },
    { name: 'the alphabet of URLs', encrypted_data: encryptedData.replaceAll('+', '-') },
  ],
};
