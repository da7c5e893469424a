/** Opens the notice in a conversation that a message could not be delivered to a bot. */
export const FAILURE_MARK = 'Failure! ';

/** The notice in a conversation that no attempt to deliver a message to a bot got an answer. */
export const BOT_UNAVAILABLE = 'The bot is unavailable.';

/** The notice in a conversation that the delivery of a message to a bot is tried again for longer. */
export const WAIT_NOTICE =
  'The bot does not answer yet. The server tries again and says here when it gives up.';
