import { readTraces } from '@bellhop/bouncer/operator';
import { type BouncerTrace, CipherId } from '@bellhop/protocol';
import { bouncerLines, inOrder } from '@bellhop/push-trace';

import { defineCommand } from '../command-line/command.ts';
import { argument, switchFlag } from '../command-line/flags.ts';
import { rethrowAsUserError, UserError } from '../command-line/user-error.ts';
import { lineText } from '../trace/line-text.ts';
import { databaseHelp, jsonFlag, operateBouncer } from './operate-bouncer.ts';

function parseCipherId(text: string): string {
  const parsed = CipherId.safeParse(text);
  if (parsed.success) return parsed.data;
  throw new Error(
    'must be 16 hexadecimal digits: the beginning of the SHA-256 of encrypted_data, as "bellhop device trace" shows it',
  );
}

export const trace = defineCommand({
  description: `Prints what the bouncer did for a notification: every attempt at the provider with its answer, the connection, the size, and what followed. It knows a notification by the hash of its ciphertext, and shows neither tokens nor content. Traces are kept for 3 days (BELLHOP_BOUNCER_TRACES).\n\nThe operator of a chat server asks its bouncer by --remote, with the environment of the server: BELLHOP_BOUNCER_URL, BELLHOP_BOUNCER_ORG_ID and BELLHOP_BOUNCER_ORG_KEY. It shows what this server has sent.\n\n${databaseHelp}`,
  flags: {
    ...jsonFlag,
    remote: switchFlag('Ask the bouncer of the chat server whose environment this is'),
  },
  args: [
    argument(
      'cipher-id',
      'The first 16 hexadecimal digits of the SHA-256 of encrypted_data',
      parseCipherId,
    ),
  ],
  async run({ json, remote }, cipherId) {
    const traces = remote
      ? await tracesOfServer(cipherId)
      : await operateBouncer(({ database: { kysely } }) =>
          readTraces(kysely, { cipherIds: [cipherId] }),
        );
    if (traces.length === 0)
      throw new UserError(
        `There is no trace of ${cipherId}: this bouncer did not get it, or not in the last 3 days.`,
      );
    for (const one of traces) {
      const { push_id, server_uuid, realm_uuid, explanation } = one;
      if (json) console.log(JSON.stringify(one));
      else {
        console.log(`${cipherId}  push ${push_id} of server ${server_uuid}, realm ${realm_uuid}`);
        for (const line of inOrder(bouncerLines(one))) console.log(`  ${lineText(line)}`);
        console.log(`  ${explanation}`);
      }
    }
  },
});

/** Asks the bouncer as the chat server does. */
async function tracesOfServer(cipherId: string): Promise<BouncerTrace[]> {
  const { env } = process;
  const [bouncer, orgId] = [env['BELLHOP_BOUNCER_URL'], env['BELLHOP_BOUNCER_ORG_ID']];
  if (!bouncer || !orgId || !env['BELLHOP_BOUNCER_ORG_KEY'])
    throw new UserError(
      'Run it with the environment of the chat server: BELLHOP_BOUNCER_URL, BELLHOP_BOUNCER_ORG_ID and BELLHOP_BOUNCER_ORG_KEY are needed.',
    );
  // A bouncer installed alone has no client.
  const { bouncerAccess } = await import('../trace/bouncer-access.ts');
  const read = await bouncerAccess({ bouncer, orgId }, '');
  return (await read?.([cipherId]).catch(rethrowAsUserError)) ?? [];
}
