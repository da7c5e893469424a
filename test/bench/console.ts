import { roles } from '@bellhop/protocol';
import { Client } from 'pg';

import { startConsoleBrowser } from '../support/console-browser.ts';
import { fillConsole, ROWS } from './console/fill-console.ts';
import { composerIsUsable, signInIsUsable } from './console/first-view.ts';
import { followDeliveries } from './console/live-tail.ts';
import { longestFrame } from './console/longest-frame.ts';
import { createDatabase } from './database.ts';
import { temporaryPostgres } from './disk.ts';
import type { Measure } from './measure.ts';
import { median } from './statistics.ts';

const VIEWS = 5;
const SCROLLS = 3;

/**
 * The console in a real Chromium beside its goals: its first view, the longest frame while long
 * lists are scrolled from end to end, and its memory over an hour of live deliveries.
 */
export async function bench(): Promise<Measure[]> {
  await using stack = new AsyncDisposableStack();
  const postgres = await temporaryPostgres(stack);
  const databaseUrl = await createDatabase(postgres.url, 'console');
  const console = stack.use(await startConsoleBrowser({ database: { url: databaseUrl } }));
  const db = new Client(databaseUrl);
  await db.connect();
  const filled = await fillConsole(console.sandbox, db);
  await db.end();
  const signIn = await repeated(VIEWS, () => signInIsUsable(console));
  const { page } = await console.open(roles.owner);
  const composer = await repeated(VIEWS, () => composerIsUsable(page, filled.topicPath));
  const messages = await repeated(SCROLLS, () => longestFrame(page, filled.messages));
  const deliveries = await repeated(SCROLLS, () => longestFrame(page, filled.deliveries));
  const tail = await followDeliveries(page, console.sandbox.as(roles.owner));
  return [
    row('sign-in form usable, no cache', 'ms', { ours: median(signIn), aim: 1000, runs: VIEWS }),
    row('conversation usable, no cache', 'ms', {
      ours: median(composer.map(({ ms }) => ms)),
      aim: 1000,
      runs: VIEWS,
    }),
    row('scripts of the first view, as sent', 'kB', {
      ours: median(composer.map(({ kilobytes }) => kilobytes)),
      aim: 130,
      runs: VIEWS,
    }),
    row(`longest frame, ${ROWS} messages`, 'ms', {
      ours: Math.min(...messages),
      aim: 50,
      runs: SCROLLS,
    }),
    row(`longest frame, ${ROWS} deliveries`, 'ms', {
      ours: Math.min(...deliveries),
      aim: 50,
      runs: SCROLLS,
    }),
    {
      ...row('heap after an hour of 20 deliveries a second', 'MB', {
        ours: tail.end,
        aim: tail.quarter,
        runs: 1,
      }),
      reference_name: 'after a quarter of it',
    },
    row('time to take that hour', 's', { ours: tail.seconds, aim: 60, runs: 1 }),
  ];
}

interface Result {
  readonly ours: number;
  readonly aim: number;
  readonly runs: number;
}

const row = (measure: string, unit: string, { ours, aim, runs }: Result): Measure => ({
  bench: 'console',
  measure,
  unit,
  ours,
  reference: aim,
  reference_name: 'aim, at most',
  ratio: ours / aim,
  runs,
});

async function repeated<T>(times: number, measure: () => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  for (let n = 0; n < times; n++) {
    results.push(await measure());
  }
  return results;
}
