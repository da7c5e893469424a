import { ToolError } from './failure.ts';

const MINUTE_MS = 60_000;

/** Counts writing calls. `take` throws a ToolError after `perMinute` calls within a minute. */
export function writeLimit(
  perMinute: number,
  now: () => number = () => performance.now(),
): { readonly take: () => void } {
  let times: number[] = [];
  return {
    take() {
      const at = now();
      times = times.filter((time) => at - time < MINUTE_MS);
      const [oldest] = times;
      if (oldest !== undefined && times.length >= perMinute) {
        const seconds = Math.ceil((oldest + MINUTE_MS - at) / 1000);
        throw new ToolError(
          `You have written ${times.length} times in the last minute, which is the most that is allowed here. Wait ${seconds} seconds. Nothing was changed.`,
        );
      }
      times.push(at);
    },
  };
}
