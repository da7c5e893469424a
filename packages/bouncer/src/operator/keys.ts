import { sealing } from '@bellhop/push-crypto';
import type { Kysely } from 'kysely';

import { recordAction } from '../audit/audit-log.ts';
import { keyPairsOf } from '../keys/key-pairs.ts';
import { keyUses, resealKey, retireKey, storedKeys, storeKey } from '../keys/queries.ts';
import { requireOpenable, SealedKeyError } from '../keys/require-openable.ts';
import { openSecret, sealSecret } from '../keys/seal-secret.ts';
import type { BouncerTables } from '../storage/tables.ts';
import { type KeyState, keyStates } from './key-states.ts';
import { type Operator, OperatorError, signatureOf } from './operator.ts';

/** The keys of a bouncer, as its variables give them. */
export interface ConfiguredKeys {
  /** Public key to private key, base64, of BELLHOP_BOUNCER_KEYS. */
  readonly keys: Readonly<Record<string, string>>;
  readonly encryptionKeys: readonly string[];
}

/** Every key with its use, the newest first. */
export const listKeys = async (
  db: Kysely<BouncerTables>,
  { keys }: Pick<ConfiguredKeys, 'keys'>,
): Promise<KeyState[]> => keyStates(await storedKeys(db), Object.keys(keys), await keyUses(db));

/**
 * Makes a key pair and stores it encrypted. Returns its public key. Throws an OperatorError if the stored
 * pairs are encrypted with another key: bouncers could not open this one. Forced if that key is lost: then
 * they are retired.
 */
export async function createKey(
  operator: Operator,
  { encryptionKeys }: Pick<ConfiguredKeys, 'encryptionKeys'>,
  { isForced = false }: { readonly isForced?: boolean } = {},
): Promise<string> {
  const { publicKey, secretKey } = sealing.generateKeyPair();
  const sealedSecret = sealed({ publicKey, secretKey }, encryptionKeys);
  const signature = signatureOf(operator);
  await operator.database.transaction(async (tx) => {
    if (isForced) await retireSealed(tx, signature, encryptionKeys);
    else await requireOwn(tx, encryptionKeys);
    await storeKey(tx, { publicKey, sealedSecret, at: signature.at });
    await recordAction(tx, { ...signature, action: 'key_created', detail: { publicKey } });
  });
  return publicKey;
}

/** Retires the pairs that no encryption key opens. */
async function retireSealed(
  tx: Kysely<BouncerTables>,
  signature: ReturnType<typeof signatureOf>,
  encryptionKeys: readonly string[],
): Promise<void> {
  for (const { public_key: publicKey, sealed_secret } of await storedKeys(tx)) {
    if (!sealed_secret || openSecret(sealed_secret, publicKey, encryptionKeys) !== undefined)
      continue;
    await retireKey(tx, publicKey, signature.at);
    await recordAction(tx, { ...signature, action: 'key_retired', detail: { publicKey } });
  }
}

/** Public keys. */
export interface ImportedKeys {
  /** Those that were not stored before. */
  readonly imported: readonly string[];
  /** Those that stay retired. */
  readonly retired: readonly string[];
}

/** Stores the key pairs of the environment encrypted. Forced: retired ones are used again. */
export async function importKeys(
  operator: Operator,
  { keys, encryptionKeys }: ConfiguredKeys,
  { isForced = false }: { readonly isForced?: boolean } = {},
): Promise<ImportedKeys> {
  const signature = signatureOf(operator);
  const imported: string[] = [];
  const retired: string[] = [];
  await operator.database.transaction(async (tx) => {
    await requireOwn(tx, encryptionKeys);
    const stored = await storedKeys(tx);
    for (const pair of keyPairsOf(keys).values()) {
      const { publicKey } = pair;
      const known = stored.find(({ public_key }) => public_key === publicKey);
      if (known?.retired_at && !isForced) {
        retired.push(publicKey);
        continue;
      }
      const sealedSecret = sealed(pair, encryptionKeys);
      if (!(await storeKey(tx, { publicKey, sealedSecret, at: signature.at }))) continue;
      await recordAction(tx, { ...signature, action: 'key_imported', detail: { publicKey } });
      imported.push(publicKey);
    }
  });
  return { imported, retired };
}

interface Retirement extends Pick<ConfiguredKeys, 'keys'> {
  readonly publicKey: string;
  /** Retires the key even if phones use it. */
  readonly isForced: boolean;
}

/**
 * Deletes the private key from the database: phones whose app has the public one can no longer register, those that are
 * registered get their notifications. Throws an OperatorError for an unknown key, or with the reason against
 * it unless forced; the last key cannot be retired. Returns where the private key still is.
 */
export async function retire(
  operator: Operator,
  { publicKey, keys, isForced }: Retirement,
): Promise<{ readonly kept_in: 'environment' | 'nowhere' }> {
  const signature = signatureOf(operator);
  await operator.database.transaction(async (tx) => {
    const states = await listKeys(tx, { keys });
    const state = states.find(({ public_key }) => public_key === publicKey);
    if (!state) throw new OperatorError(`There is no key ${publicKey}.`);
    if (state.state === 'retired') throw new OperatorError(`${publicKey} is retired already.`);
    if (states.filter((one) => one.state !== 'retired').length === 1)
      throw new OperatorError('This is the last key: create another one first.');
    if (!state.can_retire && !isForced)
      throw new OperatorError(
        `Not retired: ${state.verdict}. --force (force in the API and the console) retires it nevertheless.`,
      );
    await retireKey(tx, publicKey, signature.at);
    const detail = { publicKey, devices: state.devices };
    await recordAction(tx, { ...signature, action: 'key_retired', detail });
  });
  return { kept_in: Object.hasOwn(keys, publicKey) ? 'environment' : 'nowhere' };
}

/**
 * Encrypts the stored keys with the first of the encryption keys. Returns how many were encrypted with
 * another one.
 */
export async function resealKeys(
  operator: Operator,
  { encryptionKeys }: Pick<ConfiguredKeys, 'encryptionKeys'>,
): Promise<number> {
  return operator.database.transaction(async (tx) => {
    await requireOwn(tx, encryptionKeys);
    let resealed = 0;
    for (const { public_key: publicKey, sealed_secret } of await storedKeys(tx)) {
      if (!sealed_secret) continue;
      if (openSecret(sealed_secret, publicKey, encryptionKeys.slice(0, 1)) !== undefined) continue;
      const secretKey = openSecret(sealed_secret, publicKey, encryptionKeys);
      if (secretKey === undefined) continue;
      await resealKey(tx, publicKey, sealed({ publicKey, secretKey }, encryptionKeys));
      resealed++;
    }
    const detail = { keys: resealed };
    await recordAction(tx, { ...signatureOf(operator), action: 'keys_resealed', detail });
    return resealed;
  });
}

/** Throws an OperatorError unless the stored keys can be opened. */
async function requireOwn(
  db: Kysely<BouncerTables>,
  encryptionKeys: readonly string[],
): Promise<void> {
  requireEncryptionKey({ encryptionKeys });
  try {
    requireOpenable(await storedKeys(db), encryptionKeys);
  } catch (error) {
    if (error instanceof SealedKeyError) throw new OperatorError(`${error.message}.`);
    throw error;
  }
}

/** Throws an OperatorError if there is no key that encrypts the stored pairs. */
export function requireEncryptionKey({
  encryptionKeys,
}: Pick<ConfiguredKeys, 'encryptionKeys'>): void {
  if (encryptionKeys.length === 0) throw noEncryptionKey();
}

const noEncryptionKey = () =>
  new OperatorError(
    'Set BELLHOP_BOUNCER_ENCRYPTION_KEY, as for the bouncer ("bellhop secrets encryption" prints one).',
  );

function sealed(
  { publicKey, secretKey }: { readonly publicKey: string; readonly secretKey: string },
  [encryptionKey]: readonly string[],
): Buffer {
  if (encryptionKey === undefined) throw noEncryptionKey();
  return sealSecret({ secret: secretKey, publicText: publicKey }, encryptionKey);
}
