import { argument } from '../../command-line/flags.ts';

/** The chat server that a command is about, by its ID or host name. */
export const serverArgument = argument('server', 'ID or host name of the chat server');
