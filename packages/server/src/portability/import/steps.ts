import { sql } from 'kysely';

import { receiveFromNowOn } from '../../model/channels/subscribe/subscribers.ts';
import { cutOf } from '../form-fields.ts';
import type { FormRecord } from '../form.ts';
import { importAttached } from './import-attached.ts';
import { importChannels } from './import-channels.ts';
import {
  attachmentRecords,
  enqueueThumbnails,
  fileRecords,
  importAvatar,
  importEmoji,
  importFile,
  importRealmImage,
} from './import-files.ts';
import { importMessages, messageContext } from './import-messages.ts';
import { importGroups, importMembers, importPeople } from './import-people.ts';
import { importPersonal } from './import-personal.ts';
import { importRules } from './import-rules.ts';
import { importAddresses, importSubscriptions } from './import-subscriptions.ts';
import type { Importing, Piece } from './importing.ts';
import { noteMessages, numberMessages } from './number-messages.ts';

/** Runs the pieces of a step that are not done yet. */
export interface Place {
  /** Does the next piece, if it is not done. */
  readonly next: (work: (piece: Piece) => Promise<void>) => Promise<void>;
}
export interface Step {
  /** What it brings, for the person who waits. */
  readonly what: string;
  readonly run: (importing: Importing, place: Place) => Promise<void>;
}

/** It has no list of pieces: it goes on with what is left. */
export const NUMBERING = 'ten thousands of messages numbered';

/** A step that is one piece. */
const whole = (what: string, run: (importing: Importing, piece: Piece) => Promise<void>): Step => ({
  what,
  run: (importing, { next }) => next((piece) => run(importing, piece)),
});

/** The steps in their order: each needs the IDs of those before. Their places are noted in the database. */
export const steps: readonly Step[] = [
  whole('people and bots', importPeople),
  whole('user groups', importGroups),
  whole('members of groups', importMembers),
  whole('channels and settings', importChannels),
  whole('linkifiers and profile fields', importRules),
  whole('addresses', importAddresses),
  whole('subscriptions and conversations', importSubscriptions),
  { what: 'emoji', run: runEmoji },
  whole('personal data', importPersonal),
  {
    what: 'files',
    run: async (importing, { next }) => {
      for await (const record of attachmentRecords(importing))
        await next((piece) => importFile(importing, piece, record));
    },
  },
  {
    what: 'avatars',
    run: async (importing, { next }) => {
      for await (const record of fileRecords(importing, 'avatars'))
        await importAvatar(importing, next, record);
    },
  },
  {
    what: 'icon and logos',
    run: async (importing, { next }) => {
      for await (const record of fileRecords(importing, 'realm_icons'))
        await importRealmImage(importing, next, record);
    },
  },
  {
    what: 'files with messages looked at',
    run: async (importing, { next }) => {
      for (const file of importing.messageFiles)
        await next((piece) => noteMessages(importing, piece, file));
    },
  },
  {
    what: NUMBERING,
    run: async (importing, { next }) => {
      for (let isMore = true; isMore;)
        await next(async (piece) => {
          isMore = await numberMessages(importing, piece);
        });
    },
  },
  {
    what: 'files with messages',
    run: async (importing, { next }) => {
      const context = await messageContext(importing);
      for (const file of importing.messageFiles)
        await next((piece) => importMessages(importing, context, piece, file));
    },
  },
  whole('reactions and polls', importAttached),
  whole('first messages and thumbnails', async (importing, piece) => {
    await sql`update channel c set first_message_id = (select m.id from message m
        join recipient r on r.realm_id = m.realm_id and r.id = m.recipient_id
        where m.realm_id = c.realm_id and r.channel_id = c.id order by m.id limit 1)
      where c.realm_id = ${importing.realm}`.execute(piece.tx);
    await receiveFromNowOn(piece.tx, importing.realm);
    await enqueueThumbnails(importing, piece);
  }),
];

async function runEmoji(importing: Importing, { next }: Place): Promise<void> {
  const former = new Map<string, FormRecord>();
  for await (const batch of importing.tables(['zerver_realmemoji']))
    for (const { record } of batch) former.set(cutOf(record, 'file_name', 200), record);
  for await (const record of fileRecords(importing, 'emoji')) {
    const known = former.get(cutOf(record, 'file_name', 200));
    if (known) await importEmoji(importing, next, { record, former: known });
  }
}
