import { afterAll, beforeAll, describe, test } from 'vitest';

import { botChangeScenarios } from './support/bot-change-scenarios.ts';
import { changeScenarios } from './support/change-scenarios.ts';
import { type ChatDriver, fakeDriver, realDriver } from './support/chat-driver.ts';
import { failureScenarios } from './support/failure-scenarios.ts';
import { restScenarios } from './support/rest-scenarios.ts';
import { triggerScenarios } from './support/trigger-scenarios.ts';
import { createChannels, createWebhookBot } from './support/webhook-bot.ts';
import { webhookScenarios } from './support/webhook-scenarios.ts';

describe.each([
  ['the fake server', fakeDriver],
  ['the real server', realDriver],
])('%s', (_name, start) => {
  let chat: ChatDriver;
  beforeAll(async () => {
    chat = await start();
    await createChannels(chat);
  });
  afterAll(() => chat[Symbol.asyncDispose]());

  const scenarios = [
    ...triggerScenarios,
    ...webhookScenarios,
    ...failureScenarios,
    ...restScenarios,
    ...changeScenarios,
    ...botChangeScenarios,
  ];
  for (const [name, run, options] of scenarios)
    test(name, async () => {
      await using fixture = await createWebhookBot(chat, options);
      await run(fixture);
    });
});
