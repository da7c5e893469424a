import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { type FlagValues, textFlag, UserError } from '@bellhop/bot-cli/command-line';
import { locateSandbox } from '@bellhop/bot-cli/sandbox';
import { ConnectionFailed, createClientFor } from '@bellhop/client';
import { ApiError, type BouncerTrace, bouncerV1, MAX_TRACED_CIPHERS } from '@bellhop/protocol';
import { z } from 'zod';

export const bouncerFlags = {
  bouncer: textFlag("The address of the chat server's bouncer; default: the sandbox's", 'url'),
  orgId: textFlag('The ID with which the chat server logs in there', 'UUID'),
  orgKey: textFlag('Its key (or BELLHOP_BOUNCER_ORG_KEY)', 'key'),
};
export type BouncerFlags = FlagValues<typeof bouncerFlags>;

/** Reads a bouncer's traces of these ciphertexts, as the chat server that sent them or as the operator. */
export type ReadBouncerTraces = (cipherIds: readonly string[]) => Promise<BouncerTrace[]>;

const Organization = z.object({ org_id: z.string(), org_key: z.string() });

/**
 * The traces of the bouncer that the flags name, else of the sandbox that has the phone's chat server, else of the
 * bouncer that the environment names; undefined if there is none. Throws a UserError for flags that do not go
 * together.
 */
export async function bouncerAccess(
  flags: BouncerFlags,
  phone: { readonly api_key: string } | undefined,
): Promise<ReadBouncerTraces | undefined> {
  const { env } = process;
  const orgKey = flags.orgKey ?? env['BELLHOP_BOUNCER_ORG_KEY'];
  const isOperator = ['', '_FILE'].some((end) => env[`BELLHOP_BOUNCER_OPERATOR_TOKEN${end}`]);
  if (flags.bouncer !== undefined && flags.orgId === undefined && isOperator)
    return operatorTraces({ ...env, BELLHOP_BOUNCER_URL: flags.bouncer });
  if (flags.bouncer !== undefined || flags.orgId !== undefined) {
    if (flags.bouncer === undefined || flags.orgId === undefined || !orgKey)
      throw new UserError(
        'Give --bouncer, --org-id and --org-key together, or --bouncer with BELLHOP_BOUNCER_OPERATOR_TOKEN.',
      );
    return bouncerTraces(flags.bouncer, { org_id: flags.orgId, org_key: orgKey });
  }
  const ofSandbox = await sandboxTraces(phone);
  if (ofSandbox && phone) return ofSandbox;
  const [bouncer, orgId] = [env['BELLHOP_BOUNCER_URL'], env['BELLHOP_BOUNCER_ORG_ID']];
  if (isOperator) return operatorTraces(env);
  if (bouncer && orgId && orgKey) return bouncerTraces(bouncer, { org_id: orgId, org_key: orgKey });
  return ofSandbox;
}

/** The traces of the sandbox that runs, if it has the phone. */
async function sandboxTraces(
  phone: { readonly api_key: string } | undefined,
): Promise<ReadBouncerTraces | undefined> {
  const sandbox = await locateSandbox();
  if (!sandbox) return undefined;
  const { dataDir, file } = sandbox;
  if (phone && !file.users.some(({ api_key }) => api_key === phone.api_key)) return undefined;
  const state = await readFile(join(dataDir, 'state.json'), 'utf8').catch(() => '{}');
  const organization = Organization.safeParse(JSON.parse(state));
  return organization.success ? bouncerTraces(file.bouncer_url, organization.data) : undefined;
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

/** Reads traces as the operator of the bouncer, who has these variables. */
async function operatorTraces(env: NodeJS.ProcessEnv): Promise<ReadBouncerTraces> {
  const { operatorClient } = await import('../bouncer/operator/ask-operator.ts');
  const { pushes } = operatorClient(env).client;
  return async (cipherIds) => {
    const found: BouncerTrace[] = [];
    for (const cipher_id of cipherIds) found.push(...(await pushes.list({ cipher_id })).pushes);
    return found;
  };
}

/** Why a service does not answer, for the trace. Other errors are thrown again. */
export const silenceOf =
  (service: string) =>
  (error: unknown): string => {
    if (error instanceof ApiError && error.status === 404) return `the ${service} has no traces`;
    if (error instanceof ApiError && [401, 403].includes(error.status))
      return `no right: ${error.message}`;
    if (error instanceof ApiError || error instanceof ConnectionFailed)
      return `the ${service} does not answer: ${error.message}`;
    throw error;
  };
