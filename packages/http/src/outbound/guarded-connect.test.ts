import { expect, test, vi } from 'vitest';

import { addressPolicy } from './address-policy.ts';
import { forbiddenAddresses } from './forbidden-addresses.fixture.ts';
import { guardedConnect, type Dial } from './guarded-connect.ts';

const dial = vi.fn<Dial>(() => Promise.reject(new Error('dialled')));

function connectTo(hostname: string): Promise<Error | null> {
  const resolve = () => Promise.resolve([{ address: '8.8.8.8' }]);
  const connect = guardedConnect({ policy: addressPolicy([]), dial, resolve });
  const { promise, resolve: done } = Promise.withResolvers<Error | null>();
  connect({ hostname, protocol: 'http:', port: '80' }, (...[error]) => done(error));
  return promise;
}

/** Calls the connector without the URL check before it. */
test.each([...forbiddenAddresses, '[::1]', '127.0.0.1.', 'localhost', 'a.localhost', ''])(
  'guardedConnect refuses %j without the URL check',
  async (hostname) => {
    expect(await connectTo(hostname)).toMatchObject({ fault: 'address_forbidden' });
    expect(dial).not.toHaveBeenCalled();
  },
);

test.each(['8.8.4.4', '[2606:4700::1]'])(
  'guardedConnect dials the address %s without a lookup',
  async (hostname) => {
    expect(await connectTo(hostname)).toMatchObject({ message: 'dialled' });
    expect(dial.mock.lastCall?.[1]).toEqual([hostname.replace(/[[\]]/g, '')]);
  },
);

test('guardedConnect dials the resolved addresses', async () => {
  expect(await connectTo('bot.example')).toMatchObject({ message: 'dialled' });
  expect(dial.mock.lastCall?.[1]).toEqual(['8.8.8.8']);
});
