import { join } from 'node:path';

import {
  defineCommand,
  listFlag,
  parsePort,
  proposeFiles,
  switchFlag,
  textFlag,
  untilSignal,
  UserError,
  valueFlag,
} from '@bellhop/bot-cli/command-line';
import { type DirectoryLock, lockDirectory, makeSecretDirectory } from '@bellhop/directory-lock';
import { startSimulator, writeCredentialFiles } from '@bellhop/push-simulator';

import { readScenario } from './read-scenario.ts';
import { removeSimulatorFile, simulatorDirectory, writeSimulatorFile } from './simulator-file.ts';
import { simulatorText } from './simulator-text.ts';

export const start = defineCommand({
  description: `Needs no account at Apple or Google. Writes into its directory, for its owner only:
  credentials/AuthKey_....p8         Apple's signing key
  credentials/service-account.json   Google's service account
  credentials/ca.pem                 the certificate authority to trust for these addresses
  credentials/bouncer.env            all of it as lines for the environment of "bellhop bouncer"
  simulator.json                     control address and token, while it runs

The control API is documented at /openapi.json of the control address. "bellhop simulator fault",
"play" and "log" use it. Keys and phones stay for the next start.

Environment:
  BELLHOP_SIMULATOR_DIR   the directory (default .bellhop-simulator)`,
  flags: {
    port: valueFlag(
      'The port of the control API, followed by FCM, APNs, the sandbox of APNs and Web Push; 0 = any',
      'port',
      parsePort,
      '0',
    ),
    topic: listFlag(
      "A bundle ID that Apple's key may send to; org.bellhop.phone if left out",
      'bundle ID',
    ),
    scenario: {
      ...textFlag(
        'A file of faults that come and go; packages/push-simulator/scenarios has examples',
        'file',
      ),
      proposeCompletions: proposeFiles('.json'),
    },
    json: switchFlag('Print addresses and files as one line of JSON'),
  },
  async run({ port, topic, scenario: file, json }) {
    const scenario = file === undefined ? undefined : await readScenario(file);
    const directory = simulatorDirectory();
    return untilSignal({
      async start() {
        const lock = await own(directory).catch(cannotStart);
        const simulator = await startSimulator({
          ...(port === 0 ? {} : portsFrom(port)),
          ...(topic === undefined ? {} : { topics: topic }),
          state_dir: directory,
        }).catch(async (error: unknown) => {
          await lock.release();
          return cannotStart(error);
        });
        const files = writeCredentialFiles(simulator, join(directory, 'credentials'));
        await writeSimulatorFile(directory, simulator);
        console.log(simulatorText(simulator, files, json));
        if (scenario !== undefined) {
          console.log(`Playing "${scenario.name}": ${scenario.steps.length} steps.`);
          const { end } = simulator.scenarios.play(scenario);
          void end.then(() => console.log(`The scenario "${scenario.name}" is over.`));
        }
        return async () => {
          await removeSimulatorFile(directory);
          await simulator.stop();
          await lock.release();
        };
      },
    });
  },
});

/** Makes this process the only owner of the directory: other commands find one simulator in it. */
async function own(directory: string): Promise<DirectoryLock> {
  await makeSecretDirectory(directory);
  return lockDirectory(directory, { otherHost: 'take over' });
}

/** Throws a UserError: another port helps against an error of a port, else another directory. */
function cannotStart(error: unknown): never {
  const { message, code, port } = error as NodeJS.ErrnoException & { readonly port?: number };
  const reason = code === 'EADDRINUSE' ? `port ${port} is taken` : message;
  const advice =
    port === undefined
      ? 'Choose another directory with BELLHOP_SIMULATOR_DIR.'
      : 'Choose another with --port.';
  throw new UserError(`The simulator cannot start: ${reason}. ${advice}`);
}

const portsFrom = (first: number) => ({
  control_port: first,
  fcm_port: first + 1,
  apns_port: first + 2,
  apns_sandbox_port: first + 3,
  webpush_port: first + 4,
});
