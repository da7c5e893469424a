import type { UserSettings } from '@bellhop/protocol';
import { computed } from '@preact/signals';

import { is24Hours } from '../controls/time.tsx';
import { toastError } from '../controls/toasts.tsx';
import { current } from '../live/accounts.ts';
import { settingsOf } from '../live/user-setting.ts';
import { fontSizes, lineHeights, within } from './text-sizes.ts';
import { showTheme, type Theme, toggleTheme } from './theme.ts';

const themes: Readonly<Record<UserSettings['color_scheme'], Theme | undefined>> = {
  1: undefined,
  2: 'dark',
  3: 'light',
};
const schemes = { dark: 2, light: 3 } as const;

/** The settings of the account that the page shows; undefined while it is being opened. */
const settings = computed(() => {
  const state = current.value?.state.value;
  return state && settingsOf(state);
});
const scheme = computed(() => settings.value?.color_scheme);

/** Shows the theme that the user has chosen, here or elsewhere. */
export function obeyColorScheme(): void {
  if (scheme.value !== undefined) showTheme(themes[scheme.value]);
}

/** Shows times, contrast and sizes as the user has chosen, here or elsewhere. */
export function obeyAppearance(): void {
  const chosen = settings.value;
  if (!chosen) return;
  const { dataset, style } = document.documentElement;
  is24Hours.value = chosen.twenty_four_hour_time;
  if (chosen.high_contrast_mode) dataset['contrast'] = 'high';
  else delete dataset['contrast'];
  style.setProperty('--message-size', `${within(chosen.web_font_size_px, fontSizes)}px`);
  style.setProperty('--message-line', `${within(chosen.web_line_height_percent, lineHeights)}%`);
}

/** Shows the other theme, and makes it the choice of the user of the shown account. */
export function toggleOwnTheme(): void {
  const color_scheme = schemes[toggleTheme()];
  const shown = current.peek();
  shown?.client.settings.update({ color_scheme }).catch((error: unknown) => {
    obeyColorScheme();
    toastError(error);
  });
}
