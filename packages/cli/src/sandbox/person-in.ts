import { Complaint } from '../command-line/command.ts';
import type { SandboxFile } from './sandbox-file.ts';

/** The person who owns the phones, as the sandbox chose. */
export function personIn({ users, devices }: SandboxFile): SandboxFile['users'][number] {
  const person = users.find(({ user_id }) => user_id === devices[0]?.user_id) ?? users[0];
  if (person) return person;
  throw new Complaint('The sandbox has no users: remove its data directory and start again.');
}
