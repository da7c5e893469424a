// A phone of feature level 468 and later in 40 lines of TypeScript. It needs libsodium-wrappers.
//
// node phone-device.ts register SERVER EMAIL API_KEY BOUNCER_PUBLIC_KEY TOKEN_KIND TOKEN [IOS_APP_ID] > phone.json
// node phone-device.ts rotate SERVER EMAIL API_KEY phone.json > newer.json
// node phone-device.ts open phone.json < notification.json
import { createHash, randomBytes, randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';

import sodium from 'libsodium-wrappers';

await sodium.ready;
type Phone = { device_id: string; keys: { push_key_id: string; push_key: string }[] };
const fromBase64 = (text: string) => Buffer.from(text, 'base64');
const readPhone = () => JSON.parse(readFileSync(process.argv.at(-1) ?? '', 'utf8')) as Phone;
const newKey = {
  push_key_id: String(randomInt(2 ** 32)),
  push_key: Buffer.of(0x31, ...randomBytes(32)).toString('base64'),
};
const [command, server, email, apiKey, ...words] = process.argv.slice(2);

async function call(path: string, fields: Record<string, string>) {
  const headers = { authorization: `Basic ${btoa(`${email}:${apiKey}`)}` };
  const body = new URLSearchParams(fields);
  const answer = await fetch(`${server}/api/v1/${path}`, { method: 'POST', headers, body });
  if (!answer.ok) throw new Error(await answer.text());
  return (await answer.json()) as { device_id: number };
}

if (command === 'register') {
  const [bouncer_public_key = '', token_kind = '', token = '', ios_app_id] = words;
  const device_id = String((await call('register_client_device', {})).device_id); // once
  const timestamp = Math.floor(Date.now() / 1000);
  const registration = JSON.stringify({ token, token_kind, timestamp, ios_app_id });
  const box = sodium.crypto_box_seal(registration, fromBase64(bouncer_public_key));
  const encrypted_push_registration = Buffer.from(box).toString('base64');
  const token_id = createHash('sha256').update(token).digest().subarray(0, 8).toString('base64');
  const tokenHalf = { token_kind, token_id, bouncer_public_key, encrypted_push_registration };
  await call('mobile_push/register', { device_id, ...newKey, ...tokenHalf });
  console.log(JSON.stringify({ device_id, keys: [newKey] })); // now wait for the event device
} else if (command === 'rotate') {
  const { device_id, keys } = readPhone();
  await call('mobile_push/register', { device_id, ...newKey });
  console.log(JSON.stringify({ device_id, keys: [newKey, ...keys] })); // the older: for what is on its way
} else {
  const sent = JSON.parse(readFileSync(0, 'utf8')) as Record<string, unknown>;
  const key = readPhone().keys.find((one) => one.push_key_id === String(sent['push_key_id']));
  if (!key) throw new Error('it is for a key that this phone does not have');
  const box = fromBase64(String(sent['encrypted_data']));
  const [nonce, secret] = [box.subarray(0, 24), fromBase64(key.push_key).subarray(1)];
  const opened = sodium.crypto_secretbox_open_easy(box.subarray(24), nonce, secret);
  console.log(new TextDecoder().decode(opened).trimEnd());
}
