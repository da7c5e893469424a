import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

import { expect, test } from 'vitest';

import { hasSuitableNode } from './suitable-node.ts';

test.each([
  ['v24.2.0', true],
  ['v26.0.0', true],
  ['v24.1.9', false],
  ['v20.20.2', false],
])('Node %s on a machine is enough for a project: %j', async (version, isSuitable) => {
  const folder = await mkdtemp(join(tmpdir(), 'bellhop-node-'));
  await using _folder = { [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) };
  const ofClone = join(folder, 'node_modules/.bin');
  await mkdir(ofClone, { recursive: true });
  const print = (text: string) => `#!/bin/sh\necho ${text}\n`;
  await writeFile(join(folder, 'node'), print(version), { mode: 0o755 });
  await writeFile(join(ofClone, 'node'), print('v99.0.0'), { mode: 0o755 });
  expect(await hasSuitableNode({ PATH: [ofClone, folder].join(delimiter) })).toBe(isSuitable);
  expect(await hasSuitableNode({ PATH: ofClone })).toBe(false);
});
