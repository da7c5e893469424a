// How the commands of `bellhop` are written and run.
export { type CommandEntry, type CommandGroup } from '../command-line/command-tree.ts';
export {
  type CommandDefinition,
  type CommandFactory,
  type CommandLine,
  defineCommand,
} from '../command-line/command.ts';
export { proposeFiles } from '../command-line/file-completion.ts';
export {
  countOf,
  findingPrinter,
  type PrintedFinding,
  type PrinterOptions,
  type Severity,
} from '../command-line/finding-printer.ts';
export * from '../command-line/flags.ts';
export { parseHttpUrl, parseNumber, parsePort, parseSeconds } from '../command-line/parse-flag.ts';
export { printRows } from '../command-line/print-rows.ts';
export { type BellhopProgram, runCommand } from '../command-line/run-command.ts';
export { terminalLine, terminalText } from '../command-line/terminal-text.ts';
export { rethrowAsUserError, UsageError, UserError } from '../command-line/user-error.ts';
export { environmentBeside } from '../environment-beside.ts';
export { type Running, type Signal, untilSignal } from '../until-signal.ts';
