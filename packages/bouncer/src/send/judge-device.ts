import type { App } from '../app.ts';
import { doubtDevice, type Device, settleDevice } from '../devices/queries.ts';
import type { NotificationVerdict, RetryVerdict } from '../providers/provider-verdict.ts';
import { providers } from '../providers/providers.ts';
import type { Gateway, Sender } from '../providers/sender.ts';

/** Seconds that a device is kept in quarantine after the provider called it dead without being believed. */
const DOUBT_SECONDS = [60, 300, 900];
/** A token that belongs to another app for this long counts as dead. */
const MISMATCH_MS = 7 * 86_400_000;

interface Judged {
  readonly device: Device;
  readonly sender: Sender;
  /** The gateway that answered; undefined if no request was sent. */
  readonly gateway: Gateway | undefined;
  readonly answer: NotificationVerdict;
  /** The number of the attempt, from 0. */
  readonly number: number;
}

/**
 * Applies an answer to the device. An answer that would delete the device counts only if the
 * provider is believed; else the device goes into quarantine and the notification waits.
 */
export async function judgeDevice(app: App, judged: Judged): Promise<NotificationVerdict> {
  const { device, sender, gateway, answer, number } = judged;
  const target = { sender, app: providers[sender.kind].appOf(device) };
  const believes = (reason: string) =>
    app.guard.believes(target, { token: device.token_hash.toString('base64'), reason });
  const doubt = async (reason: string): Promise<RetryVerdict> => {
    const after = DOUBT_SECONDS[Math.min(number, DOUBT_SECONDS.length - 1)] ?? 60;
    await doubtDevice(app.database.kysely, device, { now: app.now(), seconds: after });
    const why = 'doubted, because the provider has accepted too few other notifications';
    return { kind: 'retry', reason: `${reason}: ${why}`, after, cause: 'doubted' };
  };
  switch (answer.kind) {
    case 'accepted': {
      await app.guard.accepted(target);
      const isOther = sender.gateways.length > 1 && device.environment !== gateway?.environment;
      if (gateway && (isOther || device.quarantined_since !== null))
        await settle(app, device, gateway);
      return answer;
    }
    case 'dead':
      return (await believes(answer.reason)) ? answer : doubt(answer.reason);
    case 'quarantined': {
      if (!answer.isMismatch) return answer;
      const since = device.quarantined_since?.getTime() ?? app.now();
      const isFinal = app.now() - since >= MISMATCH_MS;
      if (!isFinal && (await app.guard.isProven(target))) return answer;
      if (!(await believes(answer.reason))) return doubt(answer.reason);
      return isFinal ? { kind: 'dead', reason: answer.reason } : answer;
    }
    default:
      return answer;
  }
}

/** Records in which environment the token is valid, and ends the quarantine of the device. */
async function settle({ database, log }: App, device: Device, gateway: Gateway): Promise<void> {
  await settleDevice(database.kysely, device, gateway.environment).catch((error: unknown) =>
    log.warn({ err: error }, 'the environment of a device was not recorded'),
  );
}
