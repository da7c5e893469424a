import type { PostedMessage } from './posted-message.ts';

/** A reply that was streamed. If a handler returns it, no other reply is sent. */
export class StreamedReply {
  /** The messages of the reply, several if it was too long for one; none for a blank text. */
  readonly messages: readonly PostedMessage[];
  readonly text: string;
  /** False if the signal or the model stopped the reply. */
  readonly complete: boolean;

  constructor(messages: readonly PostedMessage[], text: string, complete: boolean) {
    this.messages = messages;
    this.text = text;
    this.complete = complete;
  }
}
