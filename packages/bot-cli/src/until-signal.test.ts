import { afterEach, expect, test, vi } from 'vitest';

import { untilSignal } from './until-signal.ts';

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const gate = () => Promise.withResolvers<void>();

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('%s stops the service', async (signal) => {
  const said: string[] = [];
  const running = untilSignal({
    onSignal: () => said.push('signal'),
    start: async () => async () => void said.push('stopped'),
  });
  process.emit(signal);
  expect(await running).toBe(0);
  expect(said).toEqual(['signal', 'stopped']);
  expect(process.listeners(signal)).toEqual([]);
});

test('SIGHUP with onHangup does not stop the service', async () => {
  const said: string[] = [];
  const running = untilSignal({
    onHangup: () => said.push('hangup'),
    start: async () => async () => void said.push('stopped'),
  });
  process.emit('SIGHUP');
  process.emit('SIGHUP');
  process.emit('SIGTERM');
  expect(await running).toBe(0);
  expect(said).toEqual(['hangup', 'hangup', 'stopped']);
  expect(process.listeners('SIGHUP')).toEqual([]);
});

test('two signals within half a second count as one; a later signal ends the process at once', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const exit = vi.spyOn(process, 'exit').mockImplementation(() => undefined as never);
  const stopping = gate();
  const running = untilSignal({ start: async () => () => stopping.promise });
  process.emit('SIGINT');
  process.emit('SIGINT');
  vi.advanceTimersByTime(400);
  process.emit('SIGINT');
  expect(exit).not.toHaveBeenCalled();
  vi.advanceTimersByTime(200);
  process.emit('SIGINT');
  expect(exit).toHaveBeenCalledExactlyOnceWith(130);
  stopping.resolve();
  expect(await running).toBe(0);
});

test('a signal during the start aborts it, or stops the service once it has started', async () => {
  const inTime = untilSignal({
    start: async (stopping) => {
      process.emit('SIGTERM');
      stopping.throwIfAborted();
      return async () => {};
    },
  });
  expect(await inTime).toBe(130);
  const stop = vi.fn(async () => {});
  const tooLate = untilSignal({
    start: async () => {
      process.emit('SIGTERM');
      return stop;
    },
  });
  expect(await tooLate).toBe(0);
  expect(stop).toHaveBeenCalledOnce();
});

test('untilSignal rejects with the error of the start and of the stop', async () => {
  const start = () => Promise.reject(new Error('no start'));
  await expect(untilSignal({ start })).rejects.toThrow('no start');
  const running = untilSignal({ start: async () => () => Promise.reject(new Error('no stop')) });
  process.emit('SIGINT');
  await expect(running).rejects.toThrow('no stop');
});
