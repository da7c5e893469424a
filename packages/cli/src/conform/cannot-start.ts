import { UserError } from '@bellhop/bot-cli/command-line';
import { CannotStart, type Need } from '@bellhop/push-conform';

/** What to give, by what a run of checks needs. Those that a command has no options for are left out. */
export type StartAdvice = Readonly<Partial<Record<Need, string>>>;

const simulatorAdvice: StartAdvice = {
  simulator: 'Start one with "bellhop simulator", or give its address with --simulator.',
  'simulator token': 'Give the control_token with --token or BELLHOP_SIMULATOR_TOKEN.',
};

/** For `catch`: rethrows a `CannotStart` as a UserError that says which options to give. */
export const adviseStart =
  (advice: StartAdvice) =>
  (error: unknown): never => {
    if (!(error instanceof CannotStart)) throw error;
    const what = { ...simulatorAdvice, ...advice }[error.need] ?? '';
    throw new UserError(`${error.message} ${what} Nothing was checked.`, { cause: error });
  };
