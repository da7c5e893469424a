import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { UserError } from '@bellhop/bot-cli/command-line';
import { makeSecretDirectory, writeFileWhole } from '@bellhop/directory-lock';
import { TokenKind } from '@bellhop/protocol';
import { sealing } from '@bellhop/push-crypto';
import { newSecret } from '@bellhop/server/provision';
import { z } from 'zod';

const PhoneOfState = z.object({
  /** Without it and `user_id`, the phone is one that every sandbox has. */
  kind: TokenKind.optional(),
  user_id: z.coerce.number().int().optional(),
  token: z.string().optional(),
  /** JSON. */
  identity: z.string().optional(),
});

const SandboxState = z.object({
  /** The chat server's. */
  secret: z.string(),
  org_id: z.string(),
  org_key: z.string(),
  bouncer_public_key: z.string(),
  bouncer_secret_key: z.string(),
  /** The token of the bouncer's operator API. */
  operator_token: z.string().default(() => newSecret(64)),
  /** Encrypts the private keys that the operator makes. */
  bouncer_encryption_key: z.string().default(() => newSecret(64)),
  /** Passwords by e-mail address. */
  passwords: z.record(z.string(), z.string()),
  /** Phones of earlier versions by their names; `phones/` has those of this one. */
  phones: z.record(z.string(), PhoneOfState).optional(),
});
export type SandboxState = z.output<typeof SandboxState>;

/**
 * Reads the state that a sandbox keeps between starts, or creates it; only the owner may read the
 * file. Throws a UserError for a damaged file or a directory that cannot be made or written.
 */
export async function readState(
  dataDir: string,
): Promise<{ state: SandboxState; save: () => Promise<void> }> {
  try {
    await makeSecretDirectory(dataDir);
    const file = join(dataDir, 'state.json');
    const text = await readIfPresent(file);
    const state = text === undefined ? newState() : parseState(text, file);
    const write = () => writeFileWhole(file, JSON.stringify(state, null, 2));
    let last = Promise.resolve();
    const save = () => (last = last.then(write, write));
    // Saves values that an older version did not have.
    await save();
    return { state, save };
  } catch (error) {
    if (!isSystemError(error)) throw error;
    throw new UserError(`${error.message}: choose another data directory with BELLHOP_DATA_DIR.`);
  }
}

/** A state that cannot be read must not be replaced. */
const readIfPresent = (file: string): Promise<string | undefined> =>
  readFile(file, 'utf8').catch((error: unknown) => {
    if (isSystemError(error) && error.code === 'ENOENT') return undefined;
    throw error;
  });

const isSystemError = (error: unknown): error is Error & { readonly code: string } =>
  error instanceof Error && 'syscall' in error;

function parseState(text: string, file: string): SandboxState {
  try {
    return SandboxState.parse(JSON.parse(text));
  } catch {
    throw new UserError(
      `${file} is damaged: put back a copy, or remove the whole directory to start anew.`,
    );
  }
}

function newState(): SandboxState {
  const { publicKey, secretKey } = sealing.generateKeyPair();
  return {
    secret: newSecret(64),
    org_id: randomUUID(),
    org_key: newSecret(64),
    bouncer_public_key: publicKey,
    bouncer_secret_key: secretKey,
    operator_token: newSecret(64),
    bouncer_encryption_key: newSecret(64),
    passwords: {},
  };
}
