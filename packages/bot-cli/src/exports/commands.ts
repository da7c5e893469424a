// The commands, for the whole `bellhop`.
export type { CommandEntry } from '../command-line/command-tree.ts';
export type { CommandFactory, CommandLine } from '../command-line/command.ts';
export { botCommands, conformBot, tryMessage } from '../commands.ts';
