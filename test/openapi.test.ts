import { api, bouncer, bouncerV1, openapi, outgoingWebhooks, VERSION } from '@bellhop/protocol';
import { startTestChat } from '@bellhop/server/testing';
import { expect, test } from 'vitest';

const documents = {
  api: openapi(api, {
    title: 'Bellhop chat server API',
    version: VERSION,
    server: '/api/v1',
    webhooks: outgoingWebhooks,
  }),
  bouncer: openapi(bouncer, {
    title: 'Bellhop push bouncer API',
    version: VERSION,
    server: '/api/v1/remotes',
  }),
  'bouncer-v1': openapi(bouncerV1, {
    title: 'Bellhop push bouncer API, version 1',
    version: VERSION,
    server: '/v1',
  }),
};

/**
 * A change to an API shows in review as a change to its document. After an intended change run
 * `npx vitest run test/openapi.test.ts -u` and read the difference as the author of a client would.
 */
test.each(Object.entries(documents))(
  'the OpenAPI document of the %s equals the reviewed one',
  async (name, document) => {
    const text = `${JSON.stringify(document, null, 1)}\n`;
    await expect(text).toMatchFileSnapshot(`openapi/${name}.json`);
  },
);

test('GET /api/openapi.json returns the reviewed document', async () => {
  await using chat = await startTestChat();
  const answer = await fetch(`${chat.url}/api/openapi.json`);
  expect(await answer.json()).toEqual(JSON.parse(JSON.stringify(documents.api)));
});
