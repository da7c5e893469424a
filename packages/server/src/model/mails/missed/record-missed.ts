import type { Tx } from '../../../engine/call.ts';
import type { Realm } from '../../../engine/caller.ts';
import {
  type Candidate,
  decideNotifications,
  IDLE_CHECK_SECONDS,
} from '../../notifications/decide-notifications.ts';
import { settingOf } from '../../users/user-settings.ts';
import { addMissed } from './queries.ts';

interface Context {
  readonly realm: Realm;
  /** UNIX time in seconds. */
  readonly now: number;
}

/** Records the messages that those of the candidates miss who want mails about them. */
export async function recordMissed(
  tx: Tx,
  { realm, now }: Context,
  candidates: readonly Candidate[],
): Promise<void> {
  const decided = await decideNotifications(tx, { medium: 'email', realm, now }, candidates);
  const missed = decided.map(({ message, user_id, waitsForIdle, settings }) => {
    const period = settingOf('email_notifications_batching_period_seconds', { user: { settings } });
    const seconds = waitsForIdle ? Math.max(period, IDLE_CHECK_SECONDS) : period;
    return { user_id, message_id: message.id, due_at: now + seconds };
  });
  await addMissed(tx, realm.id, missed);
}
