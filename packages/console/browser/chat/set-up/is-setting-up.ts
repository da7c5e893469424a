import { signal } from '@preact/signals';

import type { LiveAccount } from '../../live/live-account.ts';
import { isSandbox } from '../../session/server-kind.ts';
import { openSteps } from './open-steps.ts';

/** The name of the page in its path: a narrow screen shows it in place of the conversations. */
export const SET_UP = 'set-up';

const STORED = 'bellhop-console-set-up-hidden';
const isHidden = signal(localStorage.getItem(STORED) !== null);

/** Hides the steps of a new server in this browser. */
export function hideSetUp(): void {
  localStorage.setItem(STORED, 'yes');
  isHidden.value = true;
}

/** Whether to show an administrator the first steps: a sandbox has taken them. */
export function isSettingUp({ state, user_id }: LiveAccount): boolean {
  if (isSandbox() !== false || isHidden.value || !state.value) return false;
  return openSteps(state.value, user_id).length > 0;
}
