import { randomUUID } from 'node:crypto';

import { type Check, type CheckGroup, Deviation } from '../check.ts';
import { requireError, requireSuccess, shown } from '../send.ts';
import type { BouncerTarget } from './bouncer-target.ts';

const registers: Check<BouncerTarget> = {
  check: 'a chat server registers itself',
  section: 'Chat server and bouncer',
  async run(target) {
    const { body } = requireSuccess(await target.registerServer());
    if (typeof body['created'] !== 'boolean') throw new Deviation('success without "created"');
    const again = requireSuccess(await target.registerServer());
    if (again.body['created'] !== false)
      throw new Deviation('created is not false for a registered server');
    return `created ${body['created']}, then false`;
  },
};

const withoutField: readonly Check<BouncerTarget>[] = [
  'zulip_org_id',
  'zulip_org_key',
  'hostname',
  'contact_email',
].map((field) => ({
  check: `a registration without ${field}`,
  section: 'Errors',
  async run(target) {
    const answer = await target.registerServer(target.org, { [field]: undefined });
    return requireError(answer, 400, 'REQUEST_VARIABLE_MISSING', 'BAD_REQUEST');
  },
}));

const otherKey: Check<BouncerTarget> = {
  check: 'a registered server with another key',
  section: 'Chat server and bouncer',
  async run(target) {
    const answer = await target.registerServer([target.org[0], 'f'.repeat(64)]);
    if (answer.status === 401) return shown(answer);
    return requireError(answer, 400, 'INVALID_ZULIP_SERVER');
  },
};

const logins: Readonly<Record<string, (target: BouncerTarget) => [string, string] | null>> = {
  'no login': () => null,
  'a wrong key': ({ org: [id] }) => [id, '0'.repeat(64)],
  'the key without its last character': ({ org: [id, key] }) => [id, key.slice(0, -1)],
  'an unknown server': ({ org: [, key] }) => [randomUUID(), key],
  'an e-mail address for a login': ({ org: [, key] }) => ['ada@example.com', key],
};
const refusesLogin = Object.entries(logins).map(([name, login]): Check<BouncerTarget> => ({
  check: `a call with ${name}`,
  section: 'Errors',
  async run(target) {
    const answer = await target.post('/server/analytics', {}, login(target));
    if (answer.status !== 401) throw new Deviation(`${shown(answer)} instead of 401`);
    return shown(answer);
  },
}));

const unannounced: Check<BouncerTarget> = {
  check: 'a phone of a realm that was not announced',
  section: 'Chat server and bouncer',
  async run(target) {
    const phone = await target.newPhone('fcm');
    const answer = await target.registerPhone(phone, { realm_uuid: randomUUID() });
    return requireError(answer, 403, 'MISSING_REMOTE_REALM');
  },
};

const announces: Check<BouncerTarget> = {
  check: 'a server announces its realm',
  section: 'Chat server and bouncer',
  async run(target) {
    const { body } = requireSuccess(await target.announce());
    const status = (body['realms'] as Record<string, unknown> | undefined)?.[target.realm];
    if (typeof status !== 'object' || status === null)
      throw new Deviation('"realms" does not have the realm');
    const { can_push, expected_end_timestamp: end } = status as Record<string, unknown>;
    if (typeof can_push !== 'boolean') throw new Deviation('"can_push" is no boolean');
    if (end !== null && !Number.isInteger(end))
      throw new Deviation('"expected_end_timestamp" is neither an integer nor null');
    return `can_push ${can_push}`;
  },
};

const othersRealm: Check<BouncerTarget> = {
  check: 'a phone of a realm of another server',
  section: 'Chat server and bouncer',
  async run(target) {
    const stranger = await target.newServer();
    const answer = await target.notify([], { org: stranger });
    return requireError(answer, 403, 'REMOTE_REALM_SERVER_MISMATCH_ERROR', 'MISSING_REMOTE_REALM');
  },
};

/** Checks of the servers that may use the bouncer, and of their realms. */
export const serverChecks: CheckGroup<BouncerTarget> = {
  group: 'chat servers and realms',
  checks: [
    ...withoutField,
    registers,
    otherKey,
    ...refusesLogin,
    unannounced,
    announces,
    othersRealm,
  ],
};
