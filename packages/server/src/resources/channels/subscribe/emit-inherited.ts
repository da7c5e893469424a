import type { Change } from '../../../engine/call.ts';
import type { User } from '../../../engine/caller.ts';
import { filterFor } from '../../../model/channels/archived-channels-filter.ts';
import { channelsWithAccess } from '../../../model/channels/channels-with-access.ts';
import { inheritedBy } from '../../../model/channels/subscribe/subscription-records.ts';

/**
 * Emits changed settings of a user that settings of their channels inherit: clients without the
 * capability `notification_settings_null` have a copy of the value in each channel.
 */
export async function emitInherited(
  { db, emit }: Pick<Change<'subscription'>, 'db' | 'emit'>,
  user: User,
  changes: readonly { readonly property: string; readonly value: unknown }[],
): Promise<void> {
  const inherited = changes.flatMap(({ property: setting, value }) => {
    const property = inheritedBy(setting);
    return property === undefined ? [] : [{ property, value: value === true }];
  });
  if (inherited.length === 0) return;
  for (const { row, subscription, access } of await channelsWithAccess(db, user)) {
    if (!access.seesMetadata) continue;
    for (const { property, value } of inherited)
      if (subscription?.[property] === null)
        emit(
          {
            type: 'subscription',
            op: 'update',
            stream_id: row.id,
            property,
            value,
            is_inherited: true,
            ...filterFor(row.is_archived),
          },
          [user.id],
        );
  }
}
