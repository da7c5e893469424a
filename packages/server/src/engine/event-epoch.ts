import type { EpochStatements } from '@bellhop/postgres';

/** What a new epoch of the database does with the event queues. */
export const eventEpoch: EpochStatements = {
  begun: () => ['update event_counter set epoch = epoch + 1, epoch_seq = last_seq'],
  // Clients know more than events told them. They register again.
  restored: ['delete from event_queue'],
};
