import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { z } from 'zod';

const Names = z.record(z.string(), z.string()).default({});
const Lock = z.object({
  packages: z.record(
    z.string(),
    z.object({
      dependencies: Names,
      optionalDependencies: Names,
      peerDependencies: Names,
      peerDependenciesMeta: z
        .record(z.string(), z.object({ optional: z.boolean().default(false) }))
        .default({}),
      resolved: z.string().optional(),
      link: z.boolean().default(false),
    }),
  ),
});
type Locked = z.output<typeof Lock>['packages'][string];

const isRequired =
  ({ optionalDependencies, peerDependenciesMeta }: Locked) =>
  (name: string) =>
    !(name in optionalDependencies) && !peerDependenciesMeta[name]?.optional;

/**
 * The folders, from the root, that `npm ci --workspace ... --omit=dev --omit=optional` installs for a
 * workspace, by the lock file: those of workspaces and those below node_modules.
 */
export function installedPackages(root: string, workspace: string): string[] {
  const { packages } = Lock.parse(
    JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')),
  );
  const found = new Set<string>();
  const visit = (folder: string): void => {
    const locked = packages[folder];
    if (!locked) throw new Error(`the lock file has no ${folder}`);
    if (locked.link && locked.resolved !== undefined) return visit(locked.resolved);
    if (found.has(folder)) return;
    found.add(folder);
    const names = Object.keys({ ...locked.dependencies, ...locked.peerDependencies });
    for (const name of names.filter(isRequired(locked))) visit(resolve(folder, name));
  };
  const resolve = (folder: string, name: string): string => {
    for (let at = folder; ; at = dirname(at)) {
      const candidate = join(at === '.' ? '' : at, 'node_modules', name);
      if (packages[candidate]) return candidate;
      if (at === '.') throw new Error(`the lock file has no ${name} for ${folder}`);
    }
  };
  visit(workspace);
  return [...found].filter((folder) => existsSync(join(root, folder)));
}
