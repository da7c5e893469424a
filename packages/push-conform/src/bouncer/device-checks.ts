import { randomUUID } from 'node:crypto';

import { tokenId } from '@bellhop/push-crypto';

import {
  malformedBoxes,
  newAccountId,
  registrationOf,
  sealed,
  seconds,
  strangersKey,
} from '../boxes.ts';
import { type Check, type CheckGroup, Deviation } from '../check.ts';
import { requireError, requireSuccess } from '../send.ts';
import type { TokenKind } from '../simulator-control.ts';
import type { BouncerTarget } from './bouncer-target.ts';

const registers = (kind: TokenKind): Check<BouncerTarget> => ({
  check: `a phone with an ${kind} token registers, and repeats it`,
  section: 'Registration at the bouncer',
  async run(target) {
    const phone = await target.newPhone(kind);
    const first = target.idIn(await target.registerPhone(phone), phone);
    const second = target.idIn(await target.registerPhone(phone), phone);
    if (first !== second)
      throw new Deviation(`device_id ${first}, and ${second} for the same account and token`);
    return `${first} both times`;
  },
});

/** A registration with a changed timestamp. */
const dated = (
  check: string,
  offset: number,
  rest: Pick<Check<BouncerTarget>, 'isAdvice'> & { accepted?: boolean },
): Check<BouncerTarget> => ({
  check,
  section: 'Registration at the bouncer',
  ...(rest.isAdvice ? { isAdvice: true } : {}),
  async run(target) {
    const phone = await target.newPhone('fcm');
    const registration = { ...registrationOf(phone), timestamp: seconds() + offset };
    const box = sealed(registration, target.bouncerPublicKey);
    const answer = await target.registerPhone(phone, { encrypted_push_registration: box });
    if (rest.accepted) return `registered as ${target.idIn(answer, phone)}`;
    return requireError(answer, 400, 'REQUEST_EXPIRED', ...(offset > 0 ? ['BAD_REQUEST'] : []));
  },
});

const unknownKey: Check<BouncerTarget> = {
  check: 'a bouncer_public_key that the bouncer does not have',
  section: 'Registration at the bouncer',
  async run(target) {
    const phone = await target.newPhone('fcm');
    const key = strangersKey();
    const box = sealed(registrationOf(phone), key);
    const changes = { encrypted_push_registration: box, bouncer_public_key: key };
    return requireError(
      await target.registerPhone(phone, changes),
      400,
      'INVALID_BOUNCER_PUBLIC_KEY',
    );
  },
};

const sampleBoxes = malformedBoxes(
  { token: 'sample', token_kind: 'fcm', app_id: 'org.example.app' },
  strangersKey(),
);
const malformed = Object.keys(sampleBoxes).map((name): Check<BouncerTarget> => ({
  check: `encrypted_push_registration: ${name}`,
  section: 'What is in the box',
  async run(target) {
    const phone = await target.newPhone('fcm');
    const { box, token = phone.token } = malformedBoxes(phone, target.bouncerPublicKey)[name] ?? {};
    const changes = { encrypted_push_registration: box };
    // Of the token in the box: it must not be refused for its token_id alone.
    const answer = await target.registerPhone({ ...phone, token }, changes);
    const missing = box === '' ? ['REQUEST_VARIABLE_MISSING'] : [];
    return requireError(answer, 400, 'BAD_REQUEST', ...missing);
  },
}));

const unknownFields: Check<BouncerTarget> = {
  check: 'a box with a field of a later version',
  section: 'What is in the box',
  async run(target) {
    const phone = await target.newPhone('apns');
    const box = sealed({ ...registrationOf(phone), later: true }, target.bouncerPublicKey);
    const answer = await target.registerPhone(phone, { encrypted_push_registration: box });
    return `registered as ${target.idIn(answer, phone)}`;
  },
};

const replay: Check<BouncerTarget> = {
  check: 'the box of one account, sent for another',
  section: 'Registration at the bouncer',
  isAdvice: true,
  async run(target) {
    const phone = await target.newPhone('fcm');
    const box = sealed(registrationOf(phone), target.bouncerPublicKey);
    requireSuccess(await target.registerPhone(phone, { encrypted_push_registration: box }));
    const thief = { ...phone, accountId: newAccountId() };
    const answer = await target.registerPhone(thief, { encrypted_push_registration: box });
    return requireError(answer, 400, 'BAD_REQUEST');
  },
};

const withoutField = (field: string): Check<BouncerTarget> => ({
  check: `a registration without ${field}`,
  section: 'Errors',
  async run(target) {
    const answer = await target.registerPhone(await target.newPhone('fcm'), {
      [field]: undefined,
    });
    return requireError(answer, 400, 'REQUEST_VARIABLE_MISSING', 'BAD_REQUEST');
  },
});

/** What a bouncer checks of phones of both generations. */
const common = [
  registers('fcm'),
  registers('apns'),
  dated('a registration of an hour ago', -3600, { accepted: true }),
  dated('a registration of 25 hours ago', -90_000, {}),
  dated('a registration of next week', 7 * 86_400, { isAdvice: true }),
  unknownKey,
  unknownFields,
  ...malformed,
  ...['realm_uuid', 'encrypted_push_registration', 'bouncer_public_key'].map(withoutField),
];

/** Registrations of phones of levels 406 to 467, good and bad. */
export const accountChecks: CheckGroup<BouncerTarget> = {
  group: 'registrations of phones',
  checks: [...common, replay, withoutField('push_account_id')],
};

/** A registration with a `token_id` that must be refused. */
const refusesTokenId = (name: string, idOf: (token: string) => string): Check<BouncerTarget> => ({
  check: `a token_id ${name}`,
  section: 'Token IDs at the bouncer',
  async run(target) {
    const phone = await target.newPhone('fcm');
    const answer = await target.registerPhone(phone, { token_id: idOf(phone.token) });
    return requireError(answer, 400, 'BAD_REQUEST');
  },
});
const bytesOf = (token: string) => Buffer.from(tokenId(token), 'base64');

const letters: Check<BouncerTarget> = {
  check: 'a token_id is of the token in the letters of the phone',
  section: 'Token IDs at the bouncer',
  async run(target) {
    const phone = await target.newPhone('apns');
    const small = phone.token.toLowerCase();
    const large = { ...phone, token: phone.token.toUpperCase() };
    requireSuccess(await target.registerPhone(large));
    const answer = await target.registerPhone(large, { token_id: tokenId(small) });
    return `of capitals: success; of small letters: ${requireError(answer, 400, 'BAD_REQUEST')}`;
  },
};

const sameBox: Check<BouncerTarget> = {
  check: 'the same box again, from a server that got no answer',
  section: 'Token IDs at the bouncer',
  async run(target) {
    const phone = await target.newPhone('fcm');
    const box = sealed(registrationOf(phone), target.bouncerPublicKey);
    for (let times = 0; times < 2; times++)
      requireSuccess(await target.registerPhone(phone, { encrypted_push_registration: box }));
    return 'success both times';
  },
};

const otherRealm: Check<BouncerTarget> = {
  check: 'the box of one realm, sent for another',
  section: 'Token IDs at the bouncer',
  isAdvice: true,
  async run(target) {
    const phone = await target.newPhone('fcm');
    const box = sealed(registrationOf(phone), target.bouncerPublicKey);
    requireSuccess(await target.registerPhone(phone, { encrypted_push_registration: box }));
    const realm_uuid = randomUUID();
    requireSuccess(await target.announce(realm_uuid));
    const changes = { realm_uuid, encrypted_push_registration: box };
    return requireError(await target.registerPhone(phone, changes), 400, 'BAD_REQUEST');
  },
};

/** Registrations of phones of level 468 and later, good and bad. */
export const tokenChecks: CheckGroup<BouncerTarget> = {
  group: 'registrations of phones',
  checks: [
    ...common,
    withoutField('token_id'),
    refusesTokenId('of another token', () => tokenId(randomUUID())),
    refusesTokenId('of 7 bytes', (token) => bytesOf(token).subarray(0, 7).toString('base64')),
    refusesTokenId('of 9 bytes', (token) =>
      Buffer.concat([bytesOf(token), Buffer.of(0)]).toString('base64'),
    ),
    refusesTokenId('without padding', (token) => tokenId(token).replaceAll('=', '')),
    letters,
    sameBox,
    otherRealm,
  ],
};
