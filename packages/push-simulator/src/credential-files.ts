import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { bouncerEnvironment, type SimulatedProviders } from './bouncer-environment.ts';

export interface CredentialFiles {
  /** Apple's signing key, as its developer site offers it. */
  readonly apns_key: string;
  /** The key file of the service account, as Google's console offers it. */
  readonly service_account: string;
  /** The certificate authority to trust for the simulated providers. */
  readonly ca: string;
  /** Lines for the environment of a bouncer; they name the three files. */
  readonly environment: string;
}

/**
 * Writes the credentials of a sender into a folder: AuthKey_KEYID.p8, service-account.json, ca.pem
 * and bouncer.env. Only their owner may read them. Returns their absolute paths.
 */
export function writeCredentialFiles(
  simulator: SimulatedProviders,
  folder: string,
): CredentialFiles {
  const { apns, fcm } = simulator.credentials;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const write = (name: string, text: string) => {
    const path = resolve(join(folder, name));
    // An existing file would keep its mode.
    rmSync(path, { force: true });
    writeFileSync(path, text, { mode: 0o600 });
    return path;
  };
  const files = {
    apns_key: write(`AuthKey_${apns.key_id}.p8`, apns.private_key),
    service_account: write('service-account.json', `${JSON.stringify(fcm, null, 2)}\n`),
    ca: write('ca.pem', simulator.ca),
  };
  const inFiles: Record<string, string> = {
    BELLHOP_BOUNCER_APNS_KEY: files.apns_key,
    BELLHOP_BOUNCER_FCM_ACCOUNT: files.service_account,
    BELLHOP_BOUNCER_PROVIDER_CA: files.ca,
  };
  const lines = Object.entries(bouncerEnvironment(simulator)).map(([name, value]) => {
    const path = inFiles[name];
    return path === undefined ? `${name}=${value}` : `${name}_FILE=${path}`;
  });
  return { ...files, environment: write('bouncer.env', `${lines.join('\n')}\n`) };
}
