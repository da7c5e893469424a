import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { createClientFor } from '@bellhop/client';
import { type BouncerTrace, bouncerV1, MAX_TRACED_CIPHERS } from '@bellhop/protocol';
import { z } from 'zod';

import { type FlagValues, textFlag } from '../command-line/flags.ts';
import { UserError } from '../command-line/user-error.ts';
import { readSandboxFile } from '../sandbox-file/sandbox-file.ts';

export const bouncerFlags = {
  bouncer: textFlag("The address of the chat server's bouncer; default: the sandbox's", 'url'),
  orgId: textFlag('The ID with which the chat server logs in there', 'UUID'),
  orgKey: textFlag('Its key (or BELLHOP_BOUNCER_ORG_KEY)', 'key'),
};
export type BouncerFlags = FlagValues<typeof bouncerFlags>;

/** Reads the bouncer's traces of these ciphertexts, as the chat server that sent them. */
export type ReadBouncerTraces = (cipherIds: readonly string[]) => Promise<BouncerTrace[]>;

const Organization = z.object({ org_id: z.string(), org_key: z.string() });

/**
 * The traces of the bouncer that the flags name, or of the sandbox that has the chat server; undefined if
 * there is neither. Throws a UserError for flags that do not go together.
 */
export async function bouncerAccess(
  { bouncer, orgId, orgKey = process.env['BELLHOP_BOUNCER_ORG_KEY'] }: BouncerFlags,
  serverUrl: string,
): Promise<ReadBouncerTraces | undefined> {
  if (bouncer !== undefined || orgId !== undefined) {
    if (bouncer === undefined || orgId === undefined || !orgKey)
      throw new UserError('Give --bouncer, --org-id and --org-key together.');
    return bouncerTraces(bouncer, { org_id: orgId, org_key: orgKey });
  }
  const dataDir = process.env['BELLHOP_DATA_DIR'] || '.bellhop';
  const sandbox = await readSandboxFile(dataDir);
  if (sandbox?.base_url !== serverUrl) return undefined;
  const state = await readFile(join(dataDir, 'state.json'), 'utf8').catch(() => '{}');
  const organization = Organization.safeParse(JSON.parse(state));
  return organization.success ? bouncerTraces(sandbox.bouncer_url, organization.data) : undefined;
}

/** Reads traces as a chat server. */
export function bouncerTraces(
  url: string,
  { org_id, org_key }: z.output<typeof Organization>,
): ReadBouncerTraces {
  const client = createClientFor(bouncerV1, { url, prefix: '/v1', email: org_id, apiKey: org_key });
  return async (cipherIds) => {
    const found: BouncerTrace[] = [];
    for (let at = 0; at < cipherIds.length; at += MAX_TRACED_CIPHERS) {
      const cipher_ids = cipherIds.slice(at, at + MAX_TRACED_CIPHERS);
      found.push(...(await client.traces.list({ cipher_ids })).traces);
    }
    return found;
  };
}
