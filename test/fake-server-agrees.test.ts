import { afterAll, beforeAll, describe, test } from 'vitest';

import { botChangeScenarios } from './support/bot-change-scenarios.ts';
import { changeScenarios } from './support/change-scenarios.ts';
import { type ChatDriver, fakeDriver, realDriver } from './support/chat-driver.ts';
import { failureScenarios, timeoutScenarios } from './support/failure-scenarios.ts';
import { restScenarios } from './support/rest-scenarios.ts';
import { triggerScenarios } from './support/trigger-scenarios.ts';
import { createChannels, createWebhookBot } from './support/webhook-bot.ts';
import { webhookScenarios } from './support/webhook-scenarios.ts';

const all = [
  ...triggerScenarios,
  ...webhookScenarios,
  ...failureScenarios,
  ...restScenarios,
  ...changeScenarios,
  ...botChangeScenarios,
];

/** A bot that answers needs less, on a busy machine too. */
const impatient = { webhookTimeoutMs: 5000 };

describe.each([
  ['the fake server', all, () => fakeDriver()],
  ['the real server', all, () => realDriver()],
  ['the fake server, impatient', timeoutScenarios, () => fakeDriver(impatient)],
  ['the real server, impatient', timeoutScenarios, () => realDriver(impatient)],
])('%s', (_name, scenarios, start) => {
  let chat: ChatDriver;
  beforeAll(async () => {
    chat = await start();
    await createChannels(chat);
  });
  afterAll(() => chat[Symbol.asyncDispose]());

  // Scenarios that wait for a timeout wait together.
  const inTurn = scenarios === timeoutScenarios ? test.concurrent : test;
  for (const [name, run, options] of scenarios)
    inTurn(name, async () => {
      await using fixture = await createWebhookBot(chat, options);
      await run(fixture);
    });
});
