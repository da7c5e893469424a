// The commands, for the whole `bellhop`.
export { botCommands, conformBot, tryMessage } from '../commands.ts';
