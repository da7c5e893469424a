import { expect, test } from 'vitest';

import { createBot } from './create-bot.ts';
import { mentionIds } from './mentions.ts';
import { chat } from './testing/chat/chat.ts';

const span = (id: number | string, name: string) =>
  `<span class="user-mention" data-user-id="${id}">@${name}</span>`;

test('mentionIds finds the ID of a name in the HTML of a message', () => {
  const idOf = mentionIds(
    `<p>${span(12, 'Ann Lee')} ${span(13, 'Q&amp;A &lt;x&gt;')} ${span('*', 'all')}` +
      '<span class="user-mention silent" data-user-id="14">Bob</span></p>',
  );
  expect([idOf('Ann Lee'), idOf('Q&A <x>'), idOf('Bob')]).toEqual([12, 13, 14]);
  expect([idOf('all'), idOf('Ann')]).toEqual([undefined, undefined]);
});

test('the ID of a name is unknown if two mentioned users have it', () => {
  expect(mentionIds(span(12, 'Ann') + span(13, 'Ann'))('Ann')).toBeUndefined();
});

test('a `user` argument has the ID of the mentioned user, and ctx.user looks up one without', async () => {
  const room = chat((options) =>
    createBot(options).command('who <who:user>', async ({ args, user }) => {
      const { id, role } = await user(args.who);
      return `${args.who.id ?? 'unknown'}: ${id}, ${role}`;
    }),
  );
  const ada = room.user('Ada');
  const grace = room.user('Grace Hopper', { role: 'admin' });
  expect(await ada.says('who @**Grace Hopper**')).toEqual([`${grace.id}: ${grace.id}, admin`]);
  expect(await ada.says(`who @**Grace Hopper|${grace.id}**`)).toEqual([
    `${grace.id}: ${grace.id}, admin`,
  ]);
  expect(await ada.says('who @**Nobody**')).toEqual([expect.stringContaining('Reference')]);
  expect(room.failures).toMatchObject([{ code: 'api_rejected' }]);
});
