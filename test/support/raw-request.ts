import { request } from 'node:http';
import { text } from 'node:stream/consumers';

import { type ApiError, type Endpoint, pathVariables, splitRoute } from '@bellhop/protocol';
import type { Sample } from '@bellhop/server/contract-fixtures';

export interface RawResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  /** The parsed JSON body; an empty object without a body. */
  readonly body: Record<string, unknown>;
}
export interface RawRequest {
  readonly method: string;
  /** Below the prefix, with the query. */
  readonly path: string;
  /** Default `/api/v1`. */
  readonly prefix?: string;
  readonly form?: string;
  /** The content type of the form; default: URL-encoded. */
  readonly type?: string;
  readonly credentials?: { readonly email: string; readonly api_key: string } | undefined;
  /** The Host header; default: that of the URL. */
  readonly host?: string | undefined;
}

/** Sends one request, with any Host header, which fetch() would replace. */
export async function sendRequest(url: string, asked: RawRequest): Promise<RawResponse> {
  const { method, path, form, credentials, host } = asked;
  const { type = 'application/x-www-form-urlencoded', prefix = '/api/v1' } = asked;
  const answer = await new Promise<{
    status: number;
    headers: RawResponse['headers'];
    text: string;
  }>((resolve, reject) => {
    const sent = request(`${url}${prefix}${path}`, {
      method,
      headers: {
        ...(host ? { host } : {}),
        ...(form === undefined
          ? {}
          : {
              'content-type': type,
              'content-length': Buffer.byteLength(form),
            }),
        ...(credentials
          ? { authorization: `Basic ${btoa(`${credentials.email}:${credentials.api_key}`)}` }
          : {}),
      },
    });
    sent.on('error', reject);
    sent.on('response', (response) => {
      text(response).then(
        (body) =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text: body }),
        reject,
      );
    });
    sent.end(form);
  });
  return { ...answer, body: answer.text === '' ? {} : (JSON.parse(answer.text) as object as {}) };
}

/** The response in which the server sends an error. */
export function responseOf({ code, data, message: msg, status }: ApiError): RawResponse {
  const body = { result: 'error', msg, code, ...data };
  return {
    status,
    headers: { 'content-type': 'application/json' },
    text: JSON.stringify(body),
    body,
  };
}

/** The request of an endpoint with these parameters; a path variable that is missing is 1. */
export function requestOf(endpoint: Endpoint, sample: Sample): RawRequest {
  const [method, template] = splitRoute(endpoint.route);
  const inPath = pathVariables(endpoint.route);
  const path = template.replace(/\{(\w+)\}/g, (_all, name: string) =>
    encodeURIComponent(sample[name] ?? '1'),
  );
  const others = Object.entries(sample).filter(([name]) => !inPath.includes(name));
  const fields = new URLSearchParams(others).toString();
  if (method === 'GET' || method === 'DELETE') return { method, path: `${path}?${fields}` };
  if (endpoint.body === 'file') return { method, path: `${path}?${fields}`, ...fileUpload };
  return requiresImage(endpoint, inPath)
    ? { method, path, ...imageUpload(others) }
    : { method, path, form: fields };
}

/** An image that comes with required fields, as that of a new bot, is optional. */
const requiresImage = ({ fileLimit, params }: Endpoint, inPath: readonly string[]) =>
  fileLimit !== undefined &&
  Object.entries(params.shape).every(
    ([name, schema]) => inPath.includes(name) || schema.safeParse(undefined).success,
  );

const type = 'multipart/form-data; boundary=x';

/** An image of one pixel, all ASCII: the form is text. */
const gif = 'GIF89a\x01\0\x01\0\0\0\0,\0\0\0\0\x01\0\x01\0\0\x02\x02D\x01\0;';

/** A form with an image beside these fields. */
const imageUpload = (fields: readonly (readonly [name: string, value: string])[]) => ({
  type,
  form: [
    ...fields.map(([name, value]) => `name="${name}"\r\n\r\n${value}`),
    `name="f"; filename="a.gif"\r\n\r\n${gif}`,
  ]
    .map((part) => `--x\r\ncontent-disposition: form-data; ${part}\r\n`)
    .concat('--x--\r\n')
    .join(''),
});

const fileUpload = {
  type,
  form: '--x\r\ncontent-disposition: form-data; name="f"; filename="a.txt"\r\n\r\nhello\r\n--x--\r\n',
};
