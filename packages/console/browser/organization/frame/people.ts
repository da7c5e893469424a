import type { InitialState } from '@bellhop/protocol';

/** Users and bots as entries of lists. */
export const peopleOf = ({ realm_users = [] }: InitialState) =>
  (realm_users ?? []).map(({ user_id, full_name }) => ({
    id: user_id as number,
    label: full_name,
  }));
