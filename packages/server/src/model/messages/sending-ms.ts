/**
 * After this time, each message that was being sent is stored or has failed. Who changes what a send has
 * read (who subscribes, who is muted, which message is first) looks once more then. A lock instead would
 * be a write to the channel and to each recipient in every send, for changes that are rare.
 */
export const SENDING_MS = 30_000;
