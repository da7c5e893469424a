import type { InitialState } from '@bellhop/protocol';

import { charOf } from './emoji.ts';

interface StatusTextProps {
  readonly state: Pick<InitialState, 'user_status'>;
  readonly user_id: number;
}

/** The status that somebody has set, beside their name. */
export function StatusText({ state, user_id }: StatusTextProps) {
  const status = state.user_status?.[String(user_id)];
  if (!status) return null;
  const { status_text = '', emoji_code, reaction_type } = status;
  const emoji =
    emoji_code !== undefined && reaction_type === 'unicode_emoji' ? charOf(emoji_code) : '';
  return <span class="muted"> {`${emoji} ${status_text}`.trim()}</span>;
}
