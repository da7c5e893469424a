import { expect, test } from 'vitest';

import { entryPoints, referencePages } from './docs/reference.ts';

/** After a change of a doc comment or a signature: `npm run docs`. */
test.each(Object.entries(referencePages()))(
  '%s matches the sources (npm run docs updates it)',
  async (path, text) => {
    await expect(text).toMatchFileSnapshot(`../${path}`);
  },
);

test('the reference shows createBot with its signature and its doc comment, without its body', () => {
  const [text = ''] = Object.values(referencePages());
  expect(text).toContain('## @bellhop/bot/testing\n');
  expect(text).toMatch(/### createBot\n\nMakes a bot\.[^#]*```ts\nfunction createBot<\s*Session\b/);
  expect(text).not.toContain('const { email, token } = options');
});

test('@bellhop/bot exports at most 30 names from its root and at most 60 from all entry points', () => {
  const points = entryPoints('packages/bot');
  const names = points.flatMap(({ entries }) => entries.map(({ name }) => name));
  expect(points[0]?.entries.length).toBeLessThanOrEqual(30);
  expect(names.length).toBeLessThanOrEqual(60);
  expect(points[0]?.entries.map(({ name }) => name)).toEqual(
    expect.arrayContaining([
      'Clock',
      'CommandOptions',
      'DialogOptions',
      'Rest',
      'ScheduleOptions',
      'Scope',
    ]),
  );
});

test('no name in the reference of the bot has an underscore: snake_case is for the wire', () => {
  const [text = ''] = Object.values(referencePages());
  const code = [...text.matchAll(/```ts\n(.*?)```/gs)].map(([, block]) => block).join('\n');
  expect(code).toContain('readonly fullName: string');
  // The handlers by trigger: the names of triggers are values of the wire.
  expect(new Set(code.match(/\b[a-z]+_\w+(?=\??[:(])/g))).toEqual(
    new Set(['direct_message', 'follow_up']),
  );
});
