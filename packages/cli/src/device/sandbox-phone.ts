import { Device } from '@bellhop/device';
import type { PushPayload, TokenKind } from '@bellhop/protocol';
import { appDataOf, type Notification } from '@bellhop/push-simulator';
import { z } from 'zod';

import { deviceToken, newDevice } from '../sandbox/device-token.ts';
import { sandboxClient } from '../sandbox/sandbox-client.ts';
import type { SandboxFile } from '../sandbox/sandbox-file.ts';

interface SandboxPhoneOptions {
  readonly kind: TokenKind;
  /** Called with each notification: as it travelled, and decrypted. */
  readonly onPush: (encrypted_data: string, payload: PushPayload) => void;
  /** Called once if the phone can receive nothing more. */
  readonly onLost: (error: unknown) => void;
}

interface SandboxPhone {
  /** Full name of the owner. */
  readonly owner: string;
  /** Removes the app: the provider refuses further notifications to it. */
  readonly stop: () => Promise<void>;
}

const NewDevice = z.object({ token: z.string() });
const Arrivals = z.object({ notifications: z.array(z.custom<Notification>()) });
/** How long a question for notifications waits for one, in seconds. */
const WAIT_SECONDS = 30;

/** Adds a phone to a running sandbox, registers it with the chat server and receives its pushes. */
export async function startSandboxPhone(
  sandbox: SandboxFile,
  { kind, onPush, onLost }: SandboxPhoneOptions,
): Promise<SandboxPhone> {
  const { client, full_name: owner } = sandboxClient(sandbox);
  const ending = new AbortController();
  const provider = async (path: string, init: RequestInit) => {
    const headers = { authorization: `Bearer ${sandbox.simulator.control_token}` };
    const response = await fetch(new URL(path, sandbox.simulator.control_url), {
      headers,
      ...init,
    });
    if (response.ok) return response.json();
    throw new Error(`The push simulator answered ${response.status}: ${await response.text()}`);
  };
  const body = JSON.stringify(newDevice(kind));
  const { token } = NewDevice.parse(await provider('/devices', { method: 'POST', body }));
  const path = `/devices/${encodeURIComponent(token)}`;
  const device = new Device({
    client,
    bouncerPublicKey: sandbox.bouncer_public_key,
    token: deviceToken(kind, token),
  });

  async function receive(): Promise<never> {
    for (let after = 0; ;) {
      const question = `${path}/notifications?after=${after}&wait=${WAIT_SECONDS}`;
      const { notifications } = Arrivals.parse(await provider(question, { signal: ending.signal }));
      for (const notification of notifications) {
        after = notification.seq;
        const { received, fields } = appDataOf(notification);
        onPush(String(fields['encrypted_data']), device.receive(received));
      }
    }
  }

  const uninstall = () => provider(path, { method: 'DELETE' });
  await device.register().catch(async (error: unknown) => {
    await uninstall();
    throw error;
  });
  receive().catch((error: unknown) => {
    if (!ending.signal.aborted) onLost(error);
  });
  return {
    owner,
    async stop() {
      ending.abort();
      // A sandbox that has stopped has no phone to remove.
      await uninstall().catch(() => {});
    },
  };
}
