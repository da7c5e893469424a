import { effect, signal } from '@preact/signals';

type Theme = 'light' | 'dark';
const STORED = 'bellhop-console-theme';
const stored = localStorage.getItem(STORED);

/** The choice of the user; undefined follows the system. */
const theme = signal<Theme | undefined>(
  stored === 'light' || stored === 'dark' ? stored : undefined,
);

export function toggleTheme(): void {
  const isDark = matchMedia('(prefers-color-scheme: dark)').matches;
  const now = theme.peek() ?? (isDark ? 'dark' : 'light');
  theme.value = now === 'dark' ? 'light' : 'dark';
  localStorage.setItem(STORED, theme.value);
}

effect(() => {
  if (theme.value === undefined) delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme.value;
});
