/**
 * Calls `stop` on the first SIGTERM or SIGINT, and then lets the signal end the process, unless
 * another listener handles it. A second signal ends the process at once. A process that npm started
 * also gets SIGTERM when npm has ended. Returns a function that removes the listeners.
 */
export function stopOnSignals(stop: () => Promise<void>): () => void {
  const names = ['SIGTERM', 'SIGINT'] as const;
  const onSignal = (signal: NodeJS.Signals) => {
    ignore();
    void stop().then(() => {
      if (process.listenerCount(signal) === 0) process.kill(process.pid, signal);
    });
  };
  const stopWatching = watchNpm(() => onSignal('SIGTERM'));
  const ignore = () => {
    stopWatching();
    names.forEach((name) => process.off(name, onSignal));
  };
  names.forEach((name) => process.on(name, onSignal));
  return ignore;
}

const CHECK_PARENT_MS = 500;

/**
 * Calls back when npm has ended: it passes SIGTERM to the shell of the script, which ends without
 * passing it on. Does nothing in a process that npm did not start, or whose shell has ended before.
 */
function watchNpm(onEnd: () => void): () => void {
  const { env, ppid } = process;
  if (env['npm_lifecycle_event'] === undefined || ppid === 1) return () => {};
  const timer = setInterval(() => {
    if (process.ppid !== ppid) onEnd();
  }, CHECK_PARENT_MS).unref();
  return () => clearInterval(timer);
}
