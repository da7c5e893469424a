import { done, job } from '@bellhop/jobs';
import { ApiError, type PushAccountId, PushDeviceError, RealmId } from '@bellhop/protocol';
import { z } from 'zod';

import type { App } from '../../engine/app.ts';
import type { Tx } from '../../engine/call.ts';
import { announce } from './announce-realms.ts';
import { type BouncerTrouble, logTrouble, retryAfter, troubleOf } from './bouncer-trouble.ts';
import * as queries from './queries.ts';

const Registration = z.object({
  realm_id: RealmId,
  device_id: z.int(),
  bouncer_public_key: z.string(),
  /** Only the bouncer can open it. It is kept nowhere else, and goes with the job. */
  encrypted_push_registration: z.string(),
});
type Registration = z.output<typeof Registration>;

/** Quick at first, then every quarter of an hour, until a registration is a day old and void. */
const schedule = [2, 5, 15, 60, 300, ...Array<number>(97).fill(900)];

/** Registers a device with the bouncer and tells its user what came of it. */
export const registerWithBouncer = job<Registration, App>({
  name: 'register_with_bouncer',
  payload: Registration,
  lane: 'bouncer',
  retry: schedule,
  timeoutMs: 70_000,
  async run(payload, app, { signal }) {
    const account = await queries.pendingAccount(app.db.kysely, payload);
    if (account === undefined) return done();
    try {
      const bouncer_device_id = await register(app, { ...payload, account, signal });
      return done({ write: settling(app, payload, { bouncer_device_id }) });
    } catch (error) {
      const trouble = troubleOf(error);
      if (trouble.kind === 'refused') {
        const error_code = refusalOf(trouble);
        return done({
          result: { error_code },
          write: settling(app, payload, { error_code }),
        });
      }
      logTrouble(app, trouble, 'a device could not be registered yet');
      return retryAfter(trouble);
    }
  },
  onDead: (tx, { payload }, app) => settling(app, payload, { error_code: 'REQUEST_EXPIRED' })(tx),
});

interface Question extends Registration {
  readonly account: PushAccountId;
  readonly signal: AbortSignal;
}

async function register(app: App, { signal, ...question }: Question): Promise<number> {
  const { bouncer } = app;
  if (!bouncer) throw new Error('The server is no longer configured to use a push bouncer');
  const { uuid } = await app.realms.byId(question.realm_id);
  const ask = () =>
    bouncer.push.register(
      {
        realm_uuid: uuid,
        push_account_id: question.account,
        bouncer_public_key: question.bouncer_public_key,
        encrypted_push_registration: question.encrypted_push_registration,
      },
      { signal },
    );
  const { device_id } = await ask().catch(async (error: unknown) => {
    if (!isUnknownToBouncer(error)) throw error;
    await announce(app, signal);
    return ask();
  });
  return device_id;
}

const isUnknownToBouncer = (error: unknown) =>
  error instanceof ApiError && (error.status === 401 || error.code === 'MISSING_REMOTE_REALM');

/** The phone is told one of three codes: to be updated, to try again, or that it was not understood. */
function refusalOf({ code }: BouncerTrouble) {
  const known = PushDeviceError.safeParse(code);
  return known.success ? known.data : 'BAD_REQUEST';
}

/** What is written together with the end of the job. */
const settling =
  (app: App, device: queries.DeviceOfRealm, end: Parameters<typeof queries.settle>[2]) =>
  (tx: Tx): Promise<void> =>
    app.changeIn(tx, { id: device.realm_id }, async ({ db, emit }) => {
      const row = await queries.settle(db, device, end);
      if (!row) return;
      const push_account_id = String(row.push_account_id);
      emit(
        'error_code' in end
          ? { type: 'push_device', push_account_id, status: 'failed', error_code: end.error_code }
          : { type: 'push_device', push_account_id, status: 'active' },
        [row.user_id],
      );
    });
