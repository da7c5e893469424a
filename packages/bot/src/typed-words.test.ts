import { expect, test } from 'vitest';
import { z } from 'zod';

import type { Bot } from './bot-builder.ts';
import { createBot } from './create-bot.ts';
import { chat } from './testing/chat/chat.ts';

/** Sends messages of one person to a bot. Returns its last reply. */
async function say(build: (bot: Bot) => unknown, ...texts: readonly string[]) {
  const room = chat((options) => {
    const bot = createBot(options);
    build(bot);
    return bot;
  });
  const ada = room.user('Ada');
  for (const text of texts.slice(0, -1)) await ada.says(text);
  const replies = await ada.says(texts.at(-1) ?? '');
  expect(room.failures).toEqual([]);
  return replies[0];
}

const invisible = [
  '\u200b',
  '\ufeff',
  '\u2060',
  '\u200e',
  '\u200f',
  '\u00ad',
  '\u061c',
  '\u200d',
  '\ufe0f',
  '\u2066',
  '\u0085',
];

test.each(invisible.map((one) => [`U+${one.charCodeAt(0).toString(16)}`, one]))(
  '%s at the edges of names, choices, arguments, flags and answers is ignored',
  async (_name, mark) => {
    const lamp = (bot: Bot) =>
      bot
        .command('set <state:on|off> [--loud]', ({ args }) => `set ${args.state} ${args.loud}`)
        .command('note <title> [day:date]', ({ args }) => JSON.stringify(args))
        .command('user add <mail:email>', ({ args }) => `added ${args.mail}`)
        .command('ask', { confirm: () => 'Sure?' }, () => 'asked');
    expect(await say(lamp, `set on${mark}`)).toBe('set on false');
    expect(await say(lamp, `${mark}set${mark} ${mark}off${mark}`)).toBe('set off false');
    expect(await say(lamp, `set on ${mark}`)).toBe('set on false');
    expect(await say(lamp, `set on ${mark}--loud${mark}`)).toBe('set on true');
    expect(await say(lamp, `set "on"${mark}`)).toBe('set on false');
    expect(await say(lamp, `user${mark} ${mark} add ann@example.com${mark}`)).toBe(
      'added ann@example.com',
    );
    expect(await say(lamp, `user add ann@${mark}example.com`)).toBe('added ann@example.com');
    expect(await say(lamp, `note x 2030-12-31${mark}`)).toContain('2030-12-31T00');
    expect(await say(lamp, `help${mark}`)).toContain('user add');
    expect(await say(lamp, `${mark}help${mark} set${mark}`)).toContain('set');
    expect(await say(lamp, mark)).toContain('user add');
    expect(await say(lamp, 'ask', `yes${mark}`)).toBe('asked');
    expect(await say(lamp, 'ask', `${mark}1${mark}`)).toBe('asked');
    expect(await say(lamp, 'ask', `${mark}no${mark}`)).toBe('All right, nothing was done.');
  },
);

test('invisible characters at the edges of a word are not handed to a program', async () => {
  const ref = (bot: Bot) => bot.command('build <ref>', ({ args }) => JSON.stringify(args.ref));
  expect(await say(ref, 'build \u200bmain\u200b\u2060')).toBe('"main"');
  expect(await say(ref, 'build ❤\ufe0f')).toBe('"❤\ufe0f"');
  expect(await say(ref, 'build 🏴\u{e0067}\u{e0062}\u{e007f}')).toBe(
    '"🏴\u{e0067}\u{e0062}\u{e007f}"',
  );
});

test('free text keeps its characters', async () => {
  const echo = (bot: Bot) =>
    bot
      .command('say <text...>', ({ args }) => JSON.stringify(args.text))
      .fallback(({ text }) => JSON.stringify(text));
  for (const text of [
    '\u200bhi\u200b',
    'a \u200b b',
    'ｄｅｐｌｏｙ ５',
    '\u200fשלום',
    'a – b — c',
    '5\u00a0min',
  ])
    for (const [said, heard] of [
      [`say ${text}`, text],
      [text, text],
    ] as const)
      expect(await say(echo, said)).toBe(JSON.stringify(heard));
});

const dialogBot = (bot: Bot) =>
  bot
    .command('order', ({ begin }) => begin('order'))
    .dialog(
      'order',
      {
        size: { ask: 'Which size?', schema: z.enum(['small', 'large']) },
        count: { ask: 'How many?', schema: z.coerce.number().int() },
        note: { ask: 'A note?', schema: z.string() },
      },
      (_ctx, answers) => JSON.stringify(answers),
    );

test('a dialog reads an answer in its plain form if its schema refuses the typed form', async () => {
  expect(await say(dialogBot, 'order', 'ｓｍａｌｌ\u200b', '５', '５ to go\u200b')).toBe(
    JSON.stringify({ size: 'small', count: 5, note: '５ to go\u200b' }),
  );
  expect(await say(dialogBot, 'order', 'medium')).toContain('`small` or `large`');
  expect(await say(dialogBot, 'order', 'ｃａｎｃｅｌ\u200b')).not.toContain('Which size');
});

test('choices are named in full width, by digits of any script and with other dashes', async () => {
  const duty = (bot: Bot) =>
    bot
      .command('ask', ({ choose }) =>
        choose('duty', 'Who?', { options: ['on-call', 'Zoë', 'Stop!'] }),
      )
      .choice('duty', (_ctx, { option }) => option)
      .fallback(() => 'no answer');
  for (const text of ['1)', '（1）', '1、', '1\ufe0f\u20e3', '1：'])
    expect([text, await say(duty, 'ask', text)]).toEqual([
      text,
      /[（：]/.test(text) ? 'no answer' : 'on-call',
    ]);
  for (const text of ['on\u2011call', 'ＯＮ－ＣＡＬＬ', '１', '١', '१', 'on-call！', 'on-call。'])
    expect(await say(duty, 'ask', text)).toBe('on-call');
  for (const text of ['ZOE\u0308', 'zoë.', '٢', '２．'])
    expect(await say(duty, 'ask', text)).toBe('Zoë');
  expect(await say(duty, 'ask', 'stop!')).toBe('Stop!');
  expect(await say(duty, 'ask', '²')).toBe('no answer');
});

const typed = (bot: Bot) =>
  bot
    .command('wait <for:duration>', ({ args }) => String(args.for))
    .command('int <n:int>', ({ args }) => String(args.n))
    .command('number <n:number>', ({ args }) => String(args.n))
    .command('day <day:date>', ({ args }) => args.day.toISOString().slice(0, 16))
    .command('open <url:url>', ({ args }) => args.url.href)
    .command('invite <mail:email>', ({ args }) => args.mail)
    .command('whom <user:user>', ({ args }) => JSON.stringify(args.user))
    .command('where <channel:channel>', ({ args }) => args.channel.name)
    .command('all <names:string...>', ({ args }) => args.names.join('|'))
    .command('flag [--dry-run/-d] [--to:string=x]', ({ args }) => JSON.stringify(args))
    .command('yes-no <ok:boolean>', ({ args }) => String(args.ok));

test.each([
  ['wait 5\u00a0min', '300000'],
  ['wait 5\u202fmin', '300000'],
  ['wait ５分', undefined],
  ['wait ５ｍｉｎ', '300000'],
  ['wait 1\u3000hour and 5\u2009min', '3900000'],
  ['wait "5\u00a0min"', '300000'],
  ['wait ٥ min', '300000'],
  ['int −5', '-5'],
  ['int –5', '-5'],
  ['int －５', '-5'],
  ['int ＋5', '5'],
  ['int ५', '5'],
  ['int 5²', undefined],
  ['number −２．５', '-2.5'],
  ['number ٢٫٥', '2.5'],
  ['day 2030\u201112\u201131', '2030-12-31T00:00'],
  ['day 2030–12–31\u00a010:30', '2030-12-31T10:30'],
  ['day ２０３０－１２－３１ １０：３０', '2030-12-31T10:30'],
  ['day 2030\u201102\u201130', undefined],
  ['open https://example.com/a_(b)', 'https://example.com/a_(b)'],
  ['open [a](https://example.com/a_(b))', 'https://example.com/a_(b)'],
  ['open [a (b)](https://example.com/a_(b)_(c(d)))', 'https://example.com/a_(b)_(c(d))'],
  ['open [a [b]](<https://example.com/a_(b>)', 'https://example.com/a_(b'],
  ['open [a](https://example.com "title")', 'https://example.com/'],
  ['open <https://example.com/a_(b)>', 'https://example.com/a_(b)'],
  ['open ｈｔｔｐｓ：／／ｅｘａｍｐｌｅ．ｃｏｍ／ａ', 'https://example.com/a'],
  ['open https://example.com/a–b', 'https://example.com/a%E2%80%93b'],
  ['open https://example.com/\u200b', 'https://example.com/'],
  ['open [a [b [c]]](https://example.com/x)', 'https://example.com/x'],
  ['open [a [b](https://example.com/y)', undefined],
  [String.raw`open [a\]](https://example.com/x)`, 'https://example.com/x'],
  ['open [a](https://example.com/((((x)))))', 'https://example.com/((((x))))'],
  ['open [a](<https://example.com/a b>)', 'https://example.com/a%20b'],
  ['open [a](https://example.com (title))', 'https://example.com/'],
  ['open [a\nb](https://example.com)', 'https://example.com/'],
  ['open ![a](https://example.com/i.png)', 'https://example.com/i.png'],
  ['open [a](https://example.com/\u200b)', 'https://example.com/'],
  ['open <https://example.com/\u200b>', 'https://example.com/'],
  ['open [a](javascript:alert(1))', undefined],
  ['invite ａｎｎ＠ｅｘａｍｐｌｅ．ｃｏｍ', 'ann@example.com'],
  ['invite [ann@example.com](mailto:ann@example.com)', 'ann@example.com'],
  ['invite ann@example。com', 'ann@example.com'],
  ['invite ann@example.com,', undefined],
  ['invite (ann@example.com)', undefined],
  ['invite mailto:ann@example.com?subject=x', 'ann@example.com'],
  ['invite ann.o’hara+x@mün-chen.example.de', 'ann.o’hara+x@mün-chen.example.de'],
  ['all "a b", “c d”、 `e f`;', 'a b|c d|e f'],
  ['whom @**ada**', '{"fullName":"ada","id":2}'],
  ['whom @**Ada**\u200b', '{"fullName":"Ada","id":2}'],
  ['whom @_**|2**\u200e', '{"fullName":"","id":2}'],
  ['whom @**all**', undefined],
  ['where ＃ops\u200b', 'ops'],
  ['where #**ops**\u200b', 'ops'],
  ['all a、 b， c،', 'a|b|c'],
  ['all 「a b」 ‹c d› »e f« ＂g h＂', 'a b|c d|e f|g h'],
  ['flag —dry‑run', '{"dryRun":true,"to":"x"}'],
  ['flag －－ｄｒｙ－ｒｕｎ', '{"dryRun":true,"to":"x"}'],
  ['flag －ｄ', '{"dryRun":true,"to":"x"}'],
  ['flag --to＝“a b”', '{"dryRun":false,"to":"a b"}'],
  ['ｉｎｔ 5', '5'],
  ['ＩＮＴ\u30005', '5'],
  ['yes‑no ｙｅｓ', 'true'],
  ['`int 5`\u200b', '5'],
])('%j is read as its plain form', async (text, reply) => {
  const said = await say(typed, text);
  if (reply === undefined) expect(said).toContain('must be');
  else expect(said).toBe(reply);
});

test('a custom type gets the plain form of a word that it refuses', async () => {
  const room = chat((options) =>
    createBot(options).command(
      'build <v:version>',
      { types: { version: (text: string) => /^v\d+$/.exec(text)?.[0] } },
      ({ args }) => args.v,
    ),
  );
  expect(await room.user('Ada').says('build ｖ２')).toEqual(['v2']);
});

const sayBot = (bot: Bot) =>
  bot.command('say <text...> [--loud]', ({ args }) => `${args.text}${args.loud ? '!' : ''}`);

test.each([
  ['```js\na --loud "b"\n```', 'a --loud "b"'],
  ['```\na\n```', 'a'],
  ['```js\r\na --loud\r\n\r\nb\r\n```\r\n', 'a --loud\n\nb'],
  ['\u200b```js\na\n``` --loud', 'a\n``` --loud'],
  ['"hi",', '"hi",'],
  ['~~~js\na\n~~~', 'a'],
  ['````md\n```js\na\n```\n````', '```js\na\n```'],
  ['~~~\n```\n~~~', '```'],
  ['```js title="x"\na\n```', 'a'],
  ['```js\na', 'a'],
  ['```js\na\n\n  b\n```', 'a\n\n  b'],
  ['```js\n```', ''],
  ['```js\na\n`````', 'a'],
  ['```js\na\n``` b\nc', 'a\n``` b\nc'],
  ['```quote\na --loud\n```', '```quote\na --loud\n```'],
  ['```quote\n```js\na\n```\n```', '```quote\n```js\na\n```\n```'],
  ['```spoiler head\na\n```', '```spoiler head\na\n```'],
  ['see\n```js\na --loud\n```\nend', 'see\n```js\na --loud\n```\nend'],
  ['```js\na\n``` \n--loud', 'a!'],
  ['```a``` b', '```a``` b'],
  ['`a b`', 'a b'],
  ['see ```quote\na --loud', 'see ```quote\na --loud'],
  ['see ```quote\n~~~js\na --loud\n```', 'see ```quote\n~~~js\na --loud\n```'],
  ['see ~~~js\na --loud', 'see ~~~js\na --loud'],
  ['see ```a\nb``` --loud', 'see ```a\nb```!'],
  ['> ```js\n> a --loud\n> ```', '> ```js\n> a --loud\n> ```'],
  ['>```js\n>a --loud\n>```', '>```js\n>a --loud\n>```'],
  ['> ```js\n> a\n> ```\n--loud', '> ```js\n> a\n> ```!'],
  ['see\n> a --loud', 'see\n> a --loud'],
  ['see\n > "a --loud\nb"', 'see\n > "a --loud\nb"'],
  ['> a --loud', '> a!'],
  ['"a\nb" > c --loud', '"a\nb" > c!'],
])('the free text %j is read as %j', async (text, read) => {
  for (const between of [' ', '\n'])
    expect((await say(sayBot, `say${between}${text}`)) ?? '').toBe(read);
});

test('the lines of an indented fence lose its indent', async () => {
  const list = (bot: Bot) => bot.command('run <env> <code...>', ({ args }) => args.code);
  expect(await say(list, 'run prod\n  ```js\n  a\n    b\n  ```')).toBe('a\n  b');
  expect(await say(list, 'run prod ```js\na\n```')).toBe('a');
});
