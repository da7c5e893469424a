import { readTraces } from '@bellhop/bouncer/operator';
import { bouncerLines, CipherId, inOrder } from '@bellhop/protocol';

import { defineCommand } from '../command-line/command.ts';
import { UserError } from '../command-line/user-error.ts';
import { lineText } from '../trace/line-text.ts';
import { databaseHelp, jsonFlag, operateBouncer } from './operate-bouncer.ts';

interface Flags {
  readonly json: boolean;
}

function parseCipherId(text: string): string {
  const parsed = CipherId.safeParse(text);
  if (parsed.success) return parsed.data;
  throw new Error(
    'must be 16 hexadecimal digits: the beginning of the SHA-256 of encrypted_data, as "bellhop device trace" shows it',
  );
}

export const trace = defineCommand<Flags, [cipherId: string]>({
  description: `Prints what the bouncer did for a notification: every attempt at the provider with its answer, the connection, the size, and what followed. It knows a notification by the hash of its ciphertext, and shows neither tokens nor content. Traces are kept for 3 days (BELLHOP_BOUNCER_TRACES).\n\n${databaseHelp}`,
  parameters: {
    flags: jsonFlag,
    positional: {
      kind: 'tuple',
      parameters: [
        {
          parse: parseCipherId,
          brief: 'The first 16 hexadecimal digits of the SHA-256 of encrypted_data',
          placeholder: 'cipher-id',
        },
      ],
    },
  },
  async run({ json }, cipherId) {
    const traces = await operateBouncer(({ database: { kysely } }) =>
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
