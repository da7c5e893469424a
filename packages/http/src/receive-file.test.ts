import { connect } from 'node:net';
import { text } from 'node:stream/consumers';

import { endpoint } from '@bellhop/protocol';
import { afterEach, expect, test } from 'vitest';
import { z } from 'zod';

import { listen, type Listening } from './listen.ts';
import type { IncomingFile, Receive } from './receive-file.ts';
import { serveContract } from './serve-contract.ts';

const contract = {
  files: {
    create: endpoint('POST /files', {
      summary: 'x',
      access: 'anyone',
      body: 'file',
      params: { text: z.string().optional() },
      result: { answer: z.unknown() },
    }),
  },
};
const LIMIT = 1_048_576;
const ends: Listening[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end.stop(0);
});

type Take = (receive: Receive, params: Record<string, unknown>) => Promise<unknown>;

async function serving(take: Take, requestTimeout = 30_000) {
  const failures: unknown[] = [];
  const handler = serveContract(contract, {
    prefix: '/api/v1',
    admit: async () => undefined,
    perform: async ({ receive, params }) => ({ answer: await take(receive, params) }),
    onError: (error) => failures.push(error),
  });
  const listening = await listen(handler, { requestTimeout });
  ends.push(listening);
  const post = async (init: RequestInit, query = '') => {
    const answer = await fetch(`${listening.url}/api/v1/files${query}`, {
      method: 'POST',
      ...init,
    });
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
  };
  return { post, failures, port: listening.port };
}

async function whole({ name, type, content }: IncomingFile) {
  const parts: Buffer[] = [];
  for await (const part of content) parts.push(part);
  return { name, type, text: Buffer.concat(parts).toString() };
}
const takeWhole: Take = (receive) => receive(whole, LIMIT);
const formOf = (...files: File[]) => {
  const form = new FormData();
  for (const [at, file] of files.entries()) form.append(`f${at}`, file);
  return form;
};

test('a file is received with name and type, from any field, beside other fields', async () => {
  const { post } = await serving(takeWhole);
  const form = formOf(new File(['hello'], 'ä b.txt', { type: 'text/plain' }));
  form.append('dont_block', 'true');
  expect((await post({ body: form })).body).toMatchObject({
    answer: { name: 'ä b.txt', type: 'text/plain', text: 'hello' },
    ignored_parameters_unsupported: ['dont_block'],
  });
});

test('the parameters of an upload are in the query', async () => {
  const { post } = await serving((receive, params) =>
    receive(async (file) => ({ ...(await whole(file)), params }), LIMIT),
  );
  const { body } = await post({ body: formOf(new File(['x'], 'x')) }, '?text=a&other=b');
  expect(body).toMatchObject({
    answer: { text: 'x', params: { text: 'a' } },
    ignored_parameters_unsupported: ['other'],
  });
});

test('an upload is rejected if the form has a second file or breaks off after the first', async () => {
  let taken = 0;
  const { post, failures } = await serving((receive) =>
    receive(async (file) => {
      await whole(file);
      taken++;
    }, LIMIT),
  );
  const two = await post({ body: formOf(new File(['a'], 'a'), new File(['b'], 'b')) });
  expect(two).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } });
  expect(taken).toBeLessThanOrEqual(1);
  expect(failures).toEqual([]);
});

test('a file of one byte too many is rejected, and the client reads the error', async () => {
  const { post } = await serving(takeWhole);
  const just = formOf(new File([new Uint8Array(LIMIT)], 'x'));
  expect((await post({ body: just })).status).toBe(200);
  for (const size of [LIMIT + 1, LIMIT * 8])
    expect(await post({ body: formOf(new File([new Uint8Array(size)], 'x')) })).toMatchObject({
      status: 400,
      body: { msg: 'The file is larger than the allowed maximum of 1 MiB.' },
    });
});

test('an error of `take` is the response', async () => {
  const { post, failures } = await serving((receive) =>
    receive(async ({ content }) => {
      for await (const _part of content) throw new TypeError('the disk is full');
    }, LIMIT),
  );
  const { status } = await post({ body: formOf(new File(['x'.repeat(500_000)], 'x')) });
  expect(status).toBe(500);
  expect(failures).toMatchObject([{ message: 'the disk is full' }]);
});

const START =
  'POST /api/v1/files HTTP/1.1\r\nhost: x\r\ncontent-type: multipart/form-data; boundary=x\r\n' +
  'content-length: 1000000\r\n\r\n--x\r\ncontent-disposition: form-data; name="a"; filename="a"\r\n\r\n';

test('`take` fails when the client disconnects', async () => {
  const begun = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<unknown>();
  const { port, failures } = await serving((receive) =>
    receive(async ({ content }) => {
      try {
        for await (const _part of content) begun.resolve();
        ended.resolve('whole');
      } catch (error) {
        ended.resolve(error);
        throw error;
      }
    }, LIMIT),
  );
  const socket = connect(port, '127.0.0.1');
  socket.write(`${START}hello`);
  await begun.promise;
  socket.destroy();
  expect(await ended.promise).toBeInstanceOf(Error);
  expect(failures).toEqual([]);
});

/** The answer to an upload of seven chunks, one each 100 ms. */
async function uploadSlowly(port: number): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  const answered = text(socket);
  const end = '\r\n--x--\r\n';
  const content = 'y'.repeat(1000);
  const length = START.length - START.indexOf('--x') + 6000 + end.length;
  socket.write(
    START.replace('1000000', String(length)).replace('host: x', 'host: x\r\nconnection: close'),
  );
  for (let part = 0; part < 6; part++) {
    socket.write(content);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  socket.write(end);
  return await answered;
}

test('an upload may take longer than requestTimeout while chunks arrive', async () => {
  const { port } = await serving(takeWhole, 300);
  // A busy machine may let 300 ms pass between two chunks: then the file is sent again.
  await expect.poll(() => uploadSlowly(port).catch(String)).toMatch(/^HTTP\/1.1 200 /);
});

test('an upload without chunks for requestTimeout is disconnected', async () => {
  const { port, failures } = await serving(takeWhole, 300);
  const socket = connect(port, '127.0.0.1');
  const answer = text(socket);
  socket.write(`${START}hello`);
  expect(await answer).toMatch(/^HTTP\/1.1 408 /);
  expect(failures).toEqual([]);
});

const fileForm = (disposition: string, ...headers: string[]) =>
  Buffer.from(
    [
      `--b`,
      `Content-Disposition: form-data; name="f"; ${disposition}`,
      ...headers,
      '',
      'hi',
      '--b--',
      '',
    ].join('\r\n'),
    'latin1',
  );
const asForm = (body: Buffer<ArrayBuffer>, headers: Record<string, string> = {}) => ({
  headers: { 'content-type': 'multipart/form-data; boundary=b', ...headers },
  body,
});

test.each([
  [`filename="caf\u00c3\u00a9.txt"`, 'caf\u00e9.txt'],
  [`filename*=utf-8''caf%C3%A9.txt`, 'caf\u00e9.txt'],
  [`filename*=iso-8859-1''caf%E9.txt`, 'caf\u00e9.txt'],
])('the name of a file is read: %s', async (disposition, name) => {
  const { post } = await serving(takeWhole);
  const { body } = await post(asForm(fileForm(disposition)));
  expect(body).toMatchObject({ answer: { name, text: 'hi' } });
});

test.each([
  ['bytes of latin1', `filename="caf\u00e9.txt"`],
  ['percent-encoded latin1', `filename*=utf-8''caf%E9.txt`],
])('the name of a file that is not UTF-8 is refused: %s', async (_what, disposition) => {
  const { post, failures } = await serving(takeWhole);
  const { status, body } = await post(asForm(fileForm(disposition)));
  expect([status, body['code']]).toEqual([400, 'BAD_REQUEST']);
  expect(body['msg']).toMatch(/name of the file is not valid UTF-8/);
  expect(failures).toEqual([]);
});

test.each([
  ['gzip', { 'content-encoding': 'gzip' }, [], /gzip/],
  ['base64', {}, ['Content-Transfer-Encoding: base64'], /base64/],
  ['quoted-printable', {}, ['Content-Transfer-Encoding: Quoted-Printable'], /quoted-printable/i],
])('an upload in %s is answered 415', async (_what, headers, partHeaders, message) => {
  const { post } = await serving(takeWhole);
  const form = fileForm('filename="a.txt"', ...partHeaders);
  const { status, body } = await post(asForm(form, headers));
  expect(status).toBe(415);
  expect(body['msg']).toMatch(message);
});
