import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

import { createBot, start } from '@bellhop/bot';
import { probe } from '@bellhop/bot-probe';
import type { Failure } from '@bellhop/bot/hooks';
import { listener } from '@bellhop/bot/node';
import { memoryStore } from '@bellhop/bot/stores';
import makeAgent from '@bellhop/examples/agent-bot';
import makeDeploy from '@bellhop/examples/deploy-bot';
import makeEcho from '@bellhop/examples/echo-bot';
import makeHelpDesk from '@bellhop/examples/help-desk-bot';
import makeHook from '@bellhop/examples/hook-bot';
import makeDice from '@bellhop/examples/multi-bot';
import makeOnCall from '@bellhop/examples/oncall-bot';
import makePoll from '@bellhop/examples/poll-bot';
import makeReminder from '@bellhop/examples/reminder-bot';
import makeSummarizer from '@bellhop/examples/summarizer-bot';
import { listen } from '@bellhop/http';
import express from 'express';
import { expect, test } from 'vitest';

const identity = { botEmail: 'echo-bot@chat.test', token: 'x9'.repeat(16) };

/** The part of the REST API that probed bots need: every call succeeds. */
const agreeable: RequestListener = (request, response) => {
  const answer = {
    result: 'success',
    msg: '',
    id: 1,
    expires_at: 1,
    messages: [],
    anchor: 1,
    found_anchor: false,
    found_oldest: true,
    found_newest: true,
    history_limited: false,
  };
  request.resume().on('end', () => response.end(JSON.stringify(answer)));
};

test.for(
  Object.entries({
    agent: makeAgent,
    deploy: makeDeploy,
    echo: makeEcho,
    'help desk': makeHelpDesk,
    hook: makeHook,
    dice: makeDice,
    'on call': makeOnCall,
    poll: makePoll,
    reminder: makeReminder,
    summarizer: makeSummarizer,
  }),
)('the %s bot of the examples has no faults', async ([, makeBot]) => {
  const { botEmail: email, token } = identity;
  await using server = await listen(agreeable);
  const api = { url: server.url, apiKey: 'x' };
  const failures: Failure[] = [];
  const options = { port: 0, signals: false, requestTimeoutMs: 10_000 };
  const { url, stop } = await start([makeBot({ email, token, api, store: memoryStore() })], {
    ...options,
    hooks: { onError: (failure) => void failures.push(failure) },
  });
  try {
    const findings = await probe(url, { ...identity, slowMs: 250 });
    expect(findings.filter(({ severity }) => severity === 'fault')).toEqual([]);
    expect(failures).toEqual([]);
  } finally {
    await stop(0);
  }
});

test('a bot of @bellhop/bot has neither faults nor warnings, and a repeat does not run its handler', async () => {
  const { botEmail: email, token } = identity;
  let runs = 0;
  const bot = createBot({ email, token }).fallback(() => `Run ${++runs}`);
  await using listening = await listen(listener([bot]), { requestTimeout: 600 });
  // The short limit is for bodies: a busy machine may need longer between a connection and its headers.
  listening.server.headersTimeout = 10_000;
  const findings = await probe(listening.url, { ...identity, slowMs: 10_000 });
  expect(findings.filter(({ severity }) => severity !== 'ok')).toEqual([]);
  expect(findings).toContainEqual(
    expect.objectContaining({
      group: 'repeats',
      advice: expect.stringContaining('this one was stored') as unknown,
    }),
  );
});

/**
 * A bot as many people write it: Express parses the body, the code compares the token, and checks
 * nothing else.
 */
function naiveBot() {
  let count = 0;
  const app = express();
  app.use(express.json());
  app.post('/', (request, response) => {
    const { token, message } = request.body as {
      token: string;
      message: { content: string; type: string; display_recipient: { email: string }[] };
    };
    if (token !== identity.token) throw new Error('wrong token');
    const place =
      message.type === 'private' ? message.display_recipient.map(({ email }) => email) : 'here';
    const said = message.content.toUpperCase();
    response.send({ content: `${++count}: ${said} to ${String(place)}` });
  });
  return app;
}

test('the faults of a naive Express bot are named', async () => {
  const server = naiveBot().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  try {
    const findings = await probe(url, { ...identity, slowMs: 500 });
    const faults = findings.filter(({ severity }) => severity === 'fault');
    const named = Object.fromEntries(faults.map(({ check, happened }) => [check, happened]));
    expect(named).toMatchObject({
      'one message three times: two at once, one later': expect.stringContaining(
        'different answers',
      ) as unknown,
      'a wrong token': expect.stringMatching(
        /status 500 with what looks like a .*stack/,
      ) as unknown,
      'a body that is not JSON': expect.stringContaining('stack trace') as unknown,
      'an endless body': expect.stringContaining('it read all') as unknown,
    });
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
