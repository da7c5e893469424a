import { expect, test } from 'vitest';

import { BotError } from '../bot-error.ts';
import { cpuMs } from '../cpu-ms.fixture.ts';
import { createBot } from '../create-bot.ts';
import { chat } from '../testing/chat/chat.ts';
import type { AuditRecord } from './audit.ts';
import { redactHooks, redactor } from './redactor.ts';

test('the audit log has every delivery and everything that the bot says and does, in order', async () => {
  const records: AuditRecord[] = [];
  const room = chat((options) =>
    createBot({ ...options, audit: (record) => void records.push(record) })
      .command('work', async (ctx) => {
        const posted = await ctx.post('one', { channel: 'ops', topic: 'log' });
        await posted.edit('two');
        await posted.react('eyes');
        await posted.remove();
        await ctx.react('tada');
        await ctx.unreact('tada');
        await ctx.upload(new File(['x'], 'x.txt'));
        await ctx.stream(['three']);
        return 'Done.';
      })
      .on('reaction', () => undefined),
  );
  const ada = room.user('Ada');
  await ada.says('work');
  await ada.reacts('heart');
  expect(records).toMatchObject([
    { action: 'received', trigger: 'direct_message', userId: ada.id, botEmail: 'bot@chat.test' },
    { action: 'posted', to: { channel: 'ops', topic: 'log' }, content: 'one' },
    { action: 'edited', content: 'two' },
    { action: 'reacted', emoji: 'eyes' },
    { action: 'deleted' },
    { action: 'reacted', emoji: 'tada', messageId: room.messages[0]?.id },
    { action: 'unreacted', emoji: 'tada' },
    { action: 'uploaded', name: 'x.txt' },
    { action: 'posted', content: 'three' },
    { action: 'answered', content: 'Done.', messageId: room.messages[0]?.id },
    { action: 'received', trigger: 'reaction', userId: ada.id },
  ]);
  expect(records.every(({ at }) => at === room.clock.now())).toBe(true);
});

test('a late reply is in the audit log as posted, once, and a failed audit log breaks nothing', async () => {
  const records: AuditRecord[] = [];
  const slow = Promise.withResolvers<string>();
  const room = chat((options) =>
    createBot({
      ...options,
      audit: (record) => {
        records.push(record);
        throw new Error('the disk is full');
      },
    }).fallback(() => slow.promise),
  );
  const replies = room.user('Ada').says('hi');
  await room.advance(9000);
  slow.resolve('Late.');
  expect(await replies).toEqual(['Late.']);
  expect(records).toMatchObject([{ action: 'received' }, { action: 'posted', content: 'Late.' }]);
});

const redact = redactor([{ pattern: /\bproject \w+/gi, mask: '[project]' }]);

test.each([
  ['mail ada@chat.example.com now', 'mail [e-mail] now'],
  ['card 4111 1111 1111 1111.', 'card [number].'],
  ['key gjA04ZYcqXKalvYMA8OeXSfzUOLrtbZv', 'key [secret]'],
  ['"password": "hunter22", x', '"password": "[secret]", x'],
  ['api_key=abcd1234', 'api_key=[secret]'],
  ['Authorization: Bearer abcdefghijklmnop123', 'Authorization: [credentials]'],
  ['https://bot:s3cret@chat.test/x', 'https://[credentials]@chat.test/x'],
  ['-----BEGIN PRIVATE KEY-----\nMII\n-----END PRIVATE KEY-----', '[private key]'],
  ['Project Zebra starts', '[project] starts'],
  ['room 12, at 10:30 on 2026-11-23, call 112', 'room 12, at 10:30 on 2026-11-23, call 112'],
])('the redaction of %j is %j', (text, expected) => {
  expect(redact(text)).toBe(expected);
});

test('a redaction reaches texts at any depth, leaves the original, and keeps errors errors', () => {
  const original = { list: [{ text: 'ada@chat.test' }], count: 3, none: null };
  expect(redact(original)).toEqual({ list: [{ text: '[e-mail]' }], count: 3, none: null });
  expect(original.list[0]?.text).toBe('ada@chat.test');
  const error = redact(new TypeError('no ada@chat.test', { cause: new Error('eve@chat.test') }));
  expect(error).toMatchObject({ name: 'TypeError', message: 'no [e-mail]' });
  expect(error.stack).not.toContain('ada@');
  expect(error.cause).toMatchObject({ message: '[e-mail]' });
  const loop: { self?: unknown } = {};
  loop.self = loop;
  expect(JSON.stringify(redact(loop))).toContain('[too deep]');
  expect(() => redactor([{ pattern: /x/, mask: '' }])).toThrow(BotError);
});

test('redactHooks masks failures and warnings, and passes on the other hooks', () => {
  const seen: unknown[] = [];
  const onDelivery = () => {};
  const hooks = redactHooks({ onError: (failure) => void seen.push(failure), onDelivery }, redact);
  const about = { code: 'handler_failed', reference: 'r', botEmail: 'bot@chat.test' } as const;
  hooks.onError?.({ ...about, error: new Error('ada@chat.test') });
  expect(seen).toMatchObject([{ ...about, error: { message: '[e-mail]' } }]);
  expect(hooks.onDelivery).toBe(onDelivery);
  expect(hooks.onWarning).toBeUndefined();
});

test('a long hostile text is redacted within seconds', () => {
  const parts = [
    'a',
    '1',
    '1 ',
    'a.',
    'a@',
    'token=',
    '://a:b',
    'x-',
    '-----BEGIN PRIVATE KEY-----',
  ];
  const taken = cpuMs(() => {
    for (const part of parts) redact(part.repeat(20_000 / part.length));
  });
  expect(taken).toBeLessThan(5000);
});
