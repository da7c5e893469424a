import { z } from 'zod';

/** The invitations that the reader may list have changed. */
export const InvitesChangedEvent = z.object({ type: z.literal('invites_changed') });
