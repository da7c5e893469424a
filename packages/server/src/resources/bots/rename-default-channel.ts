import type { ChannelId } from '@bellhop/protocol';

import type { Change } from '../../engine/call.ts';
import type { Realm } from '../../engine/caller.ts';
import * as queries from '../../model/bots/queries.ts';
import { viewersOf } from '../../model/channels/channel-rows.ts';
import { managersOf } from './changing-bot.ts';

/**
 * Emits the new name of a channel to the managers of the bots that have it as a default channel. A bot
 * whose owner does not see the channel loses it: its record would show the name.
 */
export async function renameDefaultChannel(
  { db, emit }: Pick<Change<'realm_bot'>, 'db' | 'emit'>,
  realm: Pick<Realm, 'id'>,
  { id, name }: { readonly id: ChannelId; readonly name: string },
): Promise<void> {
  const bots = await queries.withDefaultChannel(db, realm.id, id);
  if (bots.length === 0) return;
  const viewers = new Set((await viewersOf(db, realm.id, [id])).get(id));
  for (const bot of bots) {
    const isShown = bot.bot_owner_id === null || viewers.has(bot.bot_owner_id);
    const isSending = bot.default_sending_channel_id === id;
    const isEvents = bot.default_events_register_channel_id === id;
    if (!isShown)
      await queries.updateProfile(db, bot, {
        ...(isSending ? { default_sending_channel_id: null } : {}),
        ...(isEvents ? { default_events_register_channel_id: null } : {}),
      });
    const shown = isShown ? name : null;
    const { readers, others } = await managersOf(db, bot);
    emit(
      {
        type: 'realm_bot',
        op: 'update',
        bot: {
          user_id: bot.id,
          ...(isSending ? { default_sending_stream: shown } : {}),
          ...(isEvents ? { default_events_register_stream: shown } : {}),
        },
      },
      [...readers, ...others],
    );
  }
}
