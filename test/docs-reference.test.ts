import { expect, test } from 'vitest';

import { referencePages } from './docs/reference.ts';

/** After a change of a doc comment or a signature: `npm run docs`. */
test.each(Object.entries(referencePages()))(
  '%s says what the sources say (npm run docs writes it anew)',
  async (path, text) => {
    await expect(text).toMatchFileSnapshot(`../${path}`);
  },
);

test('the reference has what a bot is made by, with signature and doc comment', () => {
  const [text = ''] = Object.values(referencePages());
  expect(text).toContain('## @bellhop/bot/testing\n');
  expect(text).toMatch(/### createBot\n\nMakes a bot\.[^#]*```ts\nfunction createBot<Session>\(/);
  expect(text).not.toContain('const { email, token } = options');
});
