import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { z } from 'zod';

const Path = z.string().min(1).max(4_096);
/** The names that systemd allows: no path. */
const CredentialName = z.string().regex(/^[A-Za-z0-9][\w.-]{0,254}$/, 'must be a name, not a path');

/** The place of a secret: a file, or a credential that systemd gives to the service. */
export interface SecretSource {
  readonly file?: string | undefined;
  readonly credential?: string | undefined;
}

/** The two fields of an entry, one of which names the secret: `NAME_file` and `NAME_credential`. */
export const secretFields = { file: Path.optional(), credential: CredentialName.optional() };

export const hasOneSource = ({ file, credential }: SecretSource) =>
  (file === undefined) !== (credential === undefined);

/** Reads a secret. Throws an error that names the file. */
export type ReadSecret = (source: SecretSource) => string;

/** `directory`: that paths are relative to. */
export const openSecrets =
  (directory: string, credentialsDirectory: string | undefined): ReadSecret =>
  ({ file, credential }) => {
    if (file !== undefined) return readFileSync(resolve(directory, file), 'utf8').trim();
    if (credentialsDirectory === undefined)
      throw new Error(
        'systemd gives this service no credentials (CREDENTIALS_DIRECTORY is not set)',
      );
    return readFileSync(join(credentialsDirectory, credential ?? ''), 'utf8').trim();
  };
