import { chat } from '@bellhop/bot/testing';
import { expect, test } from 'vitest';

import makeBot from './bot.ts';

function setUp() {
  const deployed: string[] = [];
  const room = chat((options) =>
    makeBot(options, async (env, ref) => {
      if (ref === 'broken') throw new Error('exit code 1');
      deployed.push(`${ref} ${env}`);
    }),
  );
  return { room, deployed, ada: room.user('Ada', { role: 'moderator' }) };
}

test('deploy runs at once for staging, and after confirmation for prod', async () => {
  const { deployed, ada } = setUp();
  expect(await ada.says('deploy staging')).toEqual([
    'Deploying main to staging …',
    'main is on staging.',
  ]);
  expect(await ada.says('ship prod v2')).toEqual(['Deploy v2 to prod? (yes / no)']);
  expect(deployed).toEqual(['main staging']);
  expect(await ada.says('yes')).toEqual(['Deploying v2 to prod …', 'v2 is on prod.']);
  expect(deployed).toEqual(['main staging', 'v2 prod']);
  expect(await ada.says('deploy prod -n')).toEqual(['I would deploy main to prod.']);
});

test('deploy rejects a member, and marks a wrong argument with carets', async () => {
  const { room, deployed, ada } = setUp();
  expect(await room.user('Eve').says('deploy staging')).toEqual([
    expect.stringContaining('moderator or above'),
  ]);
  expect(await ada.says('deploy stagin')).toEqual([expect.stringContaining('^^^^^^')]);
  expect(deployed).toEqual([]);
});

test('the reply to a failed deployment names the reference in the log', async () => {
  const { room, ada } = setUp();
  const [, reply] = await ada.says('deploy staging broken');
  expect(room.failures).toMatchObject([{ error: { message: 'exit code 1' } }]);
  expect(reply).toContain(`Ask in #**ops** and name ${room.failures[0]?.reference}`);
});
