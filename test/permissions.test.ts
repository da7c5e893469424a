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
import { type SettingWriter, settingWriter } from './support/permission-setting.ts';
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

/** Parameters for a caller. Who cannot make one of their own gets one of the owner's. */
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

describe('roles', () => {
  test.each(byRoute)('%s admits and refuses callers as declared', async (route, endpoint) => {
    for (const [kind, caller] of Object.entries(callers) as [CallerKind, ChatCaller][]) {
      const { sample, isOwn } = await sampleFor(endpoint, caller);
      const refused = accessRefusal(endpoint, kind, caller);
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

/** Realm settings that no operation requires, each with what it decides instead. */
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
    readonly endpoint: Endpoint;
    readonly permission: Permission;
    readonly kind: string;
    /** Values of the settings that grant it; the others leave out everybody. */
    readonly values?: Readonly<Record<string, unknown>>;
    readonly isGranted: boolean;
  }

  async function expectOutcome({ endpoint, permission, kind, values = {}, ...attempt }: Attempt) {
    const caller = people[kind];
    if (!caller) throw new Error(`There is no ${kind}`);
    const refused = accessRefusal(endpoint, kind as CallerKind, caller);
    if (refused) return;
    const target = await caseOf(endpoint, permission, caller.person);
    if (!target) return;
    // The owner can change the settings of a group as long as they manage it: these come last.
    const used = permission.grants.filter(isSetting).toReversed();
    for (const grant of used)
      await writer.set(grant, target, (values[grant] as never) ?? writer.smallest(grant));
    const answer = await sendRequest(other.url, {
      ...requestOf(endpoint, target.sample),
      credentials: caller.credentials,
    });
    for (const grant of used) {
      const initial = writer.defaultOf(grant);
      if (initial !== undefined) await writer.set(grant, target, initial);
    }
    const others = endpoint.permissions.filter(
      (one) =>
        one !== permission &&
        isRequired(one, endpoint, target.sample) &&
        !one.grants.some((grant) => isSetting(grant) || grant === 'own'),
    );
    const needed = endpoint.permissions.filter((one) => one === permission || others.includes(one));
    const missing =
      guestBar(endpoint, caller.role) ??
      needed.find((one) =>
        one === permission
          ? !attempt.isGranted
          : !isGranted(one, caller, { isOwn: false, settings }),
      );
    const about = `${kind} ${JSON.stringify(values)} ${answer.text}`;
    expectDocumentedResponse(endpoint, answer, about);
    if (missing)
      expect(answer.body, about).toMatchObject({ code: missing.refusal ?? 'BAD_REQUEST' });
    else expect(answer.body, about).toMatchObject({ result: 'success' });
  }

  test.each(cases)('%s: roles without a setting', async (_name, endpoint, permission) => {
    for (const [kind, caller] of Object.entries(people))
      await expectOutcome({
        endpoint,
        permission,
        kind,
        isGranted: isGranted(permission, caller, { isOwn: false, settings, group: 'role:nobody' }),
      });
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
    for (const value of Object.values(await writer.naming(grant, named)))
      await expectOutcome({
        endpoint,
        permission,
        kind,
        values: { [grant]: value },
        isGranted: true,
      });
    if (setting?.require_system_group) return;
    const guest = other.people.polonius;
    const { 'the user alone': alone, off } = await writer.naming(grant, guest);
    await expectOutcome({
      endpoint,
      permission,
      kind: 'a guest',
      values: { [grant]: alone ?? off },
      isGranted: off === false || setting?.allow_everyone_group === true,
    });
  });

  test('each setting of realm, channel and user group grants a permission', () => {
    const used = new Set(granted.map(([, , , grant]) => grant as string));
    const unused = [...settings.keys()].filter((name) => !used.has(name));
    expect(unused.toSorted()).toEqual(Object.keys(otherSettings).toSorted());
  });

  test('each permission has a request that requires it', async () => {
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
