import { type Api, badRequest, type ParamsOf } from '@bellhop/protocol';

import type { Handlers } from '../../../engine/resource.ts';
import { filterFor } from '../../../model/channels/archived-channels-filter.ts';
import { byIds } from '../../../model/channels/channel-rows.ts';
import { channelsWithAccess } from '../../../model/channels/channels-with-access.ts';
import { checkColor } from '../../../model/channels/subscribe/colors.ts';
import {
  type PersonalColumns,
  setProperty,
} from '../../../model/channels/subscribe/subscription-rows.ts';

type PropertyChange = ParamsOf<Api['subscriptions']['setProperties']>['subscription_data'][number];

const flags = [
  'is_muted',
  'pin_to_top',
  'audible_notifications',
  'desktop_notifications',
  'email_notifications',
  'push_notifications',
  'wildcard_mentions_notify',
] as const satisfies readonly (keyof PersonalColumns)[];

/** Changes settings of the caller for channels, all or none: one event for each. */
export const setProperties: Handlers<'subscriptions'>['setProperties'] = async ({
  user,
  realm,
  params: { subscription_data },
  db,
  emit,
}) => {
  const rows = await byIds(
    db,
    realm.id,
    subscription_data.map(({ stream_id }) => stream_id),
  );
  const viewed = await channelsWithAccess(db, user, rows);
  const found = new Map(viewed.map((one) => [one.row.id, one]));
  for (const one of subscription_data) {
    const { stream_id } = one;
    const channel = found.get(stream_id);
    if (!channel?.access.seesMetadata) throw badRequest('Invalid channel ID');
    if (!channel.access.isSubscribed) throw badRequest(`Not subscribed to channel ID ${stream_id}`);
    const [property, value] = columnOf(one);
    const key = { realm_id: realm.id, user_id: user.id, channel_id: stream_id };
    await setProperty(db, key, [property, value]);
    const filter = filterFor(channel.row.is_archived);
    const update = { type: 'subscription', op: 'update', stream_id, ...filter } as const;
    // The older name comes first, so that the newer one decides for clients that know both.
    if (property === 'is_muted')
      emit({ ...update, property: 'in_home_view', value: value === false }, [user.id]);
    emit({ ...update, property, value }, [user.id]);
  }
  return {};
};

/** The column of a property and its new value. Throws BAD_REQUEST for a wrong name or type. */
function columnOf({
  property,
  value,
}: PropertyChange): ['color' | (typeof flags)[number], boolean | string] {
  if (property === 'color') {
    if (typeof value !== 'string') throw badRequest('color is not a string');
    return ['color', checkColor(value) ?? value];
  }
  const flag = flags.find((name) => name === property);
  if (property !== 'in_home_view' && flag === undefined)
    throw badRequest(`Unknown subscription property: ${property}`);
  if (typeof value !== 'boolean') throw badRequest(`${property} is not a boolean`);
  return flag === undefined ? ['is_muted', !value] : [flag, value];
}
