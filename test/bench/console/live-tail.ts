import type { Client } from '@bellhop/client';
import type { BotDelivery } from '@bellhop/protocol';
import type { Page, Route } from 'playwright-core';

const PER_SECOND = 20;
const SECONDS = 3600;
/** Of this many seconds the page gets the events in one answer. */
const SECONDS_PER_POLL = 20;
const ROWS = PER_SECOND * SECONDS;
const LIMIT_MS = 60_000;

export interface LiveTail {
  /** Megabytes of live JavaScript objects after a quarter of the hour, and after all of it. */
  readonly quarter: number;
  readonly end: number;
  /** Seconds until the page had taken all. */
  readonly seconds: number;
}

/**
 * An hour of deliveries in the list of all: 72,000 begin and end, as fast as the page takes them. Throws
 * if that takes more than a minute.
 */
export async function followDeliveries(page: Page, owner: Client): Promise<LiveTail> {
  const { members } = await owner.users.list();
  const bot_id = members.find(({ full_name }) => full_name === 'Bot 0')?.user_id;
  if (bot_id === undefined) throw new Error('There is no bot');
  const [sample] = (await owner.botDeliveries.list({ bot_id })).deliveries;
  if (!sample) throw new Error('There is no delivery');
  await page.goto(new URL('/console/bots/all', page.url()).href);
  await page.locator('[aria-label="Deliveries"] [data-key]').first().waitFor();
  const heaps: number[] = [];
  const isOver = Promise.withResolvers<undefined>();
  let sent = 0;
  let begun = Date.now();
  const answer = async (route: Route) => {
    if (sent === 0) begun = Date.now();
    if (sent === ROWS / 4 || sent === ROWS) heaps.push(await heapMegabytes(page));
    // A poll without a new event waits, as at the server.
    if (sent === ROWS) return isOver.resolve(undefined);
    const asked = new URL(route.request().url()).searchParams;
    const rows = PER_SECOND * SECONDS_PER_POLL;
    const events = eventsOf(sample, {
      from: sent,
      rows,
      after: Number(asked.get('last_event_id')),
    });
    sent += rows;
    const json = { result: 'success', msg: '', queue_id: asked.get('queue_id'), events };
    await route.fulfill({ json });
  };
  await page.route(/\/api\/v1\/events\?/, (route) => answer(route).catch(isOver.reject));
  const late = () => isOver.reject(new Error(`The page had taken ${sent} of ${ROWS} in a minute`));
  const timer = setTimeout(late, LIMIT_MS);
  try {
    // Ends the poll that waits at the server.
    const to = members.filter(({ is_bot }) => !is_bot).map(({ user_id }) => user_id);
    await owner.messages.send({ type: 'direct', to, content: 'begin' });
    await isOver.promise;
    await page.getByText(`number ${ROWS - 1}`, { exact: true }).waitFor();
  } finally {
    clearTimeout(timer);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  }
  const [quarter = 0, end = 0] = heaps;
  return { quarter, end, seconds: (Date.now() - begun) / 1000 };
}

interface Portion {
  readonly from: number;
  readonly rows: number;
  /** The last event that the page has. */
  readonly after: number;
}

/** The events of a server: each delivery runs, and then is delivered or has failed. */
function eventsOf(sample: BotDelivery, { from, rows, after }: Portion) {
  const now = Date.now();
  return Array.from({ length: rows }, (_, n) => {
    const number = from + n;
    const time = now.toString(16).padStart(12, '0');
    const delivery = {
      ...sample,
      id: `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${String(number).padStart(12, '0')}`,
      created_ms: now,
      status: number % 50 === 0 ? 'failed' : 'delivered',
      verdict: `number ${number}`,
    };
    const running = { ...delivery, status: 'running', duration_ms: null, http_status: null };
    const id = after + 1 + 2 * n;
    return [
      { type: 'bot_delivery', op: 'add', id, delivery: running },
      { type: 'bot_delivery', op: 'update', id: id + 1, delivery },
    ];
  }).flat();
}

async function heapMegabytes(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  await session.detach();
  return usedSize / 1e6;
}
