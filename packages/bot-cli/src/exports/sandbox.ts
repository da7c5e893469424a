// The running sandbox as other programs find it.
export type { Client } from '@bellhop/client';

export {
  findSandbox,
  type LocatedSandbox,
  locateSandbox,
  OTHER_DIRECTORY,
  requireSandbox,
} from '../sandbox-file/find-sandbox.ts';
export { refuseSecond, runningSandbox } from '../sandbox-file/running-sandbox.ts';
export { type Person, sandboxClient } from '../sandbox-file/sandbox-client.ts';
export {
  readSandboxFile,
  removeSandboxFile,
  SandboxFile,
  writeSandboxFile,
} from '../sandbox-file/sandbox-file.ts';
