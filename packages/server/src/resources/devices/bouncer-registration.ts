import { done } from '@bellhop/jobs';
import {
  type AskOf,
  badRequest,
  type Bouncer,
  PushDeviceError,
  type RealmId,
  type ResultOf,
  type TokenKind,
  type UserId,
} from '@bellhop/protocol';

import { ApiError } from '../../engine/api-error.ts';
import type { JobApp } from '../../engine/app.ts';
import type { Db, Tx } from '../../engine/call.ts';
import type { Tables } from '../../engine/tables.ts';
import { activeDevices } from '../../model/devices/active-devices.ts';
import {
  type BouncerFailure,
  failureOf,
  logFailure,
  retryAfter,
} from '../../model/devices/bouncer-failure.ts';
import { oneLine } from '../../model/devices/message-push/cut-text.ts';
import type { DeviceFailure } from '../../model/devices/queries.ts';
import * as users from '../../model/users/queries.ts';
import { announce } from './announce-realms.ts';
import type { DeviceChange } from './end-devices.ts';

/** What the jobs that register devices with the bouncer have alike. */
export const registrationJob = {
  lane: 'bouncer',
  /** Seconds between attempts: a day in all, after which the bouncer rejects the registration as expired. */
  retry: [2, 5, 15, 60, 300, ...Array<number>(97).fill(900)],
  timeoutMs: 70_000,
} as const;

/** After the last attempt. The log has the reason of each one, for the administrators. */
export const unreached: DeviceFailure = {
  error_code: 'REQUEST_EXPIRED',
  error_message:
    'The push service could not register the device for a day: register again, and ask an administrator if that fails, too',
};

export type BouncerRegistration = AskOf<Bouncer['push']['register']> & {
  readonly token_kind: TokenKind;
};

/**
 * Registers a device with the bouncer, after an announcement of the realm if the bouncer does not know it.
 * Throws BAD_REQUEST if the box holds a token of another kind than the phone has named.
 */
export async function register(
  app: JobApp,
  request: BouncerRegistration,
  signal: AbortSignal,
): Promise<ResultOf<Bouncer['push']['register']>> {
  const { bouncer } = app;
  if (!bouncer) throw new Error('The server is no longer configured to use a push bouncer');
  const ask = () => bouncer.push.register(request, { signal });
  const registered = await ask().catch(async (error: unknown) => {
    if (!isUnknownToBouncer(error)) throw error;
    await announce(app, signal);
    return ask();
  });
  const { token_kind = request.token_kind } = registered;
  if (token_kind !== request.token_kind)
    throw badRequest(
      `token_kind of the encrypted registration is ${token_kind}, not ${request.token_kind}`,
    );
  return registered;
}

const isUnknownToBouncer = (error: unknown) =>
  error instanceof ApiError && (error.status === 401 || error.code === 'MISSING_REMOTE_REALM');

interface Owner {
  readonly id: UserId;
  readonly realm_id: RealmId;
}
interface Settling<Registered> {
  /** Asks the bouncer, which answers a repeated request alike. */
  readonly ask: () => Promise<Registered>;
  readonly settle: (change: DeviceChange, registered: Registered) => Promise<void>;
}

/**
 * Asks the bouncer and stores its answer. Asks again if another device of the user became active meanwhile:
 * the answer may not name it, although it has the same token.
 */
export async function registerAndSettle<Registered>(
  app: JobApp,
  owner: Owner,
  { ask, settle }: Settling<Registered>,
): Promise<void> {
  for (let isSettled = false; !isSettled;) {
    const known = new Set(await activeNames(app.db.kysely, owner));
    const registered = await ask();
    isSettled = await app.change({ id: owner.realm_id }, async (change) => {
      await users.lock(change.db, owner);
      if ((await activeNames(change.db, owner)).some((name) => !known.has(name))) return false;
      await settle(change, registered);
      return true;
    });
  }
}

async function activeNames(db: Db, { id, realm_id }: Owner): Promise<string[]> {
  const devices = await activeDevices(db, realm_id, { users: [id] });
  return devices.map((device) => `${device.form} ${device.id}`);
}

interface Attempt {
  /** For the log. */
  readonly device_id: number;
  readonly run: () => Promise<void>;
  /** Writes why the bouncer refused the device, in the transaction that ends the job. */
  readonly refuse: (tx: Tx, failure: DeviceFailure) => Promise<void>;
}

/** Runs an attempt of a job: it ends with a success or a refusal, and is repeated after other failures. */
export async function attemptToRegister(app: JobApp, { device_id, run, refuse }: Attempt) {
  try {
    await run();
    return done<Tables>();
  } catch (error) {
    const failure = failureOf(error);
    if (failure.kind === 'refused') {
      app.log.warn({ device_id, reason: failure.reason }, 'push bouncer: a device was refused');
      const refusal = refusalOf(failure);
      return done<Tables>({
        result: { error_code: refusal.error_code },
        write: (tx: Tx) => refuse(tx, refusal),
      });
    }
    logFailure(app, failure, 'a device could not be registered yet');
    return retryAfter(failure);
  }
}

const MAX_MESSAGE_LENGTH = 500;

/** The error that the user of the phone gets: BAD_REQUEST for a code that the API does not know. */
function refusalOf({ code, message = '' }: BouncerFailure): DeviceFailure {
  const known = PushDeviceError.safeParse(code);
  // A bouncer may send what cannot be stored.
  const line = oneLine(message, MAX_MESSAGE_LENGTH);
  return {
    error_code: known.success ? known.data : 'BAD_REQUEST',
    error_message: line === '' ? 'The push service gave no reason' : line,
  };
}
