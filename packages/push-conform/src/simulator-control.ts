import { decodeResponse, parseJson } from '@bellhop/protocol';
import { z } from 'zod';

import { CannotCheck, CannotStart } from './check.ts';

/** The control API of the push simulator that the bouncer sends to. */
export interface SimulatorAddress {
  readonly control_url: string;
  readonly control_token: string;
}

const Device = z.object({
  token: z.string(),
  app_id: z.string(),
  /** The keys of a browser. */
  subscription: z.object({ p256dh: z.string(), auth: z.string() }).nullable().default(null),
});
export type TokenKind = 'fcm' | 'apns' | 'webpush';
const Notification = z.looseObject({
  kind: z.enum(['apns', 'fcm', 'webpush']),
  seq: z.int(),
  priority: z.union([z.string(), z.number()]).optional(),
  push_type: z.string().optional(),
  topic: z.string().nullish(),
  /** The `TTL` that the push service of a browser got. */
  ttl: z.int().optional(),
  urgency: z.string().optional(),
  /** The text of an APNs body or of a push event. */
  body: z.string().optional(),
  /** The data of an FCM message. */
  data: z.record(z.string(), z.string()).optional(),
});
export type Notification = z.output<typeof Notification>;

/** Phones and faults of the simulator. Throws `CannotCheck` if it does not answer. */
export class SimulatorControl {
  readonly #address: SimulatorAddress;
  readonly #tokens: string[] = [];

  constructor(address: SimulatorAddress) {
    this.#address = address;
  }

  /** Throws `CannotStart` unless the simulator answers and takes the token. */
  async requireAccess(timeoutMs: number): Promise<void> {
    const { control_url, control_token } = this.#address;
    const { status } = await fetch(`${control_url}/`, {
      headers: { authorization: `Bearer ${control_token}` },
      signal: AbortSignal.timeout(timeoutMs),
    }).catch((error: unknown) => {
      throw new CannotStart('simulator', `No simulator answers at ${control_url}.`, {
        cause: error,
      });
    });
    if (status === 401 || status === 403)
      throw new CannotStart(
        'simulator token',
        `The simulator at ${control_url} refuses the control token.`,
      );
    if (status !== 200)
      throw new CannotStart('simulator', `What answers at ${control_url} is no simulator.`);
  }

  async addDevice(kind: TokenKind): Promise<z.output<typeof Device>> {
    const device = Device.parse(await this.#call('POST', '/devices', { kind }));
    this.#tokens.push(device.token);
    return device;
  }

  async uninstall(token: string): Promise<void> {
    await this.#call('DELETE', `/devices/${encodeURIComponent(token)}`);
  }

  /** Removes the apps of all phones that this object has added. */
  async uninstallAll(): Promise<void> {
    for (const token of this.#tokens.splice(0)) await this.uninstall(token);
  }

  /** The notifications after `seq`; waits for one. Empty after `waitMs`. */
  async received(token: string, after: number, waitMs: number): Promise<Notification[]> {
    const path = `/devices/${encodeURIComponent(token)}/notifications`;
    const answer = await this.#call('GET', `${path}?after=${after}&wait=${waitMs / 1000}`);
    return z.object({ notifications: z.array(Notification) }).parse(answer).notifications;
  }

  /** Switches a fault on for one phone while `run` runs. */
  async withFault<T>(
    rule: { readonly provider: TokenKind; readonly token: string; readonly fault: unknown },
    run: () => Promise<T>,
  ): Promise<T> {
    const { provider, token, fault } = rule;
    const answer = await this.#call('POST', '/faults', { provider, match: { token }, fault });
    const { fault_id } = z.object({ fault_id: z.int() }).parse(answer);
    try {
      return await run();
    } finally {
      await this.#call('DELETE', `/faults/${fault_id}`);
    }
  }

  async #call(method: string, path: string, body?: unknown): Promise<unknown> {
    const { control_url, control_token } = this.#address;
    try {
      const response = await fetch(`${control_url}${path}`, {
        method,
        headers: { authorization: `Bearer ${control_token}` },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(90_000),
      });
      const { text, fault } = await decodeResponse(response);
      if (fault !== undefined) throw new Error(`its answer ${fault}`);
      if (response.ok) return parseJson(text);
      throw new Error(text);
    } catch (error) {
      throw new CannotCheck(`the simulator at ${control_url} failed: ${(error as Error).message}`);
    }
  }
}
