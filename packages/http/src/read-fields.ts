import type { IncomingMessage } from 'node:http';
import { parse } from 'node:querystring';

import { ApiError, badRequest, jsonDepth, parseJson } from '@bellhop/protocol';

/** Parameters by name: text in forms, any JSON value in JSON bodies. No prototype. */
export type Fields = Record<string, unknown>;

const MAX_FIELDS = 100;
const MAX_DEPTH = 20;

/** The parameters of a query string or URL-encoded form. The last of a repeated parameter counts. */
export function urlEncodedFields(text: string): Fields {
  let fields = 1;
  for (let at = text.indexOf('&'); at !== -1; at = text.indexOf('&', at + 1)) fields++;
  if (fields > MAX_FIELDS) throw tooMany();
  const parsed: Fields = parse(text, '&', '=', { maxKeys: 0 });
  for (const name in parsed) {
    const value = parsed[name];
    if (Array.isArray(value)) parsed[name] = value.at(-1);
  }
  return parsed;
}

const tooMany = () => badRequest(`A request has at most ${MAX_FIELDS} parameters`);

interface BodyRules {
  /** In bytes. */
  readonly limit: number;
  readonly kind: 'form' | 'json';
}

/**
 * The parameters of a request body: a URL-encoded or multipart form, or for `json` a JSON object.
 * Throws PAYLOAD_TOO_LARGE, INVALID_JSON or BAD_REQUEST.
 */
export async function bodyFields(
  request: IncomingMessage,
  { limit, kind }: BodyRules,
): Promise<Fields> {
  const body = await readAll(request, limit);
  if (body.length === 0) return Object.create(null) as Fields;
  if (kind === 'json') return jsonObject(body.toString('utf8'));
  const type = request.headers['content-type'] ?? '';
  if (/^multipart\/form-data/i.test(type)) return multipartFields(body, type);
  if (/^application\/json/i.test(type))
    throw badRequest(
      'Send parameters as form fields (application/x-www-form-urlencoded), not as JSON',
    );
  return urlEncodedFields(body.toString('utf8'));
}

/** A file counts as an empty parameter; its content is dropped. */
async function multipartFields(body: Uint8Array<ArrayBuffer>, type: string): Promise<Fields> {
  const form = await new Response(body, { headers: { 'content-type': type } })
    .formData()
    .catch((cause: unknown) => {
      throw new ApiError('BAD_REQUEST', { message: 'The multipart body is malformed', cause });
    });
  const fields = Object.create(null) as Fields;
  let count = 0;
  for (const [name, value] of form) {
    if (++count > MAX_FIELDS) throw tooMany();
    fields[name] = typeof value === 'string' ? value : '';
  }
  return fields;
}

function jsonObject(text: string): Fields {
  if (jsonDepth(text) > MAX_DEPTH)
    throw badRequest(`The JSON is nested more than ${MAX_DEPTH} levels deep`);
  let value: unknown;
  try {
    value = parseJson(text);
  } catch (cause) {
    throw new ApiError('INVALID_JSON', { cause });
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new ApiError('INVALID_JSON', { message: 'The body must be a JSON object' });
  return value as Fields;
}

/**
 * Reads and drops bytes beyond the limit, within the time limit of a request: a client whose
 * connection closes while it sends does not read the response.
 */
function readAll(request: IncomingMessage, limit: number): Promise<Buffer<ArrayBuffer>> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const declared = Number(request.headers['content-length'] ?? 0);
    const refuse = () => {
      chunks.length = 0;
      reject(
        new ApiError('PAYLOAD_TOO_LARGE', {
          message: `The request body is larger than ${limit} bytes`,
        }),
      );
    };
    if (declared > limit) refuse();
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > limit) refuse();
      else chunks.push(chunk);
    });
    request.on('end', () => resolve(Buffer.concat(chunks)));
    request.on('error', () => reject(badRequest('The request was aborted')));
  });
}
