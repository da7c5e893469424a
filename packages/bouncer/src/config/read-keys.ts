import { keyPairsOf } from '../keys/key-pairs.ts';
import { EncryptionKeys, KeyPairs } from '../settings/schemas.ts';
import type { VariableReader } from '../settings/variable-reader.ts';

/** The key pairs of the environment, and the keys that encrypt the key pairs in the database. */
export function readKeys(reader: VariableReader) {
  const keys = reader.parse('BELLHOP_BOUNCER_KEYS', KeyPairs) ?? {};
  reader.check('BELLHOP_BOUNCER_KEYS', () => keyPairsOf(keys));
  const encryptionKeys = reader.parse('BELLHOP_BOUNCER_ENCRYPTION_KEY', EncryptionKeys) ?? [];
  return { keys, encryptionKeys };
}
