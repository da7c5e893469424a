/**
 * Calls `stop` on the first SIGTERM or SIGINT, and then lets the signal end the process, unless
 * another listener handles it. A second signal ends the process at once. Returns a function that
 * removes the listeners.
 */
export function stopOnSignals(stop: () => Promise<void>): () => void {
  const names = ['SIGTERM', 'SIGINT'] as const;
  const onSignal = (signal: NodeJS.Signals) => {
    ignore();
    void stop().then(() => {
      if (process.listenerCount(signal) === 0) process.kill(process.pid, signal);
    });
  };
  const ignore = () => names.forEach((name) => process.off(name, onSignal));
  names.forEach((name) => process.on(name, onSignal));
  return ignore;
}
