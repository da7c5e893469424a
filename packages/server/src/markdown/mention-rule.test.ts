import { describe, expect, test } from 'vitest';

import { mentionNames } from './mention-names.ts';
import { renderMarkdown, type Lookups } from './render-markdown.ts';

const lookups: Lookups = {
  users: [
    { id: 12, full_name: 'Iago' },
    { id: 13, full_name: 'Ann <"&> Lee' },
    { id: 20, full_name: 'Twin' },
    { id: 21, full_name: 'Twin' },
    { id: 30, full_name: 'Gone', is_active: false },
    { id: 31, full_name: 'Sam', is_active: false },
    { id: 32, full_name: 'sam' },
  ],
  groups: [
    { id: 5, name: 'backend' },
    { id: 6, name: 'old', deactivated: true },
  ],
};
const render = (content: string, more: Lookups = {}) =>
  renderMarkdown(content, { ...lookups, ...more });
const user = (id: number, text: string, silent = '') =>
  `<span class="user-mention${silent}" data-user-id="${id}">${text}</span>`;
const iago = user(12, '@Iago');
const silentIago = user(12, 'Iago', ' silent');

describe('mentions of users', () => {
  test.each([
    ['@**Iago**', iago, [12]],
    ['@**iago**', iago, [12]],
    ['@**Iago|12**', iago, [12]],
    ['@**|12**', iago, [12]],
    ['(@**Iago**)', `(${iago})`, [12]],
    ['@**Twin|21**', user(21, '@Twin'), [21]],
    ['@**Ann <"&> Lee**', user(13, '@Ann &lt;"&amp;&gt; Lee'), [13]],
    ['@_**Iago**', silentIago, []],
    ['@_**Iago|12**', silentIago, []],
    ['@**Gone**', user(30, 'Gone', ' silent'), []],
    ['@**Sam**', user(32, '@sam'), [32]],
    ['@**Sam|31**', user(31, 'Sam', ' silent'), []],
    ['@**Iago** @**Iago**', `${iago} ${iago}`, [12]],
    ['@**Twin**', '@<strong>Twin</strong>', []],
    ['@**Nobody**', '@<strong>Nobody</strong>', []],
    ['@**Ann|12**', '@<strong>Ann|12</strong>', []],
    ['@**Iago|99**', '@<strong>Iago|99</strong>', []],
    ['me@**Iago**', 'me@<strong>Iago</strong>', []],
    ['`@**Iago**`', '<code>@**Iago**</code>', []],
  ])('%s', (content, expected, ids) => {
    const rendered = render(content);
    expect(rendered.html).toBe(`<p>${expected}</p>`);
    expect(rendered.mentioned_user_ids).toEqual(ids);
  });

  test.each(['> @**Iago**', '```quote\n@**Iago**\n```', '> - a\n>   - @**Iago**'])(
    'a mention in a quote is silent: %j',
    (content) => {
      const rendered = render(content);
      expect(rendered.html).toContain(silentIago);
      expect(rendered).toMatchObject({ mentioned_user_ids: [], silent_user_ids: [12] });
    },
  );

  test('a mention after a quote notifies', () => {
    expect(render('> @**Iago**\n\n@**Iago**').mentioned_user_ids).toEqual([12]);
  });

  test.each(['```\n@**Iago**\n```', '    @**Iago**', '`` @**Iago** ``', '$$@**Iago**$$'])(
    'a mention in code stays text: %j',
    (content) => expect(render(content).html).not.toContain('user-mention'),
  );

  test.each(['- @**Iago**', 'a|b\n-|-\n@**Iago**|c', '**a @**Iago** b**', '# @**Iago**'])(
    'a mention within other markup counts: %j',
    (content) => expect(render(content).mentioned_user_ids).toEqual([12]),
  );
});

describe('mentions of groups and everybody', () => {
  const group = (id: number, text: string, silent = '') =>
    `<span class="user-group-mention${silent}" data-user-group-id="${id}">${text}</span>`;
  test.each([
    ['@*backend*', group(5, '@backend'), [5]],
    ['@_*backend*', group(5, 'backend', ' silent'), []],
    ['@*old*', group(6, 'old', ' silent'), []],
    ['@*nothing*', '@<em>nothing</em>', []],
  ])('group %s', (content, expected, ids) => {
    expect(render(content)).toMatchObject({ html: `<p>${expected}</p>`, mentioned_group_ids: ids });
  });

  test.each(['all', 'everyone', 'channel', 'stream'])('wildcard %s', (name) => {
    const attributes = 'class="user-mention channel-wildcard-mention" data-user-id="*"';
    expect(render(`@**${name}**`)).toMatchObject({
      html: `<p><span ${attributes}>@${name}</span></p>`,
      channel_wildcard: true,
      topic_wildcard: false,
      mentioned_user_ids: [],
    });
  });

  test('wildcard topic', () => {
    expect(render('@**topic**')).toMatchObject({
      html: '<p><span class="topic-mention">@topic</span></p>',
      topic_wildcard: true,
      channel_wildcard: false,
    });
    expect(render('@**topic**', { wildcards: ['channel'] })).toMatchObject({
      html: '<p>@<strong>topic</strong></p>',
      topic_wildcard: false,
    });
  });

  test.each(['@_**all**', '> @**all**', '`@**all**`', '@_**topic**'])(
    'a silent wildcard mention notifies nobody: %s',
    (content) => {
      expect(render(content)).toMatchObject({ channel_wildcard: false, topic_wildcard: false });
    },
  );
});

describe('mentionNames', () => {
  test('finds the names of every kind of mention and link', () => {
    const names = mentionNames(
      '@**Iago** @_**Ann|13** @**|14** @**all** @*backend* @_*ops* #**a** #**b>t** #**c>t@3**',
    );
    expect(names.user_names).toEqual(new Set(['Iago']));
    expect(names.user_ids).toEqual(new Set([13, 14]));
    expect(names.group_names).toEqual(new Set(['backend', 'ops']));
    expect(names.channel_names).toEqual(new Set(['a', 'b', 'c']));
  });

  test.each(['Hello', 'a@b.c', '# Title', '@', '**bold** @ *x*', '@**|99999999999'])(
    'finds no name in %s',
    (content) => {
      for (const found of Object.values(mentionNames(content))) expect(found.size).toBe(0);
    },
  );
});
