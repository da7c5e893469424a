import { generateKeyPair as generateKeyPairWithCallback, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { newWebPushSubscription } from '@bellhop/push-crypto/web-push';
import { z } from 'zod';

import { createTlsIdentity } from './certificates.ts';
import { readJsonFile, writeJsonFile } from './json-file.ts';

const generateKeyPair = promisify(generateKeyPairWithCallback);
const day = 86_400_000;

const Vapid = z.object({
  public_key: z.string(),
  private_key: z.string(),
  subject: z.string(),
});

const Identity = z.object({
  control_token: z.string().min(16).default(newControlToken),
  tls: z.object({ ca: z.string(), cert: z.string(), key: z.string(), expires_at: z.number() }),
  apns: z.object({ team_id: z.string(), key_id: z.string(), private_key: z.string() }),
  fcm: z.object({
    project_id: z.string(),
    private_key_id: z.string(),
    private_key: z.string(),
    client_email: z.string(),
    client_id: z.string(),
  }),
  vapid: Vapid.default(newVapidKey),
});

/** The secrets of the simulator: certificates, Apple's key, Google's service account, the control token. */
export type Identity = z.infer<typeof Identity>;

/** Reads the identity in a directory, or creates it there. All keys are PEM. */
export async function openIdentity(stateDir: string | undefined): Promise<Identity> {
  const path = stateDir === undefined ? undefined : join(stateDir, 'identity.json');
  const stored = path === undefined ? undefined : readJsonFile(path, Identity);
  if (stored !== undefined && stored.tls.expires_at > Date.now() + day) return stored;
  const tls = await createTlsIdentity();
  const identity = stored === undefined ? { tls, ...(await newCredentials()) } : { ...stored, tls };
  if (path !== undefined) writeJsonFile(path, identity);
  return identity;
}

/** A new Apple signing key, as the text of a `.p8` file. */
export async function newApnsPrivateKey(): Promise<string> {
  const { privateKey } = await generateKeyPair('ec', { namedCurve: 'P-256' });
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

/** An id of ten characters, as Apple's keys and teams have. */
export function newAppleId(): string {
  const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
  return Array.from(randomBytes(10), (byte) => alphabet.charAt(byte % 32)).join('');
}

function newControlToken(): string {
  return randomBytes(24).toString('base64url');
}

function newVapidKey(): z.infer<typeof Vapid> {
  const { p256dh, private_key } = newWebPushSubscription();
  return { public_key: p256dh, private_key, subject: 'mailto:bouncer@bellhop.example' };
}

async function newCredentials(): Promise<Omit<Identity, 'tls'>> {
  const { privateKey } = await generateKeyPair('rsa', { modulusLength: 2048 });
  const project = 'bellhop-sandbox';
  return {
    control_token: newControlToken(),
    apns: {
      team_id: newAppleId(),
      key_id: newAppleId(),
      private_key: await newApnsPrivateKey(),
    },
    fcm: {
      project_id: project,
      private_key_id: randomBytes(20).toString('hex'),
      private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
      client_email: `bouncer@${project}.iam.gserviceaccount.com`,
      client_id: '100000000000000000001',
    },
    vapid: newVapidKey(),
  };
}
