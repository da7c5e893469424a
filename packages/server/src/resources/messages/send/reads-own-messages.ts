/** Clients in which people read messages. */
const readingClients = new Set([
  'website',
  'ZulipMobile',
  'ZulipFlutter',
  'ZulipTerminal',
  'ZulipElectron',
  'BellhopConsole',
]);

/** Whether messages that a user sends with this client count as read by that user. */
export const readsOwnMessages = (client: string): boolean => readingClients.has(client);
