import request from 'supertest';
import { expect, test } from 'vitest';

import { loadListener } from './load-listener.ts';

test('modules that cannot be loaded are reported once, and their requests get no answer', async () => {
  const failures: unknown[] = [];
  const missing = new Error('no such module');
  const listener = loadListener(
    () => Promise.reject(missing),
    (error) => failures.push(error),
  );
  for (const _twice of [1, 2])
    await expect(request(listener).get('/')).rejects.toThrow(/socket hang up/);
  expect(failures).toEqual([missing]);
});

test('modules are loaded by the first request only', async () => {
  let loads = 0;
  const listener = loadListener(
    async () => {
      loads += 1;
      return (_request, response) => void response.end('served');
    },
    () => {},
  );
  expect(loads).toBe(0);
  await Promise.all([1, 2].map(() => request(listener).get('/').expect(200, 'served')));
  expect(loads).toBe(1);
});
