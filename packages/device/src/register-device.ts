import { type Client, eventStream } from '@bellhop/client';
import { type AskOf, type Api, PushDeviceEvent } from '@bellhop/protocol';
import type { z } from 'zod';

export type RefusalCode = Extract<
  z.output<typeof PushDeviceEvent>,
  { status: 'failed' }
>['error_code'];

/** The bouncer refused the phone's registration. */
export class RegistrationRefused extends Error {
  readonly code: RefusalCode;

  constructor(code: RefusalCode) {
    super(`The push service refused the registration: ${code}`);
    this.name = 'RegistrationRefused';
    this.code = code;
  }
}

/**
 * Registers a device with the chat server and waits for what the bouncer says of it, by event or, if
 * the queue was lost meanwhile, by the state. Throws RegistrationRefused.
 */
export async function registerDevice(
  client: Client,
  request: AskOf<Api['devices']['registerPush']>,
  signal: AbortSignal,
): Promise<void> {
  const id = String(request.push_account_id);
  const only = ['push_device'];
  let asked = false;
  const stream = eventStream(client, { event_types: only, fetch_event_types: only }, { signal });
  for await (const item of stream) {
    if (item.kind === 'event') {
      const event = PushDeviceEvent.safeParse(item.event).data;
      if (event?.push_account_id !== id) continue;
      if (event.status === 'failed') throw new RegistrationRefused(event.error_code);
      return;
    }
    const known = item.state.push_devices?.[id];
    if (known?.status === 'active') return;
    if (asked && known?.status === 'failed')
      throw new RegistrationRefused(known.error_code ?? 'BAD_REQUEST');
    if (!asked) await client.devices.registerPush(request);
    asked = true;
  }
  signal.throwIfAborted();
}
