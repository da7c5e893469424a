import { type DecodedText, decodeResponse, stringifyJson } from '@bellhop/protocol';

import { CannotStart, Deviation, type Need } from './check.ts';

export interface ProbeResponse {
  readonly status: number;
  /** The body, if it is a JSON object; else empty. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly text: string;
}

export interface ProbeRequest {
  readonly method?: string;
  /** Fields of a form; values that are no strings are sent as JSON. Query parameters of a GET. */
  readonly form?: Readonly<Record<string, unknown>>;
  /** A JSON body, or the text of one. */
  readonly json?: unknown;
  readonly login?: readonly [user: string, password: string] | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
}

/** Sends a request. Throws `Deviation` if nothing answers in time. */
export async function send(url: string, sending: ProbeRequest): Promise<ProbeResponse> {
  const { method = 'POST', form, json, login, timeoutMs } = sending;
  const fields = new URLSearchParams(
    Object.entries(form ?? {})
      .filter(([, value]) => value !== undefined)
      .map(([name, value]): [string, string] => [
        name,
        typeof value === 'string' ? value : stringifyJson(value),
      ]),
  );
  const isGet = method === 'GET';
  const headers = {
    ...(login ? { authorization: `Basic ${btoa(login.join(':'))}` } : {}),
    ...(json === undefined ? {} : { 'content-type': 'application/json' }),
    ...sending.headers,
  };
  const body = json === undefined ? fields : typeof json === 'string' ? json : stringifyJson(json);
  const address = isGet && form !== undefined ? `${url}?${fields.toString()}` : url;
  let response: Response;
  let answer: DecodedText;
  try {
    response = await fetch(address, {
      method,
      headers,
      ...(isGet ? {} : { body }),
      signal: AbortSignal.timeout(timeoutMs),
    });
    answer = await decodeResponse(response);
  } catch (error) {
    const { message, cause } = error as Error;
    const detail = cause instanceof Error ? cause.message : message;
    throw new Deviation(`no answer from ${url}: ${detail}`, { cause: error });
  }
  const { text, fault } = answer;
  if (fault !== undefined) throw new Deviation(`the answer of ${url} ${fault}`);
  return { status: response.status, text, body: objectIn(text) };
}

function objectIn(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

/** An answer in a few words: `400 BAD_REQUEST`. */
export function shown({ status, body, text }: ProbeResponse): string {
  const { code, result } = body;
  if (typeof code === 'string') return `${status} ${code}`;
  if (typeof result === 'string') return `${status} ${result}`;
  return `${status} ${JSON.stringify(text.slice(0, 60))}`;
}

/** Throws `Deviation` unless the answer is the success envelope. */
export function requireSuccess(answer: ProbeResponse): ProbeResponse {
  if (answer.status === 200 && answer.body['result'] === 'success') return answer;
  throw new Deviation(`${shown(answer)} instead of 200 success`);
}

/** Throws `Deviation` unless the answer is the error envelope with this status and one of the codes. */
export function requireError(
  answer: ProbeResponse,
  status: number,
  ...codes: readonly string[]
): string {
  const { result, msg, code } = answer.body;
  if (answer.status !== status || !codes.includes(String(code)))
    throw new Deviation(`${shown(answer)} instead of ${status} ${codes.join(' or ')}`);
  if (result !== 'error' || typeof msg !== 'string')
    throw new Deviation(`${shown(answer)} without result "error" and msg`);
  return shown(answer);
}

/**
 * Throws `CannotStart` unless the service, in words such as "chat server", gives the success envelope to a
 * request with a login, before the first check.
 */
export async function requireAccess(
  service: string,
  need: Need,
  request: () => Promise<ProbeResponse>,
): Promise<void> {
  const answer = await request().catch((error: unknown) => {
    if (!(error instanceof Deviation)) throw error;
    throw new CannotStart('service', `The ${service} cannot be reached: ${error.message}.`, {
      cause: error,
    });
  });
  const { result, code, msg } = answer.body;
  if (answer.status === 200 && result === 'success') return;
  const why = typeof msg === 'string' ? `${shown(answer)}, ${msg}` : shown(answer);
  // What is no answer of the protocol comes from something else.
  if (typeof code !== 'string' || answer.status === 404)
    throw new CannotStart('service', `There is no ${service} of the protocol: ${why}.`);
  if (answer.status === 429 || answer.status >= 500)
    throw new CannotStart('service', `The ${service} takes no requests now: ${why}.`);
  throw new CannotStart(need, `The ${service} refuses the login: ${why}.`);
}
