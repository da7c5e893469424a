import { decodeResponse } from '@bellhop/protocol';

import { consoleFetch } from '../session/console-fetch.ts';
import type { Answer } from './answer-view.tsx';
import type { ApiCall } from './api-call.ts';

interface RunOptions {
  /** A file that is sent as a multipart form. */
  readonly file: File | undefined;
  readonly signal: AbortSignal;
}

/** The longest answer that is shown. */
const MAX_SHOWN = 2_000_000;

/** Makes a call as an account of the session. Rejects if the server does not answer. */
export async function runCall(
  user_id: number,
  { method, path, headers, form, json }: ApiCall,
  { file, signal }: RunOptions,
): Promise<Answer> {
  const began = performance.now();
  const response = await consoleFetch(user_id)(path, {
    method,
    signal,
    headers: { ...headers, ...(json !== undefined && { 'content-type': 'application/json' }) },
    ...(file
      ? { body: withFile(form, file) }
      : form
        ? { body: new URLSearchParams(form) }
        : json === undefined
          ? {}
          : { body: json }),
  });
  const { text } = await decodeResponse(response);
  return {
    status: response.status,
    statusText: response.statusText,
    ms: Math.round(performance.now() - began),
    headers: Object.fromEntries(response.headers),
    text: text.slice(0, MAX_SHOWN),
    isCut: text.length > MAX_SHOWN,
  };
}

function withFile(form: ApiCall['form'], file: File): FormData {
  const fields = new FormData();
  for (const [name, value] of Object.entries(form ?? {})) fields.set(name, value);
  fields.set('file', file);
  return fields;
}
