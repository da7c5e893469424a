import { garbageBox, newAccountId, refusedRegistrations, sealed } from '../boxes.ts';
import { type Check, type CheckGroup, Deviation } from '../check.ts';
import { requireError, requireSuccess, shown } from '../send.ts';
import type { TokenKind } from '../simulator-control.ts';
import { type AccountPhone, activeAccount, describeState, newAccount } from './account-phone.ts';
import { TEST_PATH } from './app-on-phone.ts';
import type { ServerTarget } from './server-target.ts';

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
    const answer = await (await newAccount(target, 'fcm')).register({ [field]: undefined });
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
const refusesField = badFields.map(([name, changes, isAdvice]): Check<ServerTarget> => ({
  check: name,
  section: 'Registration',
  ...(isAdvice ? { isAdvice } : {}),
  async run(target) {
    return requireError(
      await (await newAccount(target, 'fcm')).register(changes),
      400,
      'BAD_REQUEST',
    );
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
    const phone = await activeAccount(target, kind);
    const state = await phone.state();
    if (state?.status !== 'active')
      throw new Deviation(`the event says active, push_devices ${describe(state)}`);
    if (state.error_code !== null)
      throw new Deviation('error_code of an active device is not null');
    return `active, push_account_id "${phone.accountId}" exact`;
  },
});

const describe = (state: Awaited<ReturnType<AccountPhone['state']>>) =>
  state === undefined ? 'does not have the device' : describeState(state);

/** A registration that the bouncer must refuse, with the code that the phone must get. */
const refused = (
  check: string,
  code: string,
  changes: (phone: AccountPhone, bouncerKey: string) => object,
): Check<ServerTarget> => ({
  check,
  section: 'State and events',
  async run(target) {
    const phone = await newAccount(target, 'fcm');
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
    const phone = await newAccount(target, 'fcm');
    const damaged = { encrypted_push_registration: garbageBox() };
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
    const phone = await activeAccount(target, 'fcm');
    requireSuccess(await phone.register());
    const state = await phone.state();
    if (state?.status === 'active') return 'active';
    throw new Deviation(`push_devices ${describe(state)}`);
  },
};

const rotated: Check<ServerTarget> = {
  check: 'a phone with a new account and key gets each push once',
  section: 'Life of a device',
  isAdvice: true,
  async run(target) {
    const old = await activeAccount(target, 'fcm');
    const phone = old.otherAccount();
    const event = await phone.registered();
    if (event['status'] !== 'active') throw new Deviation(describeState(event));
    requireSuccess(await target.call('POST', TEST_PATH));
    phone.decrypt(await phone.next());
    const more = await phone.moreWithin(500);
    if (more.length > 0) throw new Deviation(`${more.length + 1} notifications arrived`);
    return 'one arrived, for the new key';
  },
};

const testOfNobody: Check<ServerTarget> = {
  check: 'a test notification for an unknown account',
  section: 'Test notification',
  async run(target) {
    const answer = await target.call('POST', TEST_PATH, { push_account_id: newAccountId() });
    return requireError(answer, 400, 'NO_ACTIVE_PUSH_DEVICE');
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
    ...refusedRegistrations.map((one) => refused(...one)),
    refused('a box without JSON', 'BAD_REQUEST', (_phone, key) => ({
      encrypted_push_registration: sealed('hello', key),
    })),
    again,
    repeated,
    rotated,
    testOfNobody,
  ],
};
