/** Longer than a message that is being sent takes. */
const SENDING_MS = 30_000;

/** When each message that is being sent now is stored, or has failed. */
export const afterSending = (): Date => new Date(Date.now() + SENDING_MS);
