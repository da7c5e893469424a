import { ApiError, endpoint } from '@bellhop/protocol';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';

import { listen, type Listening } from './listen.ts';
import { serveContract } from './serve-contract.ts';

const contract = {
  things: {
    create: endpoint('POST /things', {
      summary: 'x',
      access: 'user',
      fileLimit: 2_000_000,
      params: { text: z.string() },
      result: { text: z.string(), size: z.int().nullable() },
    }),
    list: endpoint('GET /things', { summary: 'x', access: 'user' }),
  },
};

let listening: Listening;
let isAllowed: boolean;
const performed: string[] = [];
beforeEach(() => {
  isAllowed = true;
  performed.length = 0;
});
beforeAll(async () => {
  const handler = serveContract(contract, {
    prefix: '/api/v1',
    bodyLimit: 1000,
    admit: async () => {
      if (!isAllowed) throw new ApiError('UNAUTHORIZED');
    },
    perform: async ({ endpoint: { route }, params, file }) => {
      performed.push(route);
      return { text: params['text'], size: file?.length ?? null };
    },
    onError: (error) => {
      throw error;
    },
  });
  listening = await listen(handler);
});
afterAll(() => listening.stop(0));

async function post(body: NonNullable<RequestInit['body']>, headers: Record<string, string> = {}) {
  const url = `${listening.url}/api/v1/things`;
  const signal = AbortSignal.timeout(30_000);
  const init = { method: 'POST', body, headers, duplex: 'half', signal } as const;
  const response = await fetch(url, init);
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}
function formWith(size: number, fields: Record<string, string> = {}) {
  const form = new FormData();
  for (const [name, value] of Object.entries({ text: 'ü', ...fields })) form.set(name, value);
  form.set('any name', new File([new Uint8Array(size)], 'a.png'));
  return form;
}

test('a form with a file larger than other bodies reaches the operation with its parameters', async () => {
  const { body } = await post(formWith(2_000_000));
  expect(body).toEqual({ result: 'success', msg: '', text: 'ü', size: 2_000_000 });
});

test('a file above the limit of the endpoint is refused', async () => {
  for (const size of [2_000_001, 3_000_000])
    expect(await post(formWith(size))).toMatchObject({
      status: 400,
      body: { code: 'BAD_REQUEST' },
    });
  expect(performed).toEqual([]);
});

test('a caller without permission is refused before the file is read', async () => {
  isAllowed = false;
  const endless = new ReadableStream({
    // Not at once: a stream without a pause leaves no time to read the answer.
    async pull(controller) {
      await new Promise((resolve) => setImmediate(resolve));
      controller.enqueue(new TextEncoder().encode('--b\r\n'));
    },
  });
  const answer = post(endless, { 'content-type': 'multipart/form-data; boundary=b' });
  expect(await answer).toMatchObject({ status: 401 });
});

test('a form without a file keeps the limit of other bodies', async () => {
  const answer = await post(new URLSearchParams({ text: 'x'.repeat(1000) }));
  expect(answer).toMatchObject({ status: 413 });
});

test('the field `method` of a multipart form does not change the method', async () => {
  const { body } = await post(formWith(1, { method: 'GET' }));
  expect(body).toMatchObject({ size: 1, ignored_parameters_unsupported: ['method'] });
  expect(performed).toEqual(['POST /things']);
});
