import { signal } from '@preact/signals';

let timer: ReturnType<typeof setInterval> | undefined;

const tick = () => (now.value = Date.now());
function runWhileInSight(): void {
  clearInterval(timer);
  if (document.hidden) return;
  tick();
  timer = setInterval(tick, 1000);
}

/**
 * The time in UNIX milliseconds, the same for the whole page. It changes every second while something shows
 * it and the tab is visible.
 */
export const now = signal(Date.now(), {
  watched() {
    document.addEventListener('visibilitychange', runWhileInSight);
    runWhileInSight();
  },
  unwatched() {
    document.removeEventListener('visibilitychange', runWhileInSight);
    clearInterval(timer);
  },
});
