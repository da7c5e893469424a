// A phone in 40 lines of TypeScript. It needs libsodium-wrappers.
//
// node phone.ts register SERVER EMAIL API_KEY BOUNCER_PUBLIC_KEY TOKEN_KIND TOKEN [IOS_APP_ID] > account.json
// node phone.ts open account.json < notification.json
import { readFileSync } from 'node:fs';

import sodium from 'libsodium-wrappers';

await sodium.ready;
const { ORIGINAL } = sodium.base64_variants;
const toBase64 = (bytes: Uint8Array) => sodium.to_base64(bytes, ORIGINAL);
const fromBase64 = (text: string) => sodium.from_base64(text, ORIGINAL);

async function register(server: string, email: string, apiKey: string, ...rest: string[]) {
  const [bouncer_public_key = '', token_kind = '', token = '', ios_app_id] = rest;
  const { publicKey, privateKey } = sodium.crypto_box_keypair();
  const [id = 0n] = crypto.getRandomValues(new BigInt64Array(1)); // 64 bits: too many for a number
  const timestamp = Math.floor(Date.now() / 1000);
  const registration = JSON.stringify({ token, token_kind, timestamp, ios_app_id });
  const box = sodium.crypto_box_seal(registration, fromBase64(bouncer_public_key));
  const body = new URLSearchParams({
    token_kind,
    push_account_id: String(id),
    push_public_key: toBase64(publicKey),
    bouncer_public_key,
    encrypted_push_registration: toBase64(box),
  });
  const headers = { authorization: `Basic ${btoa(`${email}:${apiKey}`)}` };
  const url = `${server}/api/v1/mobile_push/register`;
  const answer = await fetch(url, { method: 'POST', headers, body });
  if (!answer.ok) throw new Error(await answer.text());
  const keys = { public: toBase64(publicKey), secret: toBase64(privateKey) };
  console.log(JSON.stringify({ push_account_id: String(id), ...keys })); // now wait for push_device
}

function open(path: string) {
  const account = JSON.parse(readFileSync(path, 'utf8')) as Record<
    'push_account_id' | 'public' | 'secret',
    string
  >;
  // Keep the account number as text before JSON.parse rounds it.
  const text = readFileSync(0, 'utf8').replace(/("push_account_id":\s*)(-?\d+)/, '$1"$2"');
  const notification = JSON.parse(text) as Record<'push_account_id' | 'encrypted_data', string>;
  if (notification.push_account_id !== account.push_account_id) throw new Error('wrong account');
  const keys = [fromBase64(account.public), fromBase64(account.secret)] as const;
  const opened = sodium.crypto_box_seal_open(fromBase64(notification.encrypted_data), ...keys);
  console.log(new TextDecoder().decode(opened).trimEnd());
}

const [command, first = '', second = '', third = '', ...more] = process.argv.slice(2);
if (command === 'register') await register(first, second, third, ...more);
else open(first);
