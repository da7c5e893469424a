import { effect, signal } from '@preact/signals';

export type Theme = 'light' | 'dark';
const STORED = 'bellhop-console-theme';
const stored = localStorage.getItem(STORED);

/** Undefined follows the system. Kept for the next page, which is drawn before the server has answered. */
const theme = signal<Theme | undefined>(
  stored === 'light' || stored === 'dark' ? stored : undefined,
);

export function showTheme(next: Theme | undefined): void {
  theme.value = next;
  if (next === undefined) localStorage.removeItem(STORED);
  else localStorage.setItem(STORED, next);
}

/** Shows the other theme. Returns it. */
export function toggleTheme(): Theme {
  const isDark = matchMedia('(prefers-color-scheme: dark)').matches;
  const now = theme.peek() ?? (isDark ? 'dark' : 'light');
  const next = now === 'dark' ? 'light' : 'dark';
  showTheme(next);
  return next;
}

effect(() => {
  if (theme.value === undefined) delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme.value;
});
