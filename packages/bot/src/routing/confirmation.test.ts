import { expect, test } from 'vitest';

import { createBot } from '../create-bot.ts';
import { chat } from '../testing/chat/chat.ts';
import type { ConfirmationOptions } from './confirmation.ts';

/** A bot whose command needs a confirmation, and people in a channel. */
const deploying = (confirming: ConfirmationOptions = {}) => {
  const room = chat((options) =>
    createBot(options)
      .command(
        'deploy <env>',
        {
          allow: ({ by }) => by.fullName !== 'Mallory',
          confirm: { ask: ({ args }) => args.env === 'prod' && 'Deploy to prod?', ...confirming },
        },
        ({ args, askedBy, by, trigger }) =>
          `${args.env}: asked by ${askedBy.fullName}, confirmed by ${by.fullName} (${trigger})`,
      )
      .command('ping', () => 'pong')
      .fallback(() => 'What?'),
  );
  const person = (name: string, role: 'member' | 'admin' = 'member') => {
    const user = room.user(name, { role });
    return { ...user, ...user.inChannel('ops', 'deploys') };
  };
  return { room, ada: person('Ada'), grace: person('Grace', 'admin'), mallory: person('Mallory') };
};

test.each(['yes', 'Y', 'Yes!', ' yes. ', '1'])('"%s" runs the confirmed command', async (yes) => {
  const { ada } = deploying();
  expect(await ada.says('deploy prod')).toEqual(['Deploy to prod? (yes / no)']);
  expect(await ada.writes(yes)).toEqual(['prod: asked by Ada, confirmed by Ada (mention)']);
  expect(await ada.writes('yes')).toEqual([]);
});

test.each(['no', 'N', 'cancel', 'No.'])('"%s" does not run the command', async (no) => {
  const { ada } = deploying();
  await ada.says('deploy prod');
  expect(await ada.writes(no)).toEqual(['All right, nothing was done.']);
  expect(await ada.says('yes')).toEqual(['You have answered that already: No.']);
  expect(await ada.says('yes')).toEqual(['What?']);
});

test('a confirmation shows buttons, and a command that needs none runs at once', async () => {
  const { room, ada } = deploying();
  expect(await ada.says('deploy staging')).toEqual([
    'staging: asked by Ada, confirmed by Ada (mention)',
  ]);
  await ada.says('deploy prod');
  expect(JSON.parse(room.last()?.widget ?? '')).toMatchObject({
    extra_data: { choices: [{ reply: 'Yes' }, { reply: 'No' }] },
  });
});

test('a thumb of the right person confirms a command or refuses it, other reactions do nothing', async () => {
  const { ada, grace } = deploying();
  await ada.says('deploy prod');
  expect(await ada.reacts('tada')).toEqual([]);
  expect(await grace.reacts('+1')).toEqual([]);
  expect(await ada.reacts('+1')).toEqual(['prod: asked by Ada, confirmed by Ada (mention)']);
  await ada.says('deploy prod');
  expect(await ada.unreacts('-1')).toEqual([]);
  expect(await ada.reacts('-1')).toEqual(['All right, nothing was done.']);
});

test('a command confirmed by another person, a role or given people runs with the permission of its sender', async () => {
  for (const by of ['others', 'admin', [3]] as const) {
    const { ada, grace, mallory } = deploying({ by });
    await ada.says('deploy prod');
    expect(await ada.writes('yes')).toEqual([]);
    if (by !== 'others') expect(await mallory.writes('yes')).toEqual([]);
    expect(await grace.writes('yes')).toEqual(['prod: asked by Ada, confirmed by Grace (mention)']);
    expect(await mallory.says('deploy prod')).toEqual(['You may not use `deploy`.']);
  }
});

test('an expired confirmation posts its timedOut text if it has one, and a later yes is told so', async () => {
  const { room, ada } = deploying({ timeoutMs: 60_000, timedOut: 'Nobody confirmed it.' });
  await ada.says('deploy prod');
  await room.advance(60_000);
  expect(room.last()?.content).toBe('Nobody confirmed it.');
  expect(await ada.says('yes')).toEqual(['That question has ended: nobody has answered in time.']);
  expect(await ada.says('yes')).toEqual(['What?']);
  const silent = deploying();
  await silent.ada.says('deploy prod');
  await silent.room.advance(300_000);
  expect(silent.room.last()).toMatchObject({
    content: 'Deploy to prod?\n\nNobody has answered in time.',
    edits: ['Deploy to prod? (yes / no)'],
  });
  expect(await silent.ada.says('y')).toEqual(['What?']);
});

test('a later command of the same person drops the open confirmation, and a yes after it is told so', async () => {
  const { room, ada, grace } = deploying();
  await ada.says('deploy prod');
  await grace.says('ping');
  expect(room.messages[1]?.widget).toBeDefined();
  await ada.says('ping');
  expect(room.messages[1]?.content).toBe('Deploy to prod?\n\nNo longer asked.');
  expect(await ada.says('yes')).toEqual(['That question is no longer asked.']);
  expect(await ada.says('yes')).toEqual(['What?']);
  await ada.says('deploy prod');
  await ada.says('deploy prod');
  expect(await ada.says('yes')).toHaveLength(1);
  expect(await ada.says('yes')).toEqual(['You have answered that already: Yes.']);
  expect(await ada.says('yes')).toEqual(['What?']);
});
