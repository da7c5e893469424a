import {
  api,
  ApiError,
  type Endpoint,
  type ErrorCode,
  type Permission,
  roles,
} from '@bellhop/protocol';
import {
  type PermissionCase,
  permissionCases,
  type Sample,
} from '@bellhop/server/contract-fixtures';
import { type Person, startTestChat, type TestChat } from '@bellhop/server/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import {
  type CallerKind,
  type ChatCaller,
  type ChatCallers,
  startChatWithCallers,
} from './support/chat-callers.ts';
import { expectDocumentedResponse, expectError } from './support/expect-response.ts';
import {
  type SettingValue,
  type SettingWriter,
  settingWriter,
} from './support/permission-setting.ts';
import { requestOf, sendRequest } from './support/raw-request.ts';
import {
  accessRefusal,
  flagOf,
  isGranted,
  isRequired,
  type PermissionSettings,
  permissionSettings,
} from './support/required-permissions.ts';
import { sampleOf, spectatorSample } from './support/sample-parameters.ts';

const endpoints: Endpoint[] = Object.values(api).flatMap((resource) => Object.values(resource));
const byRoute = endpoints.map((endpoint) => [endpoint.route, endpoint] as const);
/** The errors of endpoints that fail for everybody on a server without a push bouncer. */
const unavailable: Readonly<Record<string, ErrorCode>> = {
  'POST /mobile_push/register': 'PUSH_SERVICE_NOT_CONFIGURED',
  'POST /mobile_push/e2ee/test_notification': 'PUSH_SERVICE_NOT_CONFIGURED',
  'GET /mobile_push/traces/bouncer': 'PUSH_SERVICE_NOT_CONFIGURED',
  // The bot of these tests is no outgoing webhook.
  'POST /bots/me/endpoint/verify': 'BAD_REQUEST',
};

let chat: TestChat;
let callers: ChatCallers;
let settings: PermissionSettings;

beforeAll(async () => {
  ({ chat, callers } = await startChatWithCallers());
  settings = await permissionSettings(chat);
});
afterAll(() => chat[Symbol.asyncDispose]());

/**
 * Parameters for a caller. A caller who cannot create an object of their own gets one of the
 * owner's.
 */
async function sampleFor(
  endpoint: Endpoint,
  { person }: ChatCaller,
): Promise<{ sample: Sample; isOwn: boolean }> {
  try {
    return { sample: await sampleOf(endpoint, chat, person), isOwn: true };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { sample: await sampleOf(endpoint, chat), isOwn: false };
  }
}

/** Refusals of the caller: every request of this caller gets the same. */
const refusalsOfCallers: ReadonlySet<ErrorCode> = new Set([
  'UNAUTHORIZED',
  'INVALID_API_KEY',
  'USER_DEACTIVATED',
  'UNAUTHORIZED_PRINCIPAL',
]);

describe('roles', () => {
  test.each(byRoute)('%s admits and refuses callers as declared', async (route, endpoint) => {
    // Refused requests use nothing up: all get the same.
    const refusedSample = await sampleOf(endpoint, chat);
    for (const [kind, caller] of Object.entries(callers) as [CallerKind, ChatCaller][]) {
      const refused = accessRefusal(endpoint, kind, caller);
      const { sample, isOwn } =
        refused && refusalsOfCallers.has(refused)
          ? { sample: refusedSample, isOwn: false }
          : await sampleFor(endpoint, caller);
      const missing = endpoint.permissions.find(
        (permission) =>
          isRequired(permission, endpoint, sample) &&
          !isGranted(permission, caller, { isOwn, settings }),
      );
      const code = refused ?? (missing ? (missing.refusal ?? 'BAD_REQUEST') : undefined);
      const answer = await sendRequest(chat.url, {
        ...requestOf(endpoint, sample),
        credentials: caller.credentials,
      });
      expectDocumentedResponse(endpoint, answer, kind);
      if (code) expectError(answer, code, kind);
      else if (unavailable[route]) expectError(answer, unavailable[route], kind);
      else if (kind !== 'nobody' || endpoint.access === 'anyone')
        expect(answer.body, `${kind} ${answer.text}`).toMatchObject({ result: 'success' });
    }
  });
});

describe('somebody without a login', () => {
  const open = byRoute.filter(([, { access }]) => access === 'optional');

  test.each(open)('%s is open in a realm with spectator access only', async (_route, endpoint) => {
    const { client } = chat.people.desdemona;
    const sample = await spectatorSample(endpoint, chat);
    const ask = () => sendRequest(chat.url, requestOf(endpoint, sample));
    await client.realms.update({ enable_spectator_access: true });
    expect((await ask()).body).toMatchObject({ result: 'success' });
    await client.realms.update({ enable_spectator_access: false });
    expectError(await ask(), 'UNAUTHORIZED');
  });
});

/** Realm settings that no operation requires, each with the effect that it has instead. */
const otherSettings: Readonly<Record<string, string>> = {
  'realm.can_access_all_users_group': 'which users guests see',
  'realm.can_manage_billing_group': 'nothing: the server has no billing',
  'realm.can_summarize_topics_group': 'nothing: the server has no summaries',
};

describe('permissions', () => {
  const cases = byRoute.flatMap(([route, endpoint]) =>
    endpoint.permissions.map(
      (permission) => [`${route}: ${permission.to}`, endpoint, permission] as const,
    ),
  );
  const isSetting = (grant: string) => /^(realm|channel|group)\./.test(grant);
  let other: TestChat;
  let writer: SettingWriter;
  let made: Awaited<ReturnType<typeof permissionCases>>;
  let people: Readonly<Record<string, ChatCaller & { readonly person: Person }>>;

  beforeAll(async () => {
    other = await startTestChat();
    made = await permissionCases();
    writer = await settingWriter(other, settings);
    const { desdemona, iago, shiva, hamlet, polonius } = other.people;
    const person = (one: Person) => ({ credentials: one, person: one, role: one.user.role });
    people = {
      'a guest': person(polonius),
      'a member': person(hamlet),
      'a moderator': person(shiva),
      'an administrator': person(iago),
      'the owner': person(desdemona),
    };
    const principals = Object.values(other.people).map(({ user }) => user.id);
    await desdemona.client.subscriptions.add({ subscriptions: [{ name: 'verona' }], principals });
  });
  afterAll(() => other[Symbol.asyncDispose]());

  /** A request that requires the permission, on something that is not the caller's own. */
  async function caseOf(
    endpoint: Endpoint,
    permission: Permission,
    caller: Person,
  ): Promise<PermissionCase | undefined> {
    const make = made[`${endpoint.route}: ${permission.to}`];
    if (make) return make(other, caller);
    return { sample: await sampleOf(endpoint, other, other.people.cordelia) };
  }

  /** The permission that guests lack whatever the settings, as every request requires it. */
  const guestBar = ({ permissions }: Endpoint, role: number | undefined) =>
    role === roles.guest
      ? permissions.find(
          ({ when, where, grants }) =>
            when === undefined &&
            where === undefined &&
            !grants.includes('own') &&
            grants.every(
              (grant) =>
                flagOf(grant) === undefined && settings.get(grant)?.allow_everyone_group !== true,
            ),
        )
      : undefined;

  interface Attempt {
    readonly kind: string;
    /** Values of the settings that grant it; the others leave out everybody. */
    readonly values?: Readonly<Record<string, SettingValue>>;
    readonly isGranted: boolean;
  }

  /** Expects that each attempt succeeds or is refused. Their objects are made first, before the realm refuses it. */
  async function expectOutcomes(
    endpoint: Endpoint,
    permission: Permission,
    attempts: readonly Attempt[],
  ) {
    await writer.arrangeRealm({});
    const ready = [];
    for (const { kind, values = {}, isGranted: isGrantedNow } of attempts) {
      const caller = people[kind];
      if (!caller) throw new Error(`There is no ${kind}`);
      if (accessRefusal(endpoint, kind as CallerKind, caller)) continue;
      const target = await caseOf(endpoint, permission, caller.person);
      if (!target) continue;
      const used = Object.fromEntries(
        permission.grants
          .filter(isSetting)
          .map((grant) => [grant, values[grant] ?? writer.smallest(grant)]),
      );
      await writer.set(target, used);
      const about = `${kind} ${JSON.stringify(values)}`;
      ready.push({ caller, target, used, about, isGrantedNow });
    }
    for (const { caller, target, used, about, isGrantedNow } of ready) {
      await writer.arrangeRealm(used);
      const { sample } = target;
      const { credentials } = caller;
      const answer = await sendRequest(other.url, { ...requestOf(endpoint, sample), credentials });
      const missing =
        guestBar(endpoint, caller.role) ??
        neededFor(endpoint, permission, sample).find((one) =>
          one === permission ? !isGrantedNow : !isGranted(one, caller, { isOwn: false, settings }),
        );
      const outcome = missing ? { code: missing.refusal ?? 'BAD_REQUEST' } : { result: 'success' };
      expectDocumentedResponse(endpoint, answer, about);
      expect(answer.body, `${about} ${answer.text}`).toMatchObject(outcome);
    }
  }

  /** The permission, and those others that a request requires and no setting or ownership grants. */
  const neededFor = (endpoint: Endpoint, permission: Permission, sample: Sample) =>
    endpoint.permissions.filter(
      (one) =>
        one === permission ||
        (isRequired(one, endpoint, sample) &&
          !one.grants.some((grant) => isSetting(grant) || grant === 'own')),
    );

  test.each(cases)('%s: roles without a setting', async (_name, endpoint, permission) => {
    const attempts = Object.entries(people).map(([kind, caller]) => ({
      kind,
      isGranted: isGranted(permission, caller, { isOwn: false, settings, group: 'role:nobody' }),
    }));
    await expectOutcomes(endpoint, permission, attempts);
  });

  const granted = cases.flatMap(([name, endpoint, permission]) =>
    permission.grants
      .filter(isSetting)
      .map((grant) => [`${name}: ${grant}`, endpoint, permission, grant] as const),
  );

  test.each(granted)('%s', async (_name, endpoint, permission, grant) => {
    const setting = settings.get(grant);
    const kind = setting?.require_system_group ? 'a moderator' : 'a member';
    const named = people[kind]?.person;
    if (!named) throw new Error(`There is no ${kind}`);
    const attempts: Attempt[] = Object.values(await writer.naming(grant, named)).map((value) => ({
      kind,
      values: { [grant]: value },
      isGranted: true,
    }));
    if (!setting?.require_system_group) {
      const guest = other.people.polonius;
      const { 'the user alone': alone, off } = await writer.naming(grant, guest);
      attempts.push({
        kind: 'a guest',
        values: { [grant]: alone ?? off ?? false },
        isGranted: off === false || setting?.allow_everyone_group === true,
      });
    }
    await expectOutcomes(endpoint, permission, attempts);
  });

  test('each setting of realm, channel and user group grants a permission', () => {
    const used = new Set(granted.map(([, , , grant]) => grant as string));
    const unused = [...settings.keys()].filter((name) => !used.has(name));
    expect(unused.toSorted()).toEqual(Object.keys(otherSettings).toSorted());
  });

  test('each permission has a request that requires it', async () => {
    await writer.arrangeRealm({});
    const unmade: string[] = [];
    for (const [name, endpoint, permission] of cases) {
      if (made[name]) continue;
      const sample = await sampleOf(endpoint, other);
      const isCovered =
        isRequired(permission, endpoint, sample) && !permission.grants.some(isSetting);
      if (!isCovered) unmade.push(name);
    }
    expect(unmade).toEqual([]);
    const names: readonly string[] = cases.map(([name]) => name);
    expect(Object.keys(made).filter((name) => !names.includes(name))).toEqual([]);
  });
});
