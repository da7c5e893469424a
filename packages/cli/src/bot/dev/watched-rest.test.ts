import { createRest } from '@bellhop/bot/internals';
import { fakeServer } from '@bellhop/fake-server';
import { expect, onTestFinished, test } from 'vitest';

import { watchedRest } from './watched-rest.ts';

test('a watched REST side reports each call after it succeeded', async () => {
  const server = await fakeServer();
  onTestFinished(() => server.stop());
  const echo = server.addBot({ name: 'Echo' });
  const ada = server.addUser('Ada');
  const place = { type: 'direct', userIds: [ada.id] } as const;
  const seen = () => server.messages({ users: [ada, echo] });
  const told: unknown[][] = [];
  const rest = watchedRest(
    createRest({ url: server.url, email: echo.email, apiKey: echo.apiKey }),
    {
      posted: (message) => told.push(['posted', message]),
      edited: (...about) => told.push(['edited', ...about]),
      removed: (...about) => told.push(['removed', ...about]),
      reacted: (...about) => told.push(['reacted', ...about]),
      unreacted: (...about) => told.push(['unreacted', ...about]),
      uploaded: ({ url }) => told.push(['uploaded', url]),
    },
  );
  const poll = await rest.post({ content: 'poll', widget: { widget_type: 'poll' } }, place);
  const posted = await rest.post('one', place);
  const { id } = posted;
  await posted.edit('two');
  await posted.react('tada');
  await rest.unreact(id, 'tada');
  expect(seen()).toMatchObject([{ content: 'poll' }, { content: 'two', reactions: [] }]);
  await posted.remove();
  const { url } = await rest.upload(new File(['1'], 'one.txt'));
  expect(seen()).toMatchObject([{ content: 'poll' }]);
  expect(told).toEqual([
    ['posted', { id: poll.id, place, content: 'poll', widget: { widget_type: 'poll' } }],
    ['posted', { id, place, content: 'one' }],
    ['edited', id, 'two'],
    ['reacted', id, 'tada'],
    ['unreacted', id, 'tada'],
    ['removed', id],
    ['uploaded', url],
  ]);
  await expect(rest.unreact(id, 'tada')).rejects.toMatchObject({ code: 'api_rejected' });
  expect(told).toHaveLength(7);
});
