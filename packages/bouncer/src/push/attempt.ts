import type { PushRequest } from '@bellhop/protocol';

import type { App } from '../app.ts';
import type { Verdict } from '../providers/verdict.ts';
import { type Device, shortHash } from './queries.ts';

/** A notification on its way to one device. */
export interface Push {
  /** UUID, the same for all attempts. */
  readonly id: string;
  readonly device: Device;
  readonly request: PushRequest;
}

/** A dead token that was registered again since: the provider may know by then. */
const RACE_DELAY = 300;

/** Whether a request is of the kind that its device understands. */
export const fits = (request: PushRequest, device: Device): boolean =>
  ('http_headers' in request ? 'apns' : 'fcm') === device.token_kind;

/** Tries once, and says what came of it. */
export async function attempt(app: App, push: Push, number: number): Promise<Verdict> {
  const verdict = heedRegistration(await send(app, push, number), push.device);
  const provider = push.device.token_kind;
  app.metrics.notifications.inc({ provider, verdict: verdict.kind });
  if (verdict.kind === 'dead') app.metrics.deadTokens.inc({ provider });
  if (verdict.kind !== 'accepted') {
    const facts = {
      ...verdict,
      provider,
      push_id: push.id,
      device_id: push.device.device_id,
      token: shortHash(push.device),
      attempt: number,
    };
    if (verdict.kind === 'config_error')
      app.log.error(facts, 'the push provider does not accept our configuration');
    else app.log.info(facts, 'notification not accepted');
  }
  return verdict;
}

async function send({ providers, now }: App, push: Push, number: number): Promise<Verdict> {
  const { device, request } = push;
  if (device.quarantined_until !== null && device.quarantined_until.getTime() > now())
    return { kind: 'quarantined', reason: 'in quarantine' };
  if ('http_headers' in request) {
    if (!providers.apns) return { kind: 'config_error', reason: 'APNs is not configured' };
    const { token, ios_app_id } = device;
    const { http_headers: headers, payload } = request;
    const topic = ios_app_id ?? '';
    return providers.apns.send({ id: push.id, token, topic, headers, payload }, number);
  }
  if (!providers.fcm) return { kind: 'config_error', reason: 'FCM is not configured' };
  const { payload, fcm_priority: priority } = request;
  return providers.fcm.send({ token: device.token, priority, payload }, number);
}

function heedRegistration(verdict: Verdict, device: Device): Verdict {
  const newer =
    verdict.kind === 'dead' && verdict.since !== undefined && verdict.since < device.registered_at;
  return newer
    ? { kind: 'retry', reason: `${verdict.reason} before it was registered`, after: RACE_DELAY }
    : verdict;
}
