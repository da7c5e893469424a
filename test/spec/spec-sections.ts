import { channels } from './channels.ts';
import { drafts } from './drafts.ts';
import { invites } from './invites.ts';
import { messages } from './messages.ts';
import { organization } from './organization.ts';
import { push } from './push.ts';
import { register } from './register.ts';
import { realmSettings } from './settings.ts';
import type { SpecSection } from './spec-section.ts';
import { typing } from './typing.ts';
import { userGroups } from './user-groups.ts';
import { users } from './users.ts';

/** All sections of the specification in its order. */
export const specSections: readonly SpecSection[] = [
  ...typing,
  ...realmSettings,
  ...channels,
  ...userGroups,
  ...messages,
  ...invites,
  ...drafts,
  ...users,
  ...organization,
  ...push,
  ...register,
];
