import { randomBytes } from 'node:crypto';

import { registrationOf, sealed, seconds, strangersKey } from '../boxes.ts';
import { type Check, type CheckGroup, Deviation } from '../check.ts';
import { requireError, requireSuccess, shown } from '../send.ts';
import type { TokenKind } from '../simulator-control.ts';
import { describeState, type ServerPhone, type ServerTarget } from './server-target.ts';

const fields = [
  'token_kind',
  'push_account_id',
  'push_public_key',
  'bouncer_public_key',
  'encrypted_push_registration',
];
const withoutField = fields.map((field): Check<ServerTarget> => ({
  check: `a registration without ${field}`,
  section: 'Errors',
  async run(target) {
    const answer = await (await target.phone('fcm')).register({ [field]: undefined });
    const happened = requireError(answer, 400, 'REQUEST_VARIABLE_MISSING');
    if (answer.body['var_name'] === field) return happened;
    throw new Deviation(`${happened} with var_name ${JSON.stringify(answer.body['var_name'])}`);
  },
}));

const badFields: readonly (readonly [name: string, fields: object, isAdvice?: true])[] = [
  ['an unknown token_kind', { token_kind: 'pager' }],
  ['a push_account_id in words', { push_account_id: 'mine' }],
  ['a push_account_id with a fraction', { push_account_id: '1.5' }],
  ['a push_account_id of 65 bits', { push_account_id: '18446744073709551616' }],
  ['a push_public_key of 31 bytes', { push_public_key: base64(31) }, true],
  ['a push_public_key in the alphabet of URLs', { push_public_key: `${'_-'.repeat(21)}8=` }, true],
];
function base64(bytes: number): string {
  return Buffer.alloc(bytes, 7).toString('base64');
}
/** New each time: a server may refuse a box that another account has sent. */
const garbage = () => randomBytes(80).toString('base64');
const refusesField = badFields.map(([name, changes, isAdvice]): Check<ServerTarget> => ({
  check: name,
  section: 'Registration',
  ...(isAdvice ? { isAdvice } : {}),
  async run(target) {
    return requireError(await (await target.phone('fcm')).register(changes), 400, 'BAD_REQUEST');
  },
}));

const noLogin: Check<ServerTarget> = {
  check: 'a registration without a login',
  section: 'Errors',
  async run(target) {
    const answer = await target.call('POST', '/mobile_push/register', { token_kind: 'fcm' }, null);
    if (answer.status === 401) return shown(answer);
    throw new Deviation(`${shown(answer)} instead of 401`);
  },
};

const accepts = (kind: TokenKind): Check<ServerTarget> => ({
  check: `a good ${kind} registration: event and state`,
  section: 'State and events',
  async run(target) {
    const phone = await target.activePhone(kind);
    const state = await phone.state();
    if (state?.status !== 'active')
      throw new Deviation(`the event says active, push_devices ${describe(state)}`);
    if (state.error_code !== null)
      throw new Deviation('error_code of an active device is not null');
    return `active, push_account_id "${phone.accountId}" exact`;
  },
});

const describe = (state: Awaited<ReturnType<ServerPhone['state']>>) =>
  state === undefined ? 'does not have the device' : describeState(state);

/** A registration that the bouncer must refuse, with the code that the phone must get. */
const refused = (
  check: string,
  code: string,
  changes: (phone: ServerPhone, bouncerKey: string) => object,
): Check<ServerTarget> => ({
  check,
  section: 'State and events',
  async run(target) {
    const phone = await target.phone('fcm');
    const event = await phone.registered(changes(phone, target.options.bouncerPublicKey));
    if (event['status'] !== 'failed' || event['error_code'] !== code)
      throw new Deviation(`the event says ${describeState(event)} instead of failed ${code}`);
    const state = await phone.state();
    if (state?.status === 'failed' && state.error_code === code) return `failed ${code}`;
    throw new Deviation(`the event says failed, push_devices ${describe(state)}`);
  },
});

const again: Check<ServerTarget> = {
  check: 'a failed registration is tried again with a better box',
  section: 'Life of a device',
  async run(target) {
    const phone = await target.phone('fcm');
    const damaged = { encrypted_push_registration: garbage() };
    const first = await phone.registered(damaged);
    const second = await phone.registered();
    if (first['status'] === 'failed' && second['status'] === 'active') return 'failed, then active';
    throw new Deviation(`${describeState(first)}, then ${describeState(second)}`);
  },
};

const repeated: Check<ServerTarget> = {
  check: 'a registration that is repeated stays active',
  section: 'Life of a device',
  async run(target) {
    const phone = await target.activePhone('fcm');
    requireSuccess(await phone.register());
    const state = await phone.state();
    if (state?.status === 'active') return 'active';
    throw new Deviation(`push_devices ${describe(state)}`);
  },
};

/** Checks of registrations and of their answers. */
export const registrationChecks: CheckGroup<ServerTarget> = {
  group: 'registration',
  checks: [
    ...withoutField,
    ...refusesField,
    noLogin,
    accepts('fcm'),
    accepts('apns'),
    refused('a key that the bouncer does not have', 'INVALID_BOUNCER_PUBLIC_KEY', () => ({
      bouncer_public_key: strangersKey(),
    })),
    refused('a box of 25 hours ago', 'REQUEST_EXPIRED', ({ installed }, key) => ({
      encrypted_push_registration: sealed(
        { ...registrationOf(installed), timestamp: seconds() - 90_000 },
        key,
      ),
    })),
    refused('a box that cannot be opened', 'BAD_REQUEST', () => ({
      encrypted_push_registration: garbage(),
    })),
    refused('a box without JSON', 'BAD_REQUEST', (_phone, key) => ({
      encrypted_push_registration: sealed('hello', key),
    })),
    again,
    repeated,
  ],
};
