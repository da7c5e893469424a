/** Waits for SIGINT or SIGTERM, then stops what runs; a second signal ends the program at once. */
export async function untilSignal(stop: () => Promise<void>): Promise<number> {
  await new Promise<void>((resolve) => {
    const first = () => {
      resolve();
      for (const signal of signals) process.off(signal, first).on(signal, () => process.exit(130));
    };
    for (const signal of signals) process.on(signal, first);
  });
  await stop();
  return 0;
}

const signals = ['SIGINT', 'SIGTERM'] as const;
