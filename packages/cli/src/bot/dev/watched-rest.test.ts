import { chatRest, newRoom } from '@bellhop/bot/internals';
import type { ChannelId, UserId } from '@bellhop/protocol';
import { expect, test } from 'vitest';

import { watchedRest } from './watched-rest.ts';

const me = { id: 1 as UserId, email: 'bot@chat.test', fullName: 'Bot' };
const place = { type: 'channel', channelId: 3 as ChannelId, topic: 'x' } as const;

test('a watched REST side reports each call after it succeeded', async () => {
  const talk = newRoom(me);
  const told: unknown[][] = [];
  const rest = watchedRest(chatRest(talk), {
    posted: (message) => told.push(['posted', message]),
    edited: (...about) => told.push(['edited', ...about]),
    removed: (...about) => told.push(['removed', ...about]),
    reacted: (...about) => told.push(['reacted', ...about]),
    unreacted: (...about) => told.push(['unreacted', ...about]),
    uploaded: ({ url }) => told.push(['uploaded', url]),
  });
  const posted = await rest.post({ content: 'one', widget: { widget_type: 'poll' } }, place);
  const { id } = posted;
  await posted.edit('two');
  await posted.react('tada');
  await rest.unreact(id, 'tada');
  expect(talk.messages).toMatchObject([{ content: 'two', reactions: [] }]);
  await posted.remove();
  const { url } = await rest.upload(new File(['1'], 'one.txt'));
  expect([talk.messages, talk.uploads.length]).toEqual([[], 1]);
  expect(told).toEqual([
    ['posted', { id, place, content: 'one', widget: { widget_type: 'poll' } }],
    ['edited', id, 'two'],
    ['reacted', id, 'tada'],
    ['unreacted', id, 'tada'],
    ['removed', id],
    ['uploaded', url],
  ]);
  await expect(rest.unreact(id, 'tada')).rejects.toMatchObject({ code: 'api_rejected' });
  expect(told).toHaveLength(6);
});
