import { expect, test } from 'vitest';

import { resource } from './resource.ts';

/** A fetch whose answers the test gives, in the order of the calls. */
function answeredByHand() {
  const calls: { readonly resolve: (text: string) => void; reject: (error: Error) => void }[] = [];
  const signals: AbortSignal[] = [];
  const fetch = (signal: AbortSignal) => {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    calls.push({ resolve, reject });
    signals.push(signal);
    return promise;
  };
  return { calls, signals, fetch };
}

test('nothing is fetched before the first refresh', async () => {
  const { calls, fetch } = answeredByHand();
  const found = resource(fetch);
  expect(calls).toEqual([]);
  const done = found.refresh();
  calls[0]?.resolve('first');
  await done;
  expect(found.value.value).toBe('first');
});

test('calls during a fetch cause one more fetch, and resolve after it', async () => {
  const { calls, fetch } = answeredByHand();
  const found = resource(fetch);
  const done = Promise.all([found.refresh(), found.refresh(), found.refresh()]);
  expect(calls).toHaveLength(1);
  calls[0]?.resolve('old');
  await expect.poll(() => calls).toHaveLength(2);
  expect(found.value.value).toBe('old');
  calls[1]?.resolve('new');
  await done;
  expect(found.value.value).toBe('new');
  expect(calls).toHaveLength(2);
});

test('the last answer stays beside the error of a later fetch, and an answer removes the error', async () => {
  const answers = ['first', new Error('gone'), 'third'];
  const found = resource(async () => {
    const answer = answers.shift();
    if (answer instanceof Error) throw answer;
    return answer;
  });
  await found.refresh();
  await found.refresh();
  expect([found.value.value, found.error.value]).toEqual(['first', new Error('gone')]);
  await found.refresh();
  expect([found.value.value, found.error.value]).toEqual(['third', undefined]);
});

test('an answer after stop is dropped, and the next refresh does not wait for it', async () => {
  const { calls, signals, fetch } = answeredByHand();
  const found = resource(fetch);
  const dropped = found.refresh();
  found.stop();
  expect(signals[0]?.aborted).toBe(true);
  const done = found.refresh();
  calls[1]?.resolve('wanted');
  await done;
  calls[0]?.resolve('late');
  await dropped;
  expect(found.value.value).toBe('wanted');
});

test('an error after stop is dropped', async () => {
  const { calls, fetch } = answeredByHand();
  const found = resource(fetch);
  const dropped = found.refresh();
  found.stop();
  calls[0]?.reject(new Error('aborted'));
  await dropped;
  expect(found.error.value).toBeUndefined();
});
