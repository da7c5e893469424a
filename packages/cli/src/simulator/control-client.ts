import {
  type FlagValues,
  parseHttpUrl,
  textFlag,
  UserError,
  valueFlag,
} from '@bellhop/bot-cli/command-line';
import { decodeResponse, parseJson } from '@bellhop/protocol';
import { z } from 'zod';

import { readSimulatorFile, type SimulatorFile, simulatorDirectory } from './simulator-file.ts';

/** The flags that name a simulator. */
export const simulatorFlags = {
  simulator: valueFlag(
    'The control address of a simulator; else the one that runs here, or in the sandbox',
    'url',
    parseHttpUrl,
  ),
  token: textFlag('Its control token (or BELLHOP_SIMULATOR_TOKEN)', 'token'),
};
export type SimulatorFlags = FlagValues<typeof simulatorFlags>;

const Refusal = z.object({ error: z.string() });

/** Calls operations of a simulator's control API. */
export interface ControlClient extends SimulatorFile {
  /** Returns the answer as JSON. Throws a UserError with the simulator's own words. */
  readonly call: (
    method: string,
    path: string,
    options?: { readonly body?: unknown; readonly signal?: AbortSignal },
  ) => Promise<unknown>;
}

export function controlClient({ control_url, control_token }: SimulatorFile): ControlClient {
  return {
    control_url,
    control_token,
    async call(method, path, { body, signal } = {}) {
      const response = await fetch(`${control_url}${path}`, {
        method,
        headers: { authorization: `Bearer ${control_token}` },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        ...(signal === undefined ? {} : { signal }),
      }).catch((error: unknown) => {
        signal?.throwIfAborted();
        throw new UserError(`No simulator answers at ${control_url}.`, { cause: error });
      });
      const answer = await jsonOf(response);
      if (response.ok) return answer;
      const refusal = Refusal.safeParse(answer).data?.error ?? `HTTP status ${response.status}`;
      throw new UserError(`The simulator refused this: ${refusal}`);
    },
  };
}

/** The JSON of an answer; undefined if it is none. */
async function jsonOf(response: Response): Promise<unknown> {
  const { text, fault } = await decodeResponse(response);
  if (fault !== undefined) throw new UserError(`The simulator answered, and the answer ${fault}.`);
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

/**
 * The simulator of the flags; else the one started alone in this folder, or that of the sandbox.
 * Throws a UserError if there is none.
 */
export async function requireSimulator(flags: SimulatorFlags): Promise<ControlClient> {
  const { simulator: control_url, token = process.env['BELLHOP_SIMULATOR_TOKEN'] } = flags;
  if (control_url !== undefined) {
    if (!token) throw new UserError('Give the --token of the simulator.');
    return controlClient({ control_url: control_url.replace(/\/$/, ''), control_token: token });
  }
  const alone = await readSimulatorFile(simulatorDirectory());
  if (alone !== undefined) return controlClient(alone);
  const { findSandbox, OTHER_DIRECTORY } = await import('@bellhop/bot-cli/sandbox');
  const sandbox = await findSandbox();
  if (sandbox !== undefined) return controlClient(sandbox.simulator);
  throw new UserError(
    `There is no running simulator here: start one with "bellhop simulator", or a sandbox with "npm start". ${OTHER_DIRECTORY}`,
  );
}
