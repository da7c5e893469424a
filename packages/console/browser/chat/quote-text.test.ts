import { expect, test } from 'vitest';

import { quoteText } from './quote-text.ts';

const said = { name: 'Olivia Owner', user_id: 7, link: '/#narrow/dm/7,8/near/12' };

test('a quotation names the sender silently, and links to the message', () => {
  expect(quoteText({ ...said, content: 'Tea at *five*' })).toBe(
    '@_**Olivia Owner|7** [said](/#narrow/dm/7,8/near/12):\n```quote\nTea at *five*\n```\n',
  );
});

test('the fence of a quotation is longer than those in the text', () => {
  const content = '````quote\n```js\n1\n```\n````';
  expect(quoteText({ ...said, content })).toContain(`\n\`\`\`\`\`quote\n${content}\n\`\`\`\`\`\n`);
});
