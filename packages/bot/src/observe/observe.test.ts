import { trace } from '@opentelemetry/api';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { expect, onTestFinished, test, vi } from 'vitest';

import { createBot } from '../create-bot.ts';
import { mention } from '../example-payload.fixture.ts';
import type { Hooks } from '../hooks.ts';
import { receiver } from '../receiver.ts';
import { combineHooks } from './combine-hooks.ts';
import { logHooks } from './log-hooks.ts';
import { tracingHooks } from './opentelemetry.ts';
import { prometheusHooks } from './prometheus.ts';

const bot = () =>
  createBot({ email: 'echo-bot@chat.test', token: 'genuine' })
    .command('fail', () => {
      throw new Error('cannot log in with hunter2', { cause: new Error('hunter2 is wrong') });
    })
    .fallback((ctx) => ctx.text);

/** Silences standard error until the test ends. */
function silenceStderr(): void {
  const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  onTestFinished(() => written.mockRestore());
}

/** Delivers the texts, then a request with a wrong token. Returns the bot's replies. */
async function deliverAll(hooks: Hooks, ...texts: string[]) {
  const { receive, idle } = receiver([bot()], { hooks });
  const request = (payload: unknown) =>
    receive({
      text: JSON.stringify(payload),
      contentType: 'application/json',
      signature: { id: undefined, timestamp: undefined, signature: undefined },
    });
  const replies = [];
  for (const text of texts) {
    replies.push(JSON.parse((await request(mention(text))).body));
    await idle();
  }
  await request({ ...mention('hi'), token: 'wrong' });
  return replies;
}

test('logHooks logs outcomes and references, but no message text, tokens or other secrets', async () => {
  const lines: string[] = [];
  const log = pino({ level: 'debug' }, { write: (line: string) => void lines.push(line) });
  const hooks = logHooks(log, { secrets: ['hunter2', undefined] });
  const [, failed] = await deliverAll(hooks, 'private words', 'fail');
  const all = lines.join('');
  expect(lines.map((line) => JSON.parse(line).msg)).toEqual([
    'delivery replied',
    'handler failed',
    'delivery failed',
    'request refused',
  ]);
  const reference = /Reference (\w+)/.exec(failed.content)?.[1];
  expect(JSON.parse(lines[1] ?? '')).toMatchObject({
    reference,
    code: 'handler_failed',
    err: { message: 'cannot log in with [redacted]: [redacted] is wrong' },
  });
  for (const secret of ['hunter2', 'private words', 'genuine']) expect(all).not.toContain(secret);
});

test('prometheusHooks counts deliveries, refused requests, failures and running handlers', async () => {
  const registry = new Registry();
  await deliverAll(prometheusHooks(registry), 'hi', 'fail');
  const text = await registry.metrics();
  const bot_trigger = 'bot="echo-bot@chat.test",trigger="mention"';
  expect(text).toContain(
    `bellhop_bot_deliveries_total{${bot_trigger},outcome="replied",via="response"} 1`,
  );
  expect(text).toContain('bellhop_bot_refused_total{status="401"} 1');
  expect(text).toContain(
    'bellhop_bot_failures_total{bot="echo-bot@chat.test",code="handler_failed"} 1',
  );
  expect(text).toContain('bellhop_bot_handlers_running{bot="echo-bot@chat.test"} 0');
  expect(text).toMatch(/bellhop_bot_delivery_seconds_count\{[^}]*outcome="failed"\} 1/);
});

test('tracingHooks makes a span of each handler and records its error', async () => {
  silenceStderr();
  const exporter = new InMemorySpanExporter();
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  await deliverAll(tracingHooks(provider.getTracer('test')), 'hi', 'fail');
  const spans = exporter.getFinishedSpans();
  expect(spans.map(({ status }) => status.code)).toEqual([0, 2]);
  expect(spans[0]).toMatchObject({
    name: 'mention echo-bot@chat.test',
    attributes: { 'bellhop.trigger': 'mention' },
  });
  expect(spans[1]?.events[0]?.attributes?.['exception.message']).toContain('cannot log in');
  expect(trace.getActiveSpan()).toBeUndefined();
});

test('combineHooks calls all hooks in order, also after one throws', async () => {
  silenceStderr();
  const calls: string[] = [];
  const recordingHooks = (name: string): Hooks => ({
    onDelivery: ({ outcome }) => {
      calls.push(`${name} ${outcome}`);
      if (name === 'first') throw new Error('a hook fails');
    },
    around: async (_about, run) => {
      calls.push(`${name} in`);
      const result = await run();
      calls.push(`${name} out`);
      return result;
    },
  });
  await deliverAll(combineHooks(recordingHooks('first'), recordingHooks('second')), 'hi');
  expect(calls).toEqual([
    'first in',
    'second in',
    'second out',
    'first out',
    'first replied',
    'second replied',
    'first refused',
    'second refused',
  ]);
});
