import type { Bot, InitialState } from '@bellhop/protocol';

/** The outgoing webhook of a bot, if it has one. */
export interface Webhook {
  readonly base_url: string;
  readonly interface: number;
  readonly token: string | undefined;
}

export function webhookOf({ services }: Bot): Webhook | undefined {
  const service = services.find((one) => 'base_url' in one);
  return service && { ...service, token: service.token };
}

/** The bots that a user may see: the own ones first, each group by name, deactivated ones last. */
export const managedBots = (
  { realm_bots }: Pick<InitialState, 'realm_bots'>,
  self: number,
): readonly Bot[] =>
  (realm_bots ?? []).toSorted(
    (a, b) =>
      Number(b.is_active) - Number(a.is_active) ||
      Number(b.owner_id === self) - Number(a.owner_id === self) ||
      a.full_name.localeCompare(b.full_name),
  );
