import type { KeyPair } from '@bellhop/push-crypto';
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';

import { SharedRead } from '../storage/shared-read.ts';
import type { BouncerTables } from '../storage/tables.ts';
import { type KeyPairs, keyPairsOf } from './key-pairs.ts';
import { type StoredKey, storedKeys } from './queries.ts';
import { requireOpenable, SealedKeyError } from './require-openable.ts';
import { openSecret } from './seal-secret.ts';

export interface KeyRingOptions {
  readonly kysely: Kysely<BouncerTables>;
  /** The pairs of BELLHOP_BOUNCER_KEYS. */
  readonly keys: Readonly<Record<string, string>>;
  /** The first seals the stored keys, each may open them. */
  readonly encryptionKeys: readonly string[];
  readonly log: Pick<Logger, 'error' | 'warn'>;
}

/** The key pairs of the configuration and of the database, without those that were retired. */
export class KeyRing {
  readonly #options: KeyRingOptions;
  #pairs: KeyPairs = new Map();
  readonly #read = new SharedRead(async () => this.#take(await storedKeys(this.#options.kysely)));
  /** Opened before, so that a read opens only new keys. */
  readonly #opened = new Map<string, KeyPair>();
  readonly #unusable = new Set<string>();

  constructor(options: KeyRingOptions) {
    this.#options = options;
  }

  /** Reads the keys. Throws a SealedKeyError if one cannot be opened. */
  async open(): Promise<void> {
    const rows = await storedKeys(this.#options.kysely);
    requireOpenable(rows, this.#options.encryptionKeys);
    this.#take(rows);
    if (this.#pairs.size === 0)
      this.#options.log.warn(
        'there is no key pair for registrations: run "bellhop bouncer keys first"',
      );
  }

  /** The pairs by public key, the newest last, as they were a second ago or later. */
  async current(): Promise<KeyPairs> {
    await this.#read.fresh();
    return this.#pairs;
  }

  #take(rows: readonly StoredKey[]): void {
    const pairs = new Map(keyPairsOf(this.#options.keys));
    for (const row of rows) {
      pairs.delete(row.public_key);
      const pair = row.retired_at ? undefined : this.#pairOf(row);
      if (pair) pairs.set(row.public_key, pair);
      else if (!row.retired_at) this.#reportUnusable(row);
    }
    this.#pairs = pairs;
  }

  #pairOf(row: StoredKey): KeyPair | undefined {
    const { public_key, sealed_secret } = row;
    const known = this.#opened.get(public_key);
    if (known || !sealed_secret) return known;
    const secret = openSecret(sealed_secret, public_key, this.#options.encryptionKeys);
    const pair =
      secret === undefined ? undefined : keyPairsOf({ [public_key]: secret }).get(public_key);
    if (pair) this.#opened.set(public_key, pair);
    return pair;
  }

  #reportUnusable(row: StoredKey): void {
    if (this.#unusable.has(row.public_key)) return;
    this.#unusable.add(row.public_key);
    this.#options.log.error({ alarm: 'keys' }, new SealedKeyError([row.public_key]).message);
  }
}

/** Throws a SealedKeyError if a stored key cannot be opened. */
export async function openKeyRing(options: KeyRingOptions): Promise<KeyRing> {
  const ring = new KeyRing(options);
  await ring.open();
  return ring;
}
