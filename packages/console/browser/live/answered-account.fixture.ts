import { createPlainClient } from '@bellhop/client/plain';
import { type QueuedEvent, UserId } from '@bellhop/protocol';
import type { ReadonlySignal } from '@preact/signals';

import { type LiveAccount, loadApplyEvent, openLiveAccount } from './live-account.ts';

/** The parameters of a call as the server gets them: a list or an object is JSON text. */
export type Params = Readonly<Record<string, string>>;
/** The answers of a server, by route: `GET /messages`. An error is thrown as a lost connection. */
export type Answers = Record<string, (params: Params) => object | Promise<object>>;

let opened = 100;

/** The fields of every registration. */
const version = {
  svc_feature_level: 400,
  svc_version: '12.0',
  zulip_feature_level: 400,
  zulip_version: '12.0',
  zulip_merge_base: '',
};

/**
 * An account whose server is these answers. It registers a queue, of which `happens` is the other end.
 */
export async function answeredAccount(answers: Answers = {}, state: object = {}) {
  const asked: { readonly route: string; readonly params: Params }[] = [];
  let queues = 0;
  let lastId = 0;
  let events: object[] = [];
  let isQueueGone = false;
  let wake = () => {};
  const wait = (signal: AbortSignal | null | undefined) =>
    new Promise<void>((resolve, reject) => {
      wake = resolve;
      signal?.addEventListener('abort', () => reject(signal.reason as Error));
    });
  const register = () => {
    isQueueGone = false;
    events = [];
    return { ...version, queue_id: `queue ${++queues}`, last_event_id: lastId, ...state };
  };
  const fetch: typeof globalThis.fetch = async (input, { method = 'GET', body, signal } = {}) => {
    const { pathname, searchParams } = new URL(input as string);
    const route = `${method} ${pathname.replace('/api/v1', '')}`;
    const given = body instanceof URLSearchParams ? body : searchParams;
    const params = Object.fromEntries(given);
    if (route === 'DELETE /events') return success({});
    if (route === 'GET /events') {
      if (events.length === 0 && !isQueueGone && params['dont_block'] !== 'true')
        await wait(signal);
      if (isQueueGone) return refusal('BAD_EVENT_QUEUE_ID');
      return success({ events: events.splice(0), queue_id: `queue ${queues}` });
    }
    asked.push({ route, params });
    const answer = answers[route] ?? (route === 'POST /register' ? register : undefined);
    if (!answer) throw new Error(`The test gives no answer to ${route}`);
    const result = await answer(params);
    return result instanceof Response ? result : success(result);
  };
  const client = createPlainClient({ url: 'http://test.invalid', fetch });
  const account = openLiveAccount(client, UserId.parse(opened++));
  await until(account.state, (known) => known !== undefined);
  await loadApplyEvent();
  const losesQueue = () => {
    isQueueGone = true;
    wake();
  };
  return {
    account,
    /** May be changed. */
    answers,
    asked,
    /** The calls of a route. */
    calls: (route: string) =>
      asked.filter((one) => one.route === route).map(({ params }) => params),
    /** Sends events through the queue; resolves when the account has taken them. */
    happens: async (...all: readonly object[]) => {
      const taken = nextEvents(account, all.length);
      events.push(...all.map((event) => ({ ...event, id: ++lastId })));
      wake();
      await taken;
    },
    losesQueue,
    /** Drops the queue; resolves when the account has registered another one. */
    registersAgain: async () => {
      const next = account.generation.peek() + 1;
      losesQueue();
      await until(account.generation, (generation) => generation === next);
    },
    [Symbol.dispose]: account.stop,
  };
}

/** Resolves when the value of a signal is as wanted, and what followed from it has run. */
const until = <T>(signal: ReadonlySignal<T>, isWanted: (value: T) => boolean): Promise<void> =>
  new Promise((resolve) => {
    const stop = signal.subscribe((value) => {
      if (isWanted(value))
        setTimeout(() => {
          stop();
          resolve();
        });
    });
  });

function nextEvents(account: LiveAccount, count: number): Promise<void> {
  let left = count;
  return new Promise((resolve) => {
    const stop = account.onEvent((_event: QueuedEvent) => {
      if (--left > 0) return;
      stop();
      setTimeout(resolve);
    });
  });
}

const success = (result: object) => Response.json({ result: 'success', msg: '', ...result });

/** An answer that refuses a call. */
export const refusal = (code: string, status = 400) =>
  Response.json({ result: 'error', code, msg: `Refused: ${code}` }, { status });
