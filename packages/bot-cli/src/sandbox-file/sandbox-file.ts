import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { writeFileWhole } from '@bellhop/directory-lock';
import { TokenKind } from '@bellhop/protocol';
import { z } from 'zod';

/**
 * `.bellhop/sandbox.json`: the addresses and credentials with which other programs use a running
 * sandbox.
 */
export const SandboxFile = z.object({
  base_url: z.string(),
  bouncer_url: z.string(),
  /** Apps seal their registrations for this key. */
  bouncer_public_key: z.string(),
  /** The bundle ID that iPhones register with as `ios_app_id`. */
  app_id: z.string(),
  console_url: z.string(),
  simulator: z.object({
    fcm_url: z.string(),
    apns_url: z.string(),
    webpush_url: z.string(),
    control_url: z.string(),
    /** The bearer token of the control API. */
    control_token: z.string(),
  }),
  users: z.array(
    z.object({
      user_id: z.int(),
      email: z.string(),
      full_name: z.string(),
      role: z.int(),
      password: z.string(),
      api_key: z.string(),
    }),
  ),
  bots: z.array(
    z.object({
      user_id: z.int(),
      email: z.string(),
      api_key: z.string(),
      token: z.string(),
      payload_url: z.string(),
    }),
  ),
  devices: z.array(
    z.object({
      name: z.string(),
      user_id: z.int(),
      push_account_id: z.string().nullable(),
      device_id: z.int().nullable().default(null),
      token_kind: TokenKind,
    }),
  ),
  channels: z.array(z.object({ stream_id: z.int(), name: z.string() })),
});
export type SandboxFile = z.output<typeof SandboxFile>;

const pathIn = (dataDir: string) => join(dataDir, 'sandbox.json');

export const writeSandboxFile = (dataDir: string, file: SandboxFile): Promise<void> =>
  writeFileWhole(pathIn(dataDir), `${JSON.stringify(SandboxFile.parse(file), null, 2)}\n`);

export const removeSandboxFile = (dataDir: string): Promise<void> =>
  rm(pathIn(dataDir), { force: true });

/** Reads the file of a sandbox; undefined if it is missing or damaged. */
export async function readSandboxFile(dataDir: string): Promise<SandboxFile | undefined> {
  const text = await readFile(pathIn(dataDir), 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  try {
    return SandboxFile.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
