import { EPOCH_GAP, type EpochStatements } from '@bellhop/postgres';

/** What the server does when its database was restored, or a standby was promoted. */
export const epochStatements: EpochStatements = {
  begun: [
    'update event_counter set epoch = epoch + 1, epoch_seq = last_seq',
    `insert into presence_counter as c (realm_id, last_number) select id, ${EPOCH_GAP} from realm
      on conflict (realm_id) do update set last_number = c.last_number + ${EPOCH_GAP}`,
  ],
  // Clients know more than events told them. They register again.
  restored: ['delete from event_queue'],
};
