import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';

import { ApiError, badRequest, mediaType } from '@bellhop/protocol/contract';
import { Busboy, type BusboyHeaders } from '@fastify/busboy';

import { requirePlainBody } from './declared-body.ts';
import { restartBodyTime } from './limit-body-time.ts';
import { requireNoTransferEncoding } from './multipart-text.ts';

/** An upload in progress. Reading `content` throws if it is too large or the client disconnects. */
export interface IncomingFile {
  /** The client's name for the file, without directories; may be empty. */
  readonly name: string;
  /** The media type that the client claims. */
  readonly type: string;
  readonly content: AsyncIterable<Buffer>;
}
/**
 * Passes the one file of a multipart form to `take` while it arrives. `limit` is in bytes. Resolves
 * with the result of `take` when the whole form is read and has no second file. Throws BAD_REQUEST.
 */
export type Receive = <T>(take: (file: IncomingFile) => Promise<T>, limit: number) => Promise<T>;

interface FileForm {
  readonly receive: Receive;
  /** The names of the form's fields beside the file; complete when `receive` resolves. */
  readonly fieldNames: readonly string[];
}

/** Bytes of a form beside its file, at most. */
const FORM_OVERHEAD = 65_536;

export function fileForm(request: IncomingMessage): FileForm {
  const fieldNames: string[] = [];
  const receive: Receive = async (take, limit) => {
    try {
      requirePlainBody(request.headers);
      if (Number(request.headers['content-length'] ?? 0) > limit + FORM_OVERHEAD)
        throw fileTooLarge(limit);
      return await parse(request, { take, limit, onField: (name) => fieldNames.push(name) });
    } catch (error) {
      // A client that is cut off while it sends would not read the response.
      request.unpipe();
      request.resume();
      throw error;
    }
  };
  return { receive, fieldNames };
}

/** `limit` is in bytes. */
export const fileTooLarge = (limit: number) =>
  badRequest(`The file is larger than the allowed maximum of ${limit / 1_048_576} MiB.`);

interface FileReceiver<T> {
  readonly take: (file: IncomingFile) => Promise<T>;
  readonly limit: number;
  readonly onField: (name: string) => void;
}

function parse<T>(request: IncomingMessage, receiver: FileReceiver<T>): Promise<T> {
  const { take, limit, onField } = receiver;
  const parser = parserOf(request);
  return new Promise<T>((resolve, reject) => {
    let taken: Promise<T> | undefined;
    let file: Readable | undefined;
    const fail = (error: Error) => {
      file?.destroy(error);
      // Not before `take` has ended.
      const settled = taken ? taken.then(ignore, ignore) : Promise.resolve();
      void settled.then(() => reject(error));
    };
    parser.on('field', onField);
    parser.on('file', (_field, stream, ...[name, encoding, type]) => {
      stream.on('error', ignore);
      try {
        requireReadableFile(name, encoding);
      } catch (error) {
        stream.resume();
        return fail(error as ApiError);
      }
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
    request.on('error', () => fail(badRequest('The request was aborted')));
    request.pipe(parser);
  });
}

/** The parser reads a name as UTF-8, and puts U+FFFD where it is not. */
function requireReadableFile(name = '', encoding: string): void {
  requireNoTransferEncoding(encoding);
  if (name.includes('\ufffd'))
    throw badRequest(
      'The name of the file is not valid UTF-8: send it as UTF-8, or rename the file',
    );
}

const ignore = () => undefined;

const malformed = (cause: unknown) =>
  new ApiError('BAD_REQUEST', { message: 'The multipart body is malformed', cause });

function parserOf({ headers }: IncomingMessage) {
  if (mediaType(headers['content-type']) !== 'multipart/form-data')
    throw badRequest('You must specify a file to upload, as multipart/form-data');
  try {
    return new Busboy({
      headers: headers as BusboyHeaders,
      limits: { fields: 100, fieldSize: FORM_OVERHEAD, parts: 110 },
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
    if (size > limit) throw fileTooLarge(limit);
    restartBodyTime(request);
    yield chunk;
  }
}
