import { expect, test } from 'vitest';

import { topicLinks } from './topic-links.ts';

test.each([
  ['deploy', []],
  ['v1.2: fixes', []],
  ['readme.md', []],
  ['see zulip.com/a', [{ text: 'zulip.com/a', url: 'https://zulip.com/a' }]],
  [
    'http://x.org/?a=1 and https://y.org',
    [
      { text: 'http://x.org/?a=1', url: 'http://x.org/?a=1' },
      { text: 'https://y.org', url: 'https://y.org' },
    ],
  ],
  ['iago@zulip.com', []],
  ['ftp://x.org/a', []],
  ['javascript:alert(1)', []],
])('topicLinks finds the links in %j', (topic, expected) =>
  expect(topicLinks(topic, [])).toEqual(expected),
);
