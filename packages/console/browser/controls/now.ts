import { signal } from '@preact/signals';

let timer: ReturnType<typeof setInterval> | undefined;

/** UNIX milliseconds, every second anew as long as something shows it. */
export const now = signal(Date.now(), {
  watched() {
    this.value = Date.now();
    timer = setInterval(() => (this.value = Date.now()), 1000);
  },
  unwatched: () => clearInterval(timer),
});
