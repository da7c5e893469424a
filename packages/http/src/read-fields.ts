import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { parse } from 'node:querystring';

import { ApiError, badRequest, jsonDepth, mediaType, parseJson } from '@bellhop/protocol/contract';

import type { HeldBody } from './bodies-in-flight.ts';
import { notUtf8, requirePlainBody, unread } from './declared-body.ts';
import { hasBody } from './limit-body-time.ts';
import { requirePlainParts } from './multipart-text.ts';
import { fileTooLarge } from './receive-file.ts';

/** Parameters by name: text in forms, any JSON value in JSON bodies. No prototype. */
export type Fields = Record<string, unknown>;

const MAX_FIELDS = 100;
const MAX_DEPTH = 20;

/**
 * The parameters of a query string or URL-encoded form. The last of a repeated parameter counts. Throws
 * BAD_REQUEST for bytes that are not UTF-8.
 */
export function urlEncodedFields(text: string): Fields {
  let fields = 1;
  for (let at = text.indexOf('&'); at !== -1; at = text.indexOf('&', at + 1)) fields++;
  if (fields > MAX_FIELDS) throw tooMany();
  let isText = true;
  // `parse` catches what a decoder throws.
  const decoded = (part: string) => {
    if (!part.includes('%')) return part;
    try {
      return decodeURIComponent(part);
    } catch {
      const bytes = looselyDecoded(part);
      isText &&= isUtf8(bytes);
      return bytes.toString();
    }
  };
  const parsed: Fields = parse(text, '&', '=', { maxKeys: 0, decodeURIComponent: decoded });
  if (!isText) throw notUtf8();
  for (const name in parsed) {
    const value = parsed[name];
    if (Array.isArray(value)) parsed[name] = value.at(-1);
  }
  return parsed;
}

/** The bytes of a percent-encoded text with invalid encodings, which stay as they are. */
function looselyDecoded(text: string): Buffer {
  const bytes = Buffer.from(text).toString('latin1');
  const decoded = bytes.replace(/%([\da-f]{2})/gi, (_all, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return Buffer.from(decoded, 'latin1');
}

const tooMany = () => badRequest(`A request has at most ${MAX_FIELDS} parameters`);

interface BodyRules {
  /** Counts the bytes until the request is answered. */
  readonly held: HeldBody;
  /** The limit in bytes, without the file. */
  readonly limit: number;
  readonly kind: 'form' | 'json';
  /** The maximum size in bytes of one file in a multipart form. Undefined: files are dropped. */
  readonly fileLimit: number | undefined;
}
interface Body {
  readonly fields: Fields;
  /** The file of a multipart form, if `fileLimit` allows one and the client sent one. */
  readonly file?: Uint8Array;
}

/** What HTTP libraries send as JSON for a call without parameters. */
const NO_JSON_PARAMETERS: ReadonlySet<string> = new Set(['', '{}', 'null']);

export const isMultipart = ({ headers }: IncomingMessage): boolean =>
  mediaType(headers['content-type']) === 'multipart/form-data';

/** What a body is sent as whose type nobody has set; text/plain is what `fetch` calls a string. */
const UNTYPED: ReadonlySet<string> = new Set(['', 'text/plain']);
const FORM = 'application/x-www-form-urlencoded';
const AS_FORM = `Send parameters as form fields (${FORM}).`;

/**
 * The parameters of a request body: a URL-encoded or multipart form, or for `json` a JSON object.
 * Throws PAYLOAD_TOO_LARGE, INVALID_JSON or BAD_REQUEST; with the status 415 if the body cannot be read
 * in the form that it has.
 */
export async function readBody(request: IncomingMessage, rules: BodyRules): Promise<Body> {
  const { limit, kind, fileLimit, held } = rules;
  if (hasBody(request)) requirePlainBody(request.headers);
  const most = limit + (fileLimit ?? 0);
  const body = await readAll(request, (size, more) => {
    if (size > most) throw fileLimit === undefined ? bodyTooLarge(limit) : fileTooLarge(fileLimit);
    held.add(more);
  });
  if (isMultipart(request) && kind === 'form' && body.length > 0)
    return multipartBody(body, request.headers['content-type'] ?? '', fileLimit);
  return { fields: plainFields(body, request, kind) };
}

function plainFields(
  body: Buffer<ArrayBuffer>,
  request: IncomingMessage,
  kind: BodyRules['kind'],
): Fields {
  if (body.length === 0) return Object.create(null) as Fields;
  const type = mediaType(request.headers['content-type']);
  const isJson = /^application\/([\w.-]+\+)?json$/.test(type);
  if (kind === 'json' && !isJson && !UNTYPED.has(type) && !isJsonObject(body))
    throw unread('it is not JSON', 'Send parameters as JSON (application/json).');
  if (!isUtf8(body)) throw notUtf8();
  const text = body.toString('utf8').replace(/^\ufeff/, '');
  if (kind === 'json') return jsonObject(text);
  if (isJson && NO_JSON_PARAMETERS.has(text.trim())) return Object.create(null) as Fields;
  if (isJson || isJsonObject(body)) throw unread('it is JSON', AS_FORM);
  if (type !== FORM && !UNTYPED.has(type)) throw unread(`its content-type is ${type}`, AS_FORM);
  return urlEncodedFields(text);
}

/** Whether the body is a JSON object, whatever type it has. */
function isJsonObject(body: Buffer): boolean {
  if (!/^\s*\{/.test(body.toString('utf8', 0, 100))) return false;
  try {
    JSON.parse(body.toString('utf8').replace(/^\ufeff/, ''));
    return true;
  } catch {
    return false;
  }
}

/** A file that no `fileLimit` allows counts as an empty parameter; its content is dropped. */
async function multipartBody(
  body: Buffer<ArrayBuffer>,
  type: string,
  fileLimit: number | undefined,
): Promise<Body> {
  requirePlainParts(body, type);
  const form = await new Response(body, { headers: { 'content-type': type } })
    .formData()
    .catch((cause: unknown) => {
      throw new ApiError('BAD_REQUEST', { message: 'The multipart body is malformed', cause });
    });
  const fields = Object.create(null) as Fields;
  let count = 0;
  let file: File | undefined;
  for (const [name, value] of form) {
    if (++count > MAX_FIELDS) throw tooMany();
    if (typeof value === 'string') fields[name] = value;
    else if (fileLimit === undefined) fields[name] = '';
    else if (!isUnchosen(value)) {
      if (file) throw badRequest('You may only upload one file at a time');
      if (value.size > fileLimit) throw fileTooLarge(fileLimit);
      file = value;
    }
  }
  return file ? { fields, file: await file.bytes() } : { fields };
}

/** Browsers send a part without name and content for a file input in which no file is chosen. */
const isUnchosen = ({ name, size }: File) => name === '' && size === 0;

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

const bodyTooLarge = (limit: number) =>
  new ApiError('PAYLOAD_TOO_LARGE', { message: `The request body is larger than ${limit} bytes` });

/**
 * Reads a body. `admit` is called for the declared size and for each chunk; when it throws, the rest is read
 * and dropped, within the time limit of a request: a client whose connection closes while it sends does
 * not read the response.
 */
function readAll(
  request: IncomingMessage,
  admit: (size: number, more: number) => void,
): Promise<Buffer<ArrayBuffer>> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    let isRefused = false;
    const isAdmitted = (total: number, more: number) => {
      try {
        admit(total, more);
        return true;
      } catch (error) {
        isRefused = true;
        chunks.length = 0;
        reject(error as ApiError);
        return false;
      }
    };
    isAdmitted(Number(request.headers['content-length'] ?? 0), 0);
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (!isRefused && isAdmitted(size, chunk.length)) chunks.push(chunk);
    });
    request.on('end', () => resolve(Buffer.concat(chunks)));
    request.on('error', () => reject(badRequest('The request was aborted')));
  });
}
