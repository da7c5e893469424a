import { fakeServer } from '@bellhop/fake-server';
import { expect, onTestFinished, test } from 'vitest';

import { observe, type RestAction } from './observe.ts';
import { createRest } from './rest.ts';

test('an observed REST API tells each action after it has succeeded', async () => {
  const server = await fakeServer();
  onTestFinished(() => server.stop());
  const echo = server.addBot({ name: 'Echo' });
  const ada = server.addUser('Ada');
  const place = { type: 'direct', userIds: [ada.id] } as const;
  const seen = () => server.messages({ users: [ada, echo] });
  const told: RestAction[] = [];
  const rest = observe(
    createRest({ url: server.url, email: echo.email, apiKey: echo.apiKey }),
    (action) => void told.push(action),
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
    {
      action: 'posted',
      messageId: poll.id,
      to: place,
      content: 'poll',
      widget: { widget_type: 'poll' },
    },
    { action: 'posted', messageId: id, to: place, content: 'one' },
    { action: 'edited', messageId: id, content: 'two' },
    { action: 'reacted', messageId: id, emoji: 'tada' },
    { action: 'unreacted', messageId: id, emoji: 'tada' },
    { action: 'deleted', messageId: id },
    { action: 'uploaded', name: 'one.txt', url },
  ]);
  await expect(rest.unreact(id, 'tada')).rejects.toMatchObject({ code: 'api_rejected' });
  expect(told).toHaveLength(7);
  expect(rest.client).toBeDefined();
});
