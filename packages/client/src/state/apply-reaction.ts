import type { EventOf, InitialState } from '@bellhop/protocol';

import { changed, type Reader } from './state.ts';

/** Who reacts to a message has it in their history from then on, also where they never received it. */
export const applyReaction = (
  state: InitialState,
  { message_id, user_id }: EventOf<'reaction'>,
  reader: Reader,
): InitialState =>
  user_id === reader.user_id
    ? changed(state, 'max_message_id', (id) => (id > message_id ? id : message_id))
    : state;
