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
import { type BouncerTarget, deviceIdIn } from './bouncer-target.ts';

const registers = (kind: TokenKind): Check<BouncerTarget> => ({
  check: `a phone with an ${kind} token registers, and repeats it`,
  section: 'Registration at the bouncer',
  async run(target) {
    const phone = await target.newPhone(kind);
    const first = deviceIdIn(requireSuccess(await target.registerPhone(phone)).body);
    const second = deviceIdIn(requireSuccess(await target.registerPhone(phone)).body);
    if (first !== second)
      throw new Deviation(`device_id ${first}, and ${second} for the same account and token`);
    return `device_id ${first} both times`;
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
    if (rest.accepted) return `device_id ${deviceIdIn(requireSuccess(answer).body)}`;
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
    const box = malformedBoxes(phone, target.bouncerPublicKey)[name];
    const answer = await target.registerPhone(phone, { encrypted_push_registration: box });
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
    return `device_id ${deviceIdIn(requireSuccess(answer).body)}`;
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

const withoutField = [
  'realm_uuid',
  'push_account_id',
  'encrypted_push_registration',
  'bouncer_public_key',
].map((field): Check<BouncerTarget> => ({
  check: `a registration without ${field}`,
  section: 'Errors',
  async run(target) {
    const answer = await target.registerPhone(await target.newPhone('fcm'), {
      [field]: undefined,
    });
    return requireError(answer, 400, 'REQUEST_VARIABLE_MISSING', 'BAD_REQUEST');
  },
}));

/** Registrations of phones, good and bad. */
export const deviceChecks: CheckGroup<BouncerTarget> = {
  group: 'registrations of phones',
  checks: [
    registers('fcm'),
    registers('apns'),
    dated('a registration of an hour ago', -3600, { accepted: true }),
    dated('a registration of 25 hours ago', -90_000, {}),
    dated('a registration of next week', 7 * 86_400, { isAdvice: true }),
    unknownKey,
    unknownFields,
    ...malformed,
    replay,
    ...withoutField,
  ],
};
