import type { IncomingMessage } from 'node:http';
import { parse } from 'node:querystring';

import { ApiError, badRequest, jsonDepth, parseJson } from '@bellhop/protocol';
import { Busboy } from '@fastify/busboy';

type Fields = Record<string, unknown>;

const MAX_FIELDS = 200;
const MAX_DEPTH = 20;

/** The parameters of a query string; of a repeated one the last counts. */
export const queryFields = (query: string): Fields =>
  query === '' ? {} : lastOf(parse(query, '&', '=', { maxKeys: MAX_FIELDS }));

function lastOf(parsed: ReturnType<typeof parse>): Fields {
  const fields: Fields = {};
  for (const name in parsed) {
    const value = parsed[name];
    fields[name] = Array.isArray(value) ? value.at(-1) : value;
  }
  return fields;
}

/**
 * The parameters of a request body: URL-encoded or multipart form, or for `json` operations one JSON
 * object. Throws PAYLOAD_TOO_LARGE beyond `limit` bytes, INVALID_JSON, or BAD_REQUEST.
 */
export async function bodyFields(
  request: IncomingMessage,
  limit: number,
  kind: 'form' | 'json',
): Promise<Fields> {
  const type = request.headers['content-type'] ?? '';
  if (kind === 'form' && type.startsWith('multipart/form-data')) return multipart(request, limit);
  const body = await readAll(request, limit);
  if (body.length === 0) return kind === 'form' ? {} : jsonObject('{}');
  if (kind === 'json') return jsonObject(body.toString('utf8'));
  if (type.startsWith('application/json'))
    throw badRequest(
      'Send parameters as form fields (application/x-www-form-urlencoded), not as JSON',
    );
  return lastOf(parse(body.toString('utf8'), '&', '=', { maxKeys: MAX_FIELDS }));
}

function jsonObject(text: string): Fields {
  if (jsonDepth(text) > MAX_DEPTH)
    throw badRequest(`The JSON nests more than ${MAX_DEPTH} levels deep`);
  let value: unknown;
  try {
    value = parseJson(text);
  } catch {
    throw new ApiError('INVALID_JSON');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new ApiError('INVALID_JSON', { message: 'The body must be a JSON object' });
  return value as Fields;
}

const tooLarge = (limit: number) =>
  new ApiError('PAYLOAD_TOO_LARGE', { message: `The request body is larger than ${limit} bytes` });

function readAll(request: IncomingMessage, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    if (Number(request.headers['content-length']) > limit) {
      request.resume();
      reject(tooLarge(limit));
      return;
    }
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > limit) reject(tooLarge(limit));
      else chunks.push(chunk);
    });
    request.on('end', () =>
      resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)),
    );
    request.on('error', reject);
    request.on('aborted', () => reject(badRequest('The request was cut off')));
  });
}

function multipart(request: IncomingMessage, limit: number): Promise<Fields> {
  return new Promise((resolve, reject) => {
    if (Number(request.headers['content-length']) > limit) {
      request.resume();
      reject(tooLarge(limit));
      return;
    }
    const fields: Fields = {};
    const { 'content-type': type = '' } = request.headers;
    const malformed = () => reject(badRequest('The multipart body is malformed'));
    let size = 0;
    try {
      const form = new Busboy({
        headers: { 'content-type': type },
        limits: { fieldSize: limit, fields: MAX_FIELDS, files: 10, fileSize: limit },
      });
      form.on('field', (name, value) => {
        fields[name] = value;
      });
      // A file nobody asked for: its name is reported as an ignored parameter, its bytes are dropped.
      form.on('file', (name, file) => {
        fields[name] = '';
        file.resume();
      });
      form.on('finish', () => resolve(fields));
      form.on('error', malformed);
      request.on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size > limit) {
          request.unpipe(form).resume();
          reject(tooLarge(limit));
        }
      });
      request.on('aborted', malformed);
      request.pipe(form);
    } catch {
      malformed();
    }
  });
}
