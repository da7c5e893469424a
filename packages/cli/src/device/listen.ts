import { TokenKind } from '@bellhop/protocol';

import { defineCommand } from '../command-line/command.ts';
import { rethrowAsUserError, UserError } from '../command-line/user-error.ts';
import { requireSandbox } from '../sandbox/find-sandbox.ts';
import { untilSignal } from '../until-signal.ts';
import { startSandboxPhone } from './sandbox-phone.ts';

interface Flags {
  readonly kind: TokenKind;
}

export const listen = defineCommand({
  description: `Simulates a phone: gets a token from the simulated FCM or APNs of a running sandbox, registers with
the chat server, and prints each notification with what the phone decrypts. Ctrl-C removes the phone.

The phone belongs to the person who owns the other phones of the sandbox. "bellhop try push" sends a
notification to all of them.

Reads .bellhop/sandbox.json (or BELLHOP_DATA_DIR), which a running sandbox writes.`,
  parameters: {
    flags: {
      kind: {
        kind: 'enum',
        values: TokenKind.options,
        brief: 'The push provider: fcm for Android, apns for an iPhone',
        default: 'fcm',
      },
    },
  },
  async run({ kind }: Flags) {
    const sandbox = await requireSandbox();
    let lost: unknown;
    const code = await untilSignal({
      start: async (_stopping, end) => {
        const phone = await startSandboxPhone(sandbox, {
          kind,
          onPush(encrypted_data, payload) {
            console.log(`\nThe phone received ${encrypted_data.slice(0, 40)}...`);
            console.log(`and decrypted ${JSON.stringify(payload)}`);
          },
          onLost(error) {
            lost = error;
            end();
          },
        }).catch(rethrowAsUserError);
        console.log(
          `${phone.owner} has another phone (${kind}). It waits for notifications; Ctrl-C removes it.`,
        );
        return phone.stop;
      },
    });
    if (lost === undefined) return code;
    throw new UserError(`The phone has lost its provider: ${(lost as Error).message}`);
  },
});
