import { now } from './now.ts';

interface CountdownProps {
  /** UNIX milliseconds. */
  readonly to: number;
  /** Shown when the time has come. */
  readonly due: string;
}

/** The time that is left, `00:12`. Not for live regions, which would read it every second. */
export function Countdown({ to, due }: CountdownProps) {
  const seconds = Math.ceil((to - now.value) / 1000);
  return <span class="ticking">{seconds > 0 ? clockOf(seconds) : due}</span>;
}

/** The time since then, `00:12`, from the first second on. Not for live regions. */
export function Elapsed({ from }: { readonly from: number }) {
  const seconds = Math.floor((now.value - from) / 1000);
  return seconds > 0 ? <span class="ticking">{clockOf(seconds)}</span> : null;
}

/** `04:12`, or `1:04:12` from an hour on. */
function clockOf(seconds: number): string {
  const two = (part: number) => String(Math.floor(part)).padStart(2, '0');
  const hours = Math.floor(seconds / 3600);
  return `${hours > 0 ? `${hours}:` : ''}${two((seconds % 3600) / 60)}:${two(seconds % 60)}`;
}
