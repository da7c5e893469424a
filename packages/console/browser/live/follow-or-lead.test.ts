import type { Registration } from '@bellhop/client';
import { afterEach, expect, test } from 'vitest';

import { type Followed, followOrLead } from './follow-or-lead.ts';

const closing = new AbortController();
afterEach(() => closing.abort());

const state = { queue_id: 'q', last_event_id: 7 } as Registration;

/** Opens a tab; returns what it takes. The first one leads, and registers at once. */
function openTab(): Followed[] {
  const taken: Followed[] = [];
  let known: Registration | undefined;
  followOrLead({
    name: 'live',
    signal: closing.signal,
    take: (item) => {
      taken.push(item);
      if (item.kind === 'registered') known = item.state;
    },
    snapshot: () => known,
    lead: async (publish) => {
      publish({ kind: 'registered', state });
      await new Promise((resolve) => closing.signal.addEventListener('abort', resolve));
    },
  });
  return taken;
}

test('a tab that opens gets the state of the leading tab, and the other tabs do not get it again', async () => {
  const registered = { kind: 'registered', state };
  const first = openTab();
  await expect.poll(() => first).toEqual([registered]);
  const second = openTab();
  await expect.poll(() => second).toEqual([registered]);
  const third = openTab();
  await expect.poll(() => third).toEqual([registered]);
  expect([first, second]).toEqual([[registered], [registered]]);
});
