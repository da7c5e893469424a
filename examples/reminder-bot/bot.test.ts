import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { memoryStore } from '@bellhop/bot/stores';
import { fileStore } from '@bellhop/bot/stores/file';
import { chat } from '@bellhop/bot/testing';
import { expect, onTestFinished, test } from 'vitest';

import makeBot from './bot.ts';

const HOUR = 3_600_000;

// The clock of chat() begins on a Monday at nine.
test('a reminder is posted where it was requested, and each workday a summary of pending reminders', async () => {
  const room = chat(
    (options) => makeBot({ ...options, store: memoryStore({ now: () => room.clock.now() }) }),
    { name: 'Reminder' },
  );
  const ada = room.user('Ada').inChannel('ops', 'releases');
  expect(await ada.says('remind in 2 hours tag the release')).toEqual([
    'I will remind you <time:2026-01-05T11:00:00.000Z>.',
  ]);
  await ada.says('remind in 30h tell everybody');
  await room.advance(2 * HOUR);
  expect(room.last()).toMatchObject({
    content: 'Remember: tag the release',
    destination: { type: 'channel', topic: 'releases' },
  });
  await room.advance(22 * HOUR);
  expect(room.last()).toMatchObject({
    content: 'Still to come:\n- tell everybody',
    destination: { channel: 'general', topic: 'reminders' },
  });
  await room.advance(48 * HOUR);
  expect(room.transcript().slice(-2)).toEqual([
    'Reminder: Still to come:\n- tell everybody',
    'Reminder: Remember: tell everybody',
  ]);
});

test('a reminder is posted after a restart of the bot', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'reminder-bot-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  const before = fileStore(directory);
  await chat((options) => makeBot({ ...options, store: before }))
    .user('Ada')
    .says('remind in 1h stretch');
  await before.close();
  const after = fileStore(directory);
  onTestFinished(() => after.close());
  const room = chat((options) => makeBot({ ...options, store: after }));
  await room.advance(HOUR);
  await expect.poll(room.transcript).toEqual(['Bot: Remember: stretch']);
});
