import { spawnSync } from 'node:child_process';

/** A phone of docs/push/examples. */
export interface ExamplePhone {
  readonly language: string;
  readonly generation: 'account' | 'device';
  /** The program that runs it, and its file. */
  readonly program: string;
  readonly file: string;
}

const languages = [
  { language: 'TypeScript', program: process.execPath, ending: 'ts' },
  { language: 'Python', program: 'python3', ending: 'py' },
];
const hasLibsodium =
  spawnSync('python3', ['-c', 'import ctypes.util as u; exit(u.find_library("sodium") is None)'])
    .status === 0;

/** Those whose tools are on this machine. */
export const examplePhones: readonly ExamplePhone[] = languages
  .filter(({ language }) => language !== 'Python' || hasLibsodium)
  .flatMap(({ language, program, ending }) => [
    { language, generation: 'account', program, file: `phone.${ending}` },
    { language, generation: 'device', program, file: `phone-device.${ending}` },
  ]);
