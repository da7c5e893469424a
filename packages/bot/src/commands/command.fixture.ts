import type { ArgsOf, CheckedUsage } from './args-of.ts';
import type { CustomTypes } from './argument-types.ts';
import {
  type AnyOptions,
  type Command,
  type CommandOptions,
  commandOf,
  type WithCustomTypes,
  type WithoutCustomTypes,
} from './command.ts';

/** `commandOf` with the types that `bot.command` gives to a usage and its arguments. */
export function defineCommand<const U extends string, T extends CustomTypes>(
  usage: CheckedUsage<U, T>,
  options: CommandOptions<NoInfer<ArgsOf<U, T>>> & WithCustomTypes<T>,
): Command<ArgsOf<U, T>>;
export function defineCommand<const U extends string>(
  usage: CheckedUsage<U>,
  options?: CommandOptions<NoInfer<ArgsOf<U>>> & WithoutCustomTypes,
): Command<ArgsOf<U>>;
export function defineCommand(
  usage: string,
  options: AnyOptions = {},
): Command<Record<string, unknown>> {
  return commandOf(usage, options);
}
