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

/** Keeps what is meant for standard error out of the report. */
function quiet(): void {
  const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  onTestFinished(() => written.mockRestore());
}

/** What a bot says to these texts; a wrong token at the end. */
async function converse(hooks: Hooks, ...texts: string[]) {
  const { receive, idle } = receiver([bot()], { hooks });
  const tell = (payload: unknown) =>
    receive({
      text: JSON.stringify(payload),
      contentType: 'application/json',
      signature: { id: undefined, timestamp: undefined, signature: undefined },
    });
  const answers = [];
  for (const text of texts) {
    answers.push(JSON.parse((await tell(mention(text))).body));
    await idle();
  }
  await tell({ ...mention('hi'), token: 'wrong' });
  return answers;
}

test('a log has ids and references, but no words, no tokens and no other secrets', async () => {
  const lines: string[] = [];
  const log = pino({ level: 'debug' }, { write: (line: string) => void lines.push(line) });
  const hooks = logHooks(log, { secrets: ['hunter2', undefined] });
  const [, failed] = await converse(hooks, 'private words', 'fail');
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

test('metrics count what happened', async () => {
  const registry = new Registry();
  await converse(prometheusHooks(registry), 'hi', 'fail');
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

test('a handler is a span, and what it fails of is recorded', async () => {
  quiet();
  const exporter = new InMemorySpanExporter();
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  await converse(tracingHooks(provider.getTracer('test')), 'hi', 'fail');
  const spans = exporter.getFinishedSpans();
  expect(spans.map(({ status }) => status.code)).toEqual([0, 2]);
  expect(spans[0]).toMatchObject({
    name: 'mention echo-bot@chat.test',
    attributes: { 'bellhop.trigger': 'mention' },
  });
  expect(spans[1]?.events[0]?.attributes?.['exception.message']).toContain('cannot log in');
  expect(trace.getActiveSpan()).toBeUndefined();
});

test('hooks are combined: all are told, though one fails', async () => {
  quiet();
  const told: string[] = [];
  const naming = (name: string): Hooks => ({
    onDelivery: ({ outcome }) => {
      told.push(`${name} ${outcome}`);
      if (name === 'first') throw new Error('a hook fails');
    },
    around: async (_about, run) => {
      told.push(`${name} in`);
      const result = await run();
      told.push(`${name} out`);
      return result;
    },
  });
  await converse(combineHooks(naming('first'), naming('second')), 'hi');
  expect(told).toEqual([
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
