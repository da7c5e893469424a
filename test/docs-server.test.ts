import { startTestChat } from '@bellhop/server/testing';
import { expect, test } from 'vitest';

import { pageText } from './docs/examples-in.ts';
import { runSteps, stepsIn } from './docs/run-steps.ts';

test('the commands of docs/server.md have the answers that the page shows', async () => {
  await using chat = await startTestChat();
  const password = 'a long password';
  const person = await chat.addPerson('ophelia', 100, { password });
  const steps = stepsIn(pageText('docs/server.md'));
  expect(steps.length).toBeGreaterThan(6);
  await runSteps(steps, {
    variables: { SITE: chat.url, EMAIL: person.email, PASSWORD: password },
    made: { KEY: 'api_key', QUEUE: 'queue_id', LAST: 'last_event_id' },
  });
});
