import { stripVTControlCharacters } from 'node:util';

import { vi } from 'vitest';

type Main = (args: readonly string[]) => Promise<number>;

/** Runs a program in this process. Returns its exit code and what it printed, without colours. */
export async function runMain(main: Main, args: readonly string[]) {
  const printed = { out: '', err: '' };
  const keep = (stream: keyof typeof printed, end: string) => (text: unknown, then?: unknown) => {
    printed[stream] += stripVTControlCharacters(`${String(text)}${end}`);
    if (typeof then === 'function') then();
    return true;
  };
  const spies = [
    vi.spyOn(console, 'log').mockImplementation(keep('out', '\n')),
    vi.spyOn(console, 'error').mockImplementation(keep('err', '\n')),
    vi.spyOn(process.stdout, 'write').mockImplementation(keep('out', '')),
    vi.spyOn(process.stderr, 'write').mockImplementation(keep('err', '')),
  ];
  try {
    const code = await main(args);
    return { code, ...printed };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}
