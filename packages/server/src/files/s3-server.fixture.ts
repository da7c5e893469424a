import { createHash, createHmac } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';

import { listen } from '@bellhop/http';

/** What goes wrong with a request, or undefined. `answer`: a status with the code of S3's error. */
export type S3Trouble =
  | { readonly answer: readonly [status: number, code: string] }
  /** Never answers. */
  | 'silent'
  /** Ends the connection without an answer. */
  | 'cut'
  /** Sends the headers and half of the bytes, and ends the connection. */
  | 'cut in the body'
  /** Sends the headers and half of the bytes, and no more. */
  | 'stalls in the body'
  /** Answers as if all were well, and has other bytes. */
  | 'damages';

export interface S3Request {
  readonly method: string;
  /** The path without the bucket. */
  readonly key: string;
}
/** A store that speaks the part of S3's REST interface that the server uses, in memory, over HTTP. */
export interface S3Server extends AsyncDisposable {
  readonly url: string;
  readonly objects: Map<string, Buffer>;
  readonly requests: S3Request[];
  /** Called for each request; what it returns happens instead of an answer, or to it. */
  trouble: (request: S3Request) => S3Trouble | undefined;
  /** Variables for a server that stores its new files here. */
  readonly env: Readonly<Record<string, string>>;
}

export const BUCKET = 'files-of-tests';
const REGION = 'eu-test-1';
const ACCESS_KEY = 'AKIDTEST';
export const SECRET_KEY = 'a+secret/key-of-tests';

export async function startS3(): Promise<S3Server> {
  const objects = new Map<string, Buffer>();
  const requests: S3Request[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? '', 'http://s3');
    const [, bucket, ...parts] = url.pathname.split('/');
    const asked = { method: request.method ?? '', key: parts.join('/') };
    requests.push(asked);
    const fault = server.trouble(asked);
    if (fault === 'silent') return;
    if (fault === 'cut') return void request.socket.destroy();
    const body = await buffer(request);
    if (typeof fault === 'object') return fail(response, ...fault.answer);
    if (!isSigned(request, url)) return fail(response, 403, 'SignatureDoesNotMatch');
    if (bucket !== BUCKET) return fail(response, 404, 'NoSuchBucket');
    if (request.method === 'PUT') {
      const digest = createHash('sha256').update(body).digest('base64');
      if (digest !== request.headers['x-amz-checksum-sha256'])
        return fail(response, 400, 'BadDigest');
      objects.set(asked.key, fault === 'damages' ? Buffer.alloc(body.length) : body);
      return void response.writeHead(200, { etag: '"x"' }).end();
    }
    if (request.method === 'DELETE') {
      objects.delete(asked.key);
      return void response.writeHead(204).end();
    }
    const object = objects.get(asked.key);
    if (request.method !== 'GET' || !object) return fail(response, 404, 'NoSuchKey');
    const [, from = 0, to = 0] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
    const bytes = object.subarray(Number(from), Number(to) + 1);
    response.writeHead(206, {
      'content-length': bytes.length,
      'content-range': `bytes ${from}-${Number(from) + bytes.length - 1}/${object.length}`,
    });
    if (fault !== 'cut in the body' && fault !== 'stalls in the body')
      return void response.end(bytes);
    response.write(bytes.subarray(0, bytes.length / 2));
    if (fault === 'stalls in the body') return;
    await wait(20);
    request.socket.destroy();
  };
  const listening = await listen((request, response) => {
    // A client that gives up ends the body.
    answer(request, response).catch(() => response.destroy());
  });
  const server: S3Server = {
    url: listening.url,
    objects,
    requests,
    trouble: () => undefined,
    env: {
      BELLHOP_FILES: 's3',
      BELLHOP_S3_BUCKET: BUCKET,
      BELLHOP_S3_REGION: REGION,
      BELLHOP_S3_ENDPOINT: listening.url,
      BELLHOP_S3_PATH_STYLE: 'true',
      BELLHOP_S3_ACCESS_KEY_ID: ACCESS_KEY,
      BELLHOP_S3_SECRET_ACCESS_KEY: SECRET_KEY,
    },
    [Symbol.asyncDispose]: () => listening.stop(0),
  };
  return server;
}

function fail(response: ServerResponse, status: number, code: string): void {
  const body = `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>Of the test: ${code}</Message><AWSAccessKeyId>${ACCESS_KEY}</AWSAccessKeyId></Error>`;
  response.writeHead(status, { 'content-type': 'application/xml' }).end(body);
}

/** Whether the Authorization header is the signature (version 4) of the request with the secret key. */
function isSigned({ method = '', headers }: IncomingMessage, url: URL): boolean {
  const [, id, day = '', region = '', names = '', signature] =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, SignedHeaders=([^,]+), Signature=(\w{64})$/.exec(
      headers.authorization ?? '',
    ) ?? [];
  if (id !== ACCESS_KEY || region !== REGION) return false;
  url.searchParams.sort();
  const canonical = [
    method,
    url.pathname,
    url.searchParams.toString(),
    ...names.split(';').map((name) => `${name}:${String(headers[name]).trim()}`),
    '',
    names,
    headers['x-amz-content-sha256'],
  ].join('\n');
  const digest = createHash('sha256').update(canonical).digest('hex');
  const text = `AWS4-HMAC-SHA256\n${String(headers['x-amz-date'])}\n${day}/${region}/s3/aws4_request\n${digest}`;
  const hmac = (key: string | Buffer, data: string) =>
    createHmac('sha256', key).update(data).digest();
  const key = [day, region, 's3', 'aws4_request'].reduce<string | Buffer>(
    hmac,
    `AWS4${SECRET_KEY}`,
  );
  return hmac(key, text).toString('hex') === signature;
}
