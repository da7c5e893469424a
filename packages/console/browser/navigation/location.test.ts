import { afterAll, expect, test, vi } from 'vitest';

vi.stubGlobal('location', { pathname: '/console/', search: '', origin: 'http://chat.test' });
vi.stubGlobal('history', { pushState: () => {} });
afterAll(() => {
  vi.unstubAllGlobals();
});
const { go, href, path } = await import('./location.ts');

test('the address of a place leads to it, whatever its topic is called', () => {
  for (const topic of ['lunch', '.', '..', '...', '../..', '%2e%2e', 'a b/c?#']) {
    const parts = ['chat', 'channel', '5', topic];
    // As a browser reads the address of a link.
    go(new URL(href(parts), location.origin).pathname);
    expect(path.value, topic).toEqual(parts);
  }
});
