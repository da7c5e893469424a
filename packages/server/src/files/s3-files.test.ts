import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';

import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { readConfig } from '../config.ts';
import { FileStoreFault, MissingBytes } from './file-store.ts';
import { type S3Files, s3Files } from './s3-files.ts';
import { BUCKET, type S3Server, SECRET_KEY, startS3, type S3Trouble } from './s3-server.fixture.ts';

let store: S3Server;
let files: S3Files;
beforeEach(async () => {
  store = await startS3();
  files = filesWith({});
});
afterEach(async () => {
  await files.close();
  await store[Symbol.asyncDispose]();
});

const MIB = 1_048_576;
function filesWith(env: Record<string, string>): S3Files {
  const required = {
    BELLHOP_SECRET: 's'.repeat(32),
    BELLHOP_EXTERNAL_URL: 'https://chat.example.com',
  };
  const { s3 } = readConfig({ ...required, ...store.env, ...env }).files;
  if (!s3) throw new Error('no store is configured');
  return s3Files(s3, { attemptMs: 300, waitsMs: [1, 1] });
}
const bytesOf = (size: number) => Buffer.from(pattern(size));
const pattern = (size: number) => Uint8Array.from({ length: size }, (_, at) => (at * 31) % 251);
const put = (
  key: string,
  bytes: Buffer,
  read = async function* read() {
    // In parts that are not those in which it is read.
    for (let at = 0; at < bytes.length; at += 400_000) yield bytes.subarray(at, at + 400_000);
  },
) =>
  files.put(key, { size: bytes.length, sha256: createHash('sha256').update(bytes).digest(), read });
const read = (key: string, from: number, to: number) => buffer(files.read(key, from, to));
/** Makes the first requests fail, and returns how many there were. */
function troubled(trouble: S3Trouble, times = Infinity) {
  store.requests.length = 0;
  store.trouble = () => (store.requests.length <= times ? trouble : undefined);
}

test.each([0, 1, MIB - 1, MIB, 2 * MIB + 7])(
  'an object of %i bytes is stored, read and removed',
  async (size) => {
    const bytes = bytesOf(size);
    await put('7/abc', bytes);
    expect(store.objects.get('7/abc')?.equals(bytes)).toBe(true);
    expect((await read('7/abc', 0, size)).equals(bytes)).toBe(true);
    await files.remove('7/abc');
    await files.remove('7/abc');
    expect(store.objects.size).toBe(0);
  },
);

test('a part of an object is read with no more bytes than are asked for', async () => {
  const bytes = bytesOf(3 * MIB);
  await put('7/abc', bytes);
  const part = await read('7/abc', MIB - 3, 2 * MIB + 5);
  expect(part.equals(bytes.subarray(MIB - 3, 2 * MIB + 5))).toBe(true);
  store.requests.length = 0;
  expect((await read('7/abc', 5, 6)).equals(bytes.subarray(5, 6))).toBe(true);
  expect(store.requests).toHaveLength(1);
});

test('an object that is missing or too short is MissingBytes, and asked for once', async () => {
  await put('7/abc', bytesOf(10));
  store.requests.length = 0;
  await expect(read('7/other', 0, 5)).rejects.toThrow(MissingBytes);
  await expect(read('7/abc', 0, 11)).rejects.toThrow(MissingBytes);
  expect(store.requests).toHaveLength(2);
});

const passing: Record<string, S3Trouble> = {
  'answers 500': { answer: [500, 'InternalError'] },
  'answers 503': { answer: [503, 'SlowDown'] },
  'answers 429': { answer: [429, 'TooManyRequests'] },
  'does not answer': 'silent',
  'cuts the connection': 'cut',
};
describe.each(Object.entries(passing))('a store that %s', (_, trouble) => {
  test('is asked a second and a third time', async () => {
    troubled(trouble, 2);
    await put('7/abc', bytesOf(1000));
    troubled(trouble, 2);
    expect(await read('7/abc', 0, 1000)).toHaveLength(1000);
    troubled(trouble, 2);
    await files.remove('7/abc');
    expect(store.requests).toHaveLength(3);
    expect(store.objects.size).toBe(0);
  });

  test('is given up after the third time, as a fault that passes', async () => {
    troubled(trouble);
    const works = [
      () => put('7/abc', bytesOf(9)),
      () => read('7/abc', 0, 9),
      () => files.remove('7/abc'),
    ];
    for (const work of works) {
      store.requests.length = 0;
      const error = await work().catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(FileStoreFault);
      expect(error).toMatchObject({ isPassing: true });
      expect(store.requests).toHaveLength(3);
    }
  });
});

test.each<S3Trouble>(['cut in the body', 'stalls in the body'])(
  'an object whose bytes are %s is read again',
  async (trouble) => {
    const bytes = bytesOf(1000);
    await put('7/abc', bytes);
    troubled(trouble, 2);
    expect((await read('7/abc', 0, 1000)).equals(bytes)).toBe(true);
    expect(store.requests).toHaveLength(3);
    troubled(trouble);
    await expect(read('7/abc', 0, 1000)).rejects.toMatchObject({ isPassing: true });
  },
);

test('a store that is down is a fault that passes and names what was asked', async () => {
  await store[Symbol.asyncDispose]();
  await expect(read('7/abc', 0, 9)).rejects.toMatchObject({
    isPassing: true,
    message: expect.stringMatching(/^reading 7\/abc \(bucket files-of-tests\): ECONNREFUSED/),
  });
  store = await startS3();
});

test.each([
  [
    'another secret',
    { BELLHOP_S3_SECRET_ACCESS_KEY: 'another-secret' },
    '403 SignatureDoesNotMatch',
  ],
  ['another access key', { BELLHOP_S3_ACCESS_KEY_ID: 'AKIDOTHER' }, '403 SignatureDoesNotMatch'],
  ['another bucket', { BELLHOP_S3_BUCKET: 'no-such-bucket' }, '404 NoSuchBucket'],
])(
  '%s is a fault that does not pass, is tried once and repeats no secret',
  async (_, env, what) => {
    const other = filesWith(env);
    const error = await other.check().then(
      () => undefined,
      (thrown: unknown) => thrown as FileStoreFault,
    );
    expect(error).toBeInstanceOf(FileStoreFault);
    expect(error?.isPassing).toBe(false);
    expect(error?.message).toContain(what);
    expect(store.requests).toHaveLength(1);
    const all = JSON.stringify(error, Object.getOwnPropertyNames(error));
    for (const secret of [SECRET_KEY, 'another-secret', 'AKID', 'AWS4-HMAC'])
      expect(all).not.toContain(secret);
    await other.close();
  },
);

test('the check of a store leaves nothing behind', async () => {
  await files.check();
  expect(store.requests.map(({ method }) => method)).toEqual(['PUT', 'GET', 'DELETE']);
  expect(store.objects.size).toBe(0);
});

test('the check refuses a store that returns other bytes', async () => {
  troubled('damages');
  await expect(files.check()).rejects.toThrow(`The bucket ${BUCKET} returns other bytes`);
});

test('bytes that cannot be read are the error of their source, and are not stored', async () => {
  const broken = put('7/abc', bytesOf(1_000_000), async function* read() {
    yield bytesOf(10);
    throw new TypeError('of the source');
  });
  await expect(broken).rejects.toThrow(new TypeError('of the source'));
  expect(store.objects.size).toBe(0);
});

test('other bytes than those of the hash are refused by the store', async () => {
  const bytes = bytesOf(100);
  const sha256 = createHash('sha256').update('other').digest();
  const stored = files.put('7/abc', {
    size: 100,
    sha256,
    read: async function* read() {
      yield bytes;
    },
  });
  await expect(stored).rejects.toThrow('BadDigest');
  expect(store.objects.size).toBe(0);
});
