import { type KeyPair, parsePublicKey, parseSecretKey, sealing } from '@bellhop/push-crypto';

/** The bouncer's key pairs by public key: the newest last, before it those that apps still use. */
export type KeyPairs = ReadonlyMap<string, KeyPair>;

/** Reads `{ public: private }`, base64. Throws if a key is malformed or a pair does not match. */
export function keyPairsOf(keys: Readonly<Record<string, string>>): KeyPairs {
  const pairs = new Map<string, KeyPair>();
  for (const [publicText, secretText] of Object.entries(keys)) {
    const publicKey = parsePublicKey(publicText);
    const pair = sealing.keyPairOf(parseSecretKey(secretText));
    if (pair.publicKey !== publicKey)
      throw new Error(`the private key of ${publicText} does not match that public key`);
    pairs.set(publicKey, pair);
  }
  return pairs;
}
