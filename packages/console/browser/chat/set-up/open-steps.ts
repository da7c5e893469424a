import { INITIAL_REALM_NAME, type InitialState, roles } from '@bellhop/protocol';

/** What an administrator does first on a new server, in this order. */
export const setUpSteps = ['name', 'channel', 'people', 'bot'] as const;
export type SetUpStep = (typeof setUpSteps)[number];

type State = Pick<
  InitialState,
  | 'realm_name'
  | 'realm_users'
  | 'realm_bots'
  | 'subscriptions'
  | 'unsubscribed'
  | 'never_subscribed'
>;

const isDone: Readonly<Record<SetUpStep, (state: State) => boolean>> = {
  name: ({ realm_name }) => realm_name !== INITIAL_REALM_NAME,
  channel: ({ subscriptions, unsubscribed, never_subscribed }) =>
    [subscriptions, unsubscribed, never_subscribed].some((list = []) => list.length > 0),
  people: ({ realm_users = [] }) => realm_users.filter(({ is_bot }) => !is_bot).length > 1,
  bot: ({ realm_bots = [] }) => realm_bots.some(({ is_active }) => is_active),
};

/** The steps that are still to be done; none for somebody who is no administrator. */
export function openSteps(state: State, self: number): readonly SetUpStep[] {
  const { role = roles.guest } = state.realm_users?.find(({ user_id }) => user_id === self) ?? {};
  return role > roles.admin ? [] : setUpSteps.filter((step) => !isDone[step](state));
}
