import { expect, test, vi } from 'vitest';

import { addressPolicy } from './address-policy.ts';
import { forbiddenAddresses } from './forbidden-addresses.ts';
import { guardedConnect, type Dial } from './guarded-connect.ts';

const dial = vi.fn<Dial>(() => Promise.reject(new Error('dialled')));

function connectTo(hostname: string): Promise<Error | null> {
  const resolve = () => Promise.resolve([{ address: '8.8.8.8' }]);
  const connect = guardedConnect({ policy: addressPolicy([]), dial, resolve });
  const { promise, resolve: done } = Promise.withResolvers<Error | null>();
  connect({ hostname, protocol: 'http:', port: '80' }, (...[error]) => done(error));
  return promise;
}

/** Without the check of the URL before it, as an undici client of any kind would call it. */
test.each([...forbiddenAddresses, '[::1]', '127.0.0.1.', 'localhost', 'a.localhost', ''])(
  'refuses %j by itself',
  async (hostname) => {
    expect(await connectTo(hostname)).toMatchObject({ failure: 'blocked' });
    expect(dial).not.toHaveBeenCalled();
  },
);

test.each(['8.8.4.4', '[2606:4700::1]'])('dials %s as it is', async (hostname) => {
  expect(await connectTo(hostname)).toMatchObject({ message: 'dialled' });
  expect(dial.mock.lastCall?.[1]).toEqual([hostname.replace(/[[\]]/g, '')]);
});

test('gives the dialler what the name resolved to', async () => {
  expect(await connectTo('bot.example')).toMatchObject({ message: 'dialled' });
  expect(dial.mock.lastCall?.[1]).toEqual(['8.8.8.8']);
});
