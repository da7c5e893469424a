import { effect } from '@preact/signals';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { now } from './now.ts';

const page = Object.assign(new EventTarget(), { hidden: false });
const setHidden = (hidden: boolean) => {
  page.hidden = hidden;
  page.dispatchEvent(new Event('visibilitychange'));
};
beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('document', page);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('the clock runs by one timer for all, only while something shows it', () => {
  const stops = [effect(() => void now.value), effect(() => void now.value)];
  expect(vi.getTimerCount()).toBe(1);
  const before = now.peek();
  vi.advanceTimersByTime(2000);
  expect(now.peek()).toBe(before + 2000);
  for (const stop of stops) stop();
  expect(vi.getTimerCount()).toBe(0);
  setHidden(false);
  expect(vi.getTimerCount()).toBe(0);
});

test('the clock stands still while the tab is hidden, and is right when it is in sight again', () => {
  const stop = effect(() => void now.value);
  const before = now.peek();
  setHidden(true);
  vi.advanceTimersByTime(60_000);
  expect(now.peek()).toBe(before);
  setHidden(false);
  expect(now.peek()).toBe(before + 60_000);
  stop();
});
