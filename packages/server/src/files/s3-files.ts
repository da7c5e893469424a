import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';

import type { S3Client } from '@aws-sdk/client-s3';

import { type FileContent, FileStoreFault, type FileStore, MissingBytes } from './file-store.ts';

export interface S3Settings {
  readonly bucket: string;
  readonly region: string;
  /** A URL; undefined: that of Amazon. */
  readonly endpoint: string | undefined;
  /** Whether the bucket is in the path of URLs, not in their host name. */
  readonly isPathStyle: boolean;
  /** Undefined: they are found as Amazon's programs find them. */
  readonly credentials:
    | { readonly accessKeyId: string; readonly secretAccessKey: string }
    | undefined;
}
/** The objects of a bucket, by their keys. */
export interface S3Files extends FileStore<string> {
  /** Stores, reads and removes an object. Throws a FileStoreFault. */
  readonly check: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Bytes of one request. Between two of them a slow reader of a file holds no connection to the store. */
const PART_BYTES = 1_048_576;
/** Milliseconds before the second and the third attempt; there is no fourth. */
const WAITS_MS = [200, 1000];
/** Milliseconds of one attempt; for a file that is stored a millisecond more for each KiB. */
const ATTEMPT_MS = 10_000;
const CONNECT_MS = 3000;
/** More requests at once wait for one another. */
const MAX_CONNECTIONS = 256;

/** The SDK, which is loaded with the first use: most servers have no such store. */
type Sdk = typeof import('@aws-sdk/client-s3');
interface Opened {
  readonly sdk: Sdk;
  readonly client: S3Client;
}

/** Time limits; for tests other ones. */
interface AttemptLimits {
  readonly attemptMs?: number;
  readonly waitsMs?: readonly number[];
}

export function s3Files(
  settings: S3Settings,
  { attemptMs = ATTEMPT_MS, waitsMs = WAITS_MS }: AttemptLimits = {},
): S3Files {
  const { bucket: Bucket } = settings;
  let opening: Promise<Opened> | undefined;
  const opened = () => (opening ??= open(settings));

  async function attempt<T>(
    what: string,
    work: (opened: Opened, abortSignal: AbortSignal) => Promise<T>,
    limitMs = attemptMs,
  ): Promise<T> {
    const client = await opened();
    for (let number = 0; ; number++) {
      const limit = AbortSignal.timeout(limitMs);
      try {
        return await work(client, limit);
      } catch (error) {
        const fault = faultOf(error, { what: `${what} (bucket ${Bucket})`, limit, limitMs });
        const pause = waitsMs[number];
        if (!(fault instanceof FileStoreFault && fault.isPassing) || pause === undefined)
          throw fault;
        await wait(pause);
      }
    }
  }

  const put = (Key: string, content: FileContent): Promise<void> =>
    attempt(
      `storing ${Key}`,
      async ({ sdk, client }, limit) => {
        const Body = Readable.from(content.read(), { objectMode: false });
        const broken = new AbortController();
        Body.on('error', (error) => broken.abort(error));
        const input = {
          Bucket,
          Key,
          Body,
          ContentLength: content.size,
          ContentType: 'application/octet-stream',
          // The store compares it with what has arrived.
          ChecksumSHA256: content.sha256.toString('base64'),
        };
        try {
          const abortSignal = AbortSignal.any([limit, broken.signal]);
          await client.send(new sdk.PutObjectCommand(input), { abortSignal });
        } catch (error) {
          throw broken.signal.aborted ? new SourceBroken(broken.signal.reason) : error;
        } finally {
          Body.destroy();
        }
      },
      attemptMs + Math.ceil(content.size / 1024),
    );

  const readPart = (Key: string, from: number, to: number): Promise<Buffer> =>
    attempt(`reading ${Key}`, async ({ sdk, client }, abortSignal) => {
      const command = new sdk.GetObjectCommand({ Bucket, Key, Range: `bytes=${from}-${to - 1}` });
      const { Body, ContentLength } = await client.send(command, { abortSignal });
      if (!(Body instanceof Readable)) throw new Error('the answer has no body');
      if (ContentLength !== to - from) {
        Body.destroy();
        throw new MissingBytes(
          `The object ${Key} has not the bytes ${from} to ${to}: ${ContentLength ?? 'unknown'} came`,
        );
      }
      // The limit of the request ends with the headers.
      const stop = () => Body.destroy(new Error('the bytes stopped coming'));
      abortSignal.addEventListener('abort', stop);
      try {
        return await buffer(Body);
      } finally {
        abortSignal.removeEventListener('abort', stop);
      }
    });

  async function* read(key: string, from: number, to: number): AsyncGenerator<Buffer> {
    for (let at = from; at < to; at += PART_BYTES)
      yield await readPart(key, at, Math.min(at + PART_BYTES, to));
  }

  const remove = (Key: string): Promise<void> =>
    attempt(`removing ${Key}`, async ({ sdk, client }, abortSignal) => {
      await client.send(new sdk.DeleteObjectCommand({ Bucket, Key }), { abortSignal });
    });

  return {
    put,
    read,
    remove,
    check: async () => {
      const bytes = Buffer.from('Bellhop stores files here.');
      const sha256 = createHash('sha256').update(bytes).digest();
      await put(CHECK_KEY, { size: bytes.length, sha256, read: () => Readable.from([bytes]) });
      const returned = await buffer(read(CHECK_KEY, 0, bytes.length));
      if (!returned.equals(bytes))
        throw new FileStoreFault(`The bucket ${Bucket} returns other bytes than it was given`, {
          isPassing: false,
        });
      await remove(CHECK_KEY);
    },
    close: async () => {
      if (opening) (await opening).client.destroy();
    },
  };
}

/** The object that a start stores and removes. */
const CHECK_KEY = 'bellhop-check';

/** The bytes to be stored could not be read: no fault of the store. */
class SourceBroken extends Error {
  constructor(cause: unknown) {
    super('the bytes cannot be read', { cause });
  }
}

async function open(settings: S3Settings): Promise<Opened> {
  const { region, endpoint, isPathStyle: forcePathStyle, credentials } = settings;
  const sdk = await import('@aws-sdk/client-s3').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND')
      throw new FileStoreFault(
        'Files in an S3-compatible store need a package: npm install @aws-sdk/client-s3',
        { isPassing: false },
      );
    throw error;
  });
  const agent = { keepAlive: true, maxSockets: MAX_CONNECTIONS };
  const client = new sdk.S3Client({
    region,
    forcePathStyle,
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(credentials === undefined ? {} : { credentials }),
    // Attempts are counted here: the SDK does not repeat a stream.
    maxAttempts: 1,
    logger: quiet,
    // Other stores do not know the checksums that the SDK adds by itself.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: CONNECT_MS, httpAgent: agent, httpsAgent: agent },
  });
  return { sdk, client };
}

/** Faults are thrown: the SDK would print some of them, too. */
const quiet = { debug() {}, info() {}, warn() {}, error() {} };

interface Attempted {
  readonly what: string;
  readonly limit: AbortSignal;
  readonly limitMs: number;
}

/** What an attempt failed with: MissingBytes, a broken source, or a fault of the store. */
function faultOf(error: unknown, { what, limit, limitMs }: Attempted): unknown {
  if (error instanceof SourceBroken) return error.cause;
  if (error instanceof MissingBytes || error instanceof FileStoreFault) return error;
  const { name = '', message = '', code, $metadata } = error as SdkError;
  if (name === 'NoSuchKey') return new MissingBytes(`${what}: there is no such object`);
  if (limit.aborted)
    return new FileStoreFault(`${what}: no answer within ${Math.round(limitMs / 1000)} s`, {
      isPassing: true,
    });
  const status = $metadata?.httpStatusCode;
  const isPassing =
    status === undefined
      ? name !== 'CredentialsProviderError'
      : status >= 500 || status === 408 || status === 429;
  // Only these parts: others hold the access key and what was signed.
  const parts = [status, code ?? name, message].filter((part) => part !== undefined && part !== '');
  return new FileStoreFault(`${what}: ${parts.join(' ')}`, { isPassing });
}

interface SdkError {
  readonly name?: string;
  readonly message?: string;
  /** Of an error of the network. */
  readonly code?: string;
  readonly $metadata?: { readonly httpStatusCode?: number };
}
