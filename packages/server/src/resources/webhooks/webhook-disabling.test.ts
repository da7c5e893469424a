import { expect, test } from 'vitest';

import type { TestChat } from '../../test-chat.fixture.ts';
import { ended, failingWebhook, serviceOf } from './failing-webhook.fixture.ts';
import { status } from './webhooks.fixture.ts';

const { setUp } = failingWebhook();

/** A console of the owner; returns the changes of endpoints since the last call. */
async function endpointChanges({ people: { hamlet } }: TestChat) {
  const { queue_id, last_event_id } = await hamlet.client.queues.register({
    event_types: ['bot_endpoint'],
    client_capabilities: { console_events: true },
  });
  let last = last_event_id;
  return async () => {
    const asked = { queue_id: queue_id ?? '', last_event_id: last, dont_block: true };
    const { events } = await hamlet.client.queues.events(asked);
    last = events.at(-1)?.id ?? last;
    return events;
  };
}

test('410 disables the webhook at once; a success half an hour later enables it again; consoles get an event for each', async () => {
  let now = 1_800_000_000;
  const { receiver, chat, bot, owner, other, send } = await setUp({ now: () => now });
  const changes = await endpointChanges(chat);
  receiver.answer(status(410));
  await send();
  await other.next();
  expect((await other.next()).content).toMatch(/^Failure! .*status 410/);
  expect((await owner.next()).content).toContain('disabled because it says that it is gone');
  expect((await owner.next()).content).toMatch(/status 410/);
  expect(await serviceOf(chat)).toMatchObject({ disabled_at: new Date(now * 1000) });
  const about = { type: 'bot_endpoint', bot_id: bot.user_id };
  const reason = 'Disabled because it says that it is gone.';
  const disabled = { payload_url: receiver.url, state: 'disabled', reason };
  expect(await changes()).toMatchObject([{ ...about, endpoint: disabled }]);

  receiver.answer('{"content":"back"}');
  await send();
  await other.next();
  expect((await other.next()).content).toMatch(/^Failure! The bot is disabled/);
  expect(receiver.received).toHaveLength(1);

  now += 1801;
  await send();
  await other.next();
  expect((await other.next()).content).toBe('back');
  expect(await serviceOf(chat)).toMatchObject({ disabled_at: null, failures_in_a_row: 0 });
  await send();
  await other.next();
  expect((await other.next()).content).toBe('back');
  expect(await owner.rest()).toEqual([]);
  expect(await changes()).toMatchObject([
    { ...about, endpoint: { payload_url: receiver.url, state: 'working', reason: null } },
  ]);
});

test('twenty consecutive failures over a day disable a webhook', async () => {
  let now = 1_800_000_000;
  const { receiver, chat, owner, send } = await setUp({ retry: 'none', now: () => now });
  receiver.answer(status(500));
  const fail = async () => ended(chat, await send());
  for (let failed = 0; failed < 20; failed++) await fail();
  expect(await serviceOf(chat)).toMatchObject({ failures_in_a_row: 20, disabled_at: null });
  await owner.rest();
  now += 86_401;
  await fail();
  expect(await serviceOf(chat)).toMatchObject({ disabled_at: new Date(now * 1000) });
  const said = (await owner.rest()).map(({ content }) => content).join('\n');
  expect(said).toContain('after a day of nothing but failures');

  // The attempt at the disabled webhook fails: it stays disabled, and the owner gets no second notice.
  now += 1801;
  await fail();
  const again = (await owner.rest()).map(({ content }) => content).join('\n');
  expect(again).toContain('status 500');
  expect(again).not.toContain('disabled');
  expect((await serviceOf(chat)).disabled_at).toEqual(new Date((now - 1801) * 1000));
});

test('fewer failures do not disable a webhook, and one success clears them', async () => {
  let now = 1_800_000_000;
  const { receiver, chat, send } = await setUp({ retry: 'none', now: () => now });
  receiver.answer(status(500));
  for (let failed = 0; failed < 3; failed++) {
    await ended(chat, await send());
    now += 86_400;
  }
  expect(await serviceOf(chat)).toMatchObject({ failures_in_a_row: 3, disabled_at: null });
  receiver.answer('{}');
  await ended(chat, await send());
  expect(await serviceOf(chat)).toMatchObject({ failures_in_a_row: 0, failing_since: null });
});
