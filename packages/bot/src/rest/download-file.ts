import type { ClientOptions } from '@bellhop/client';

import { BotError } from '../bot-error.ts';
import type { Download } from './attachments.ts';

/** How long the server may take to begin with a file, in milliseconds. */
const PATIENCE_MS = 30_000;

/**
 * Downloads an uploaded file. Asks the API for a temporary address of it, which works with every
 * version of the server and needs no credentials. Throws BotError `api_rejected` and `api_unreachable`.
 */
export async function downloadFile(
  { url, email, apiKey, fetch: ask = fetch }: ClientOptions,
  path: string,
): Promise<Download> {
  const site = url.replace(/\/$/, '');
  const authorization = `Basic ${Buffer.from(`${email}:${apiKey}`).toString('base64')}`;
  const temporary = await answerTo(ask, `${site}/api/v1${path}`, { authorization });
  const { url: address } = (await temporary.json()) as { url?: unknown };
  if (typeof address !== 'string')
    throw new BotError('api_rejected', `The server gives no address of the file ${path}.`);
  const { headers, body } = await answerTo(ask, new URL(address, `${site}/`).href, {});
  if (body === null) throw new BotError('api_rejected', `The server sent no content of ${path}.`);
  const length = headers.get('content-length');
  const [type = ''] = (headers.get('content-type') ?? '').split(';');
  return {
    type: type === '' ? 'application/octet-stream' : type,
    size: length === null ? undefined : Number(length),
    body,
  };
}

async function answerTo(
  ask: typeof fetch,
  address: string,
  headers: Readonly<Record<string, string>>,
): Promise<Response> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), PATIENCE_MS);
  try {
    const response = await ask(address, { headers: { ...headers }, signal: late.signal });
    if (response.ok) return response;
    await response.body?.cancel();
    const code = response.status >= 500 ? 'api_unreachable' : 'api_rejected';
    throw new BotError(code, `The server answered ${response.status} to the download of a file.`);
  } catch (cause) {
    if (cause instanceof BotError) throw cause;
    throw new BotError('api_unreachable', 'Could not download a file.', { cause });
  } finally {
    clearTimeout(timer);
  }
}
