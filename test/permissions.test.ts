import { api, ApiError, type Endpoint, type ErrorCode } from '@bellhop/protocol';
import type { Sample } from '@bellhop/server/contract-fixtures';
import type { TestChat } from '@bellhop/server/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import {
  type CallerKind,
  type ChatCaller,
  type ChatCallers,
  startChatWithCallers,
} from './support/chat-callers.ts';
import { expectDocumentedResponse, expectError } from './support/expect-response.ts';
import { requestOf, sendRequest } from './support/raw-request.ts';
import {
  accessRefusal,
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
