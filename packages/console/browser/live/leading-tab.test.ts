import { expect, test } from 'vitest';

import { leadingTab } from './leading-tab.ts';

/** Opens a tab that says its name when it leads. */
function openTab(name: string, lock: string) {
  const closing = new AbortController();
  const heard: string[] = [];
  const led: string[] = [];
  const tell = leadingTab<string>({
    name: lock,
    signal: closing.signal,
    onMessage: (message) => heard.push(message),
    lead: async () => {
      led.push(name);
      tell(`${name} leads`);
      await new Promise((resolve) => closing.signal.addEventListener('abort', resolve));
    },
  });
  return { close: () => closing.abort(), heard, led, tell };
}

test('one tab leads, and another one when it closes', async () => {
  const first = openTab('first', 'succession');
  await expect.poll(() => first.led).toEqual(['first']);
  const second = openTab('second', 'succession');
  const third = openTab('third', 'succession');
  first.tell('hello');
  await expect.poll(() => second.heard).toEqual(['hello']);
  expect([second.led, third.led]).toEqual([[], []]);
  first.close();
  await expect.poll(() => second.led).toEqual(['second']);
  expect(third.led).toEqual([]);
  await expect.poll(() => third.heard).toEqual(['hello', 'second leads']);
  third.close();
  second.close();
});

test('a tab that has closed its channel neither sends nor receives', async () => {
  const first = openTab('first', 'closed');
  const second = openTab('second', 'closed');
  await expect.poll(() => first.led).toEqual(['first']);
  second.close();
  second.tell('late');
  first.tell('hello');
  const third = openTab('third', 'closed');
  first.tell('again');
  await expect.poll(() => third.heard).toEqual(['again']);
  expect(first.heard).not.toContain('late');
  expect(second.heard).not.toContain('hello');
  first.close();
  third.close();
});
