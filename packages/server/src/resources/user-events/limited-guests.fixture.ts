import type { Person, TestChat } from '../../test-chat.fixture.ts';
import { setRealmGroup } from '../channels/subscribe/subscribing.fixture.ts';

/** Two people without a common channel or conversation. The guest does not see the other one. */
export interface Strangers {
  readonly guest: Person;
  readonly member: Person;
}

/** Runs an action in a realm whose guests do not see all users; afterwards they do. */
export async function withLimitedGuests(
  chat: TestChat,
  member: Person,
  act: (strangers: Strangers) => Promise<unknown>,
): Promise<void> {
  await setRealmGroup(chat, 'can_access_all_users_group', 'role:members');
  await act({ guest: chat.people.polonius, member });
  await setRealmGroup(chat, 'can_access_all_users_group', 'role:everyone');
}
