import { writeFileSync } from 'node:fs';

import { devicePushVectors } from './device-push-vectors.fixture.ts';
import { notificationVectors } from './notification-vectors.fixture.ts';
import { registrationVectors } from './registration-vectors.fixture.ts';
import { testVectors } from './test-vectors.fixture.ts';

const json = (value: object) => `${JSON.stringify(value, null, 2)}\n`;

/** The text of each file in `vectors/`; `node write-vectors.fixture.ts` writes them. */
export const vectorFiles: Readonly<Record<string, () => Promise<string>>> = {
  'sealed-boxes.json': testVectors,
  'registrations.json': async () => json(await registrationVectors()),
  'notifications.json': async () => json(await notificationVectors()),
  'device-pushes.json': () => Promise.resolve(json(devicePushVectors)),
};

if (import.meta.main)
  for (const [name, text] of Object.entries(vectorFiles))
    writeFileSync(new URL(`../../vectors/${name}`, import.meta.url), await text());
