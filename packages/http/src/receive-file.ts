import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';

import { ApiError, badRequest } from '@bellhop/protocol';
import { Busboy, type BusboyHeaders } from '@fastify/busboy';

import { bodyIsArriving } from './body-timeout.ts';

/** A file while it arrives. Reading its content throws when it is too large or breaks off. */
export interface IncomingFile {
  /** As the client calls it, without directories; may be empty. */
  readonly name: string;
  /** The media type that the client says it has. */
  readonly type: string;
  readonly content: AsyncIterable<Buffer>;
}
/**
 * Takes the one file of a multipart form as it arrives, at most `limit` bytes of it. What is returned
 * counts once the whole form has been read: there may be another file behind. Throws BAD_REQUEST.
 */
export type Receive = <T>(take: (file: IncomingFile) => Promise<T>, limit: number) => Promise<T>;

/** What a form has around its file, generously. */
const AROUND = 65_536;

export const receiveFrom =
  (request: IncomingMessage): Receive =>
  async (take, limit) => {
    try {
      if (Number(request.headers['content-length'] ?? 0) > limit + AROUND) throw tooLarge(limit);
      return await parse(request, { take, limit });
    } catch (error) {
      // Who is cut off while still sending does not read the answer.
      request.unpipe();
      request.resume();
      throw error;
    }
  };

const tooLarge = (limit: number) =>
  badRequest(`The file is larger than the allowed maximum of ${limit / 1_048_576} MiB.`);

interface Taking<T> {
  readonly take: (file: IncomingFile) => Promise<T>;
  readonly limit: number;
}

function parse<T>(request: IncomingMessage, { take, limit }: Taking<T>): Promise<T> {
  const parser = parserOf(request);
  return new Promise<T>((resolve, reject) => {
    let taken: Promise<T> | undefined;
    let file: Readable | undefined;
    const fail = (error: Error) => {
      file?.destroy(error);
      // Only when nobody works on it any more.
      const settled = taken ? taken.then(ignore, ignore) : Promise.resolve();
      void settled.then(() => reject(error));
    };
    parser.on('file', (_field, stream, ...[name, , type]) => {
      stream.on('error', ignore);
      if (taken) {
        stream.resume();
        return fail(badRequest('You may only upload one file at a time'));
      }
      file = stream;
      const content = limited(stream, { request, limit });
      taken = take({ name: name ?? '', type: type ?? '', content });
      taken.catch(fail);
      return undefined;
    });
    parser.on('finish', () => {
      if (taken) taken.then(resolve, ignore);
      else reject(badRequest('You must specify a file to upload'));
    });
    parser.on('error', (cause) => fail(malformed(cause)));
    request.on('error', () => fail(badRequest('The request was cut off')));
    request.pipe(parser);
  });
}

const ignore = () => undefined;

const malformed = (cause: unknown) =>
  new ApiError('BAD_REQUEST', { message: 'The multipart body is malformed', cause });

function parserOf({ headers }: IncomingMessage) {
  if (!/^multipart\/form-data/i.test(headers['content-type'] ?? ''))
    throw badRequest('You must specify a file to upload, as multipart/form-data');
  try {
    return new Busboy({
      headers: headers as BusboyHeaders,
      limits: { fields: 100, fieldSize: AROUND, parts: 110 },
    });
  } catch (cause) {
    throw malformed(cause);
  }
}

interface Limits {
  readonly request: IncomingMessage;
  readonly limit: number;
}

async function* limited(stream: Readable, { request, limit }: Limits): AsyncGenerator<Buffer> {
  let size = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > limit) throw tooLarge(limit);
    bodyIsArriving(request);
    yield chunk;
  }
}
