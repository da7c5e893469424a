import type { Entries, Manifest } from './manifest.ts';

const keywords = ['chat', 'zulip', 'bellhop'];

/** The entries of a manifest that describe the package in the repository only. */
const ofRepository = ['private', 'scripts', 'devDependencies', 'files'];

/**
 * The package.json of a tarball. `exports` and `imports` name `dist` in the place of `src`, and fixtures
 * of tests are left out. The packages of the repository need each other in exactly this version.
 */
export function publishedManifest(manifest: Manifest, workspaces: readonly Manifest[]): object {
  const versions = new Map(workspaces.map(({ name, version }) => [name, version]));
  const { publishConfig: { name = manifest.name, bin } = {}, ...rest } = manifest;
  const kept = Object.entries(rest).filter(([key]) => !ofRepository.includes(key));
  const exact = (dependencies: Entries | undefined) =>
    dependencies &&
    mapped(dependencies, ([dependency, range]) => [dependency, versions.get(dependency) ?? range]);
  const { dependencies, optionalDependencies } = requireOurs(manifest, (dependency) =>
    versions.has(dependency),
  );
  return withoutUndefined({
    ...Object.fromEntries(kept),
    name,
    keywords: [...keywords, ...(manifest.keywords ?? [])],
    ...repository(manifest.name),
    publishConfig: { access: 'public', provenance: true },
    ...(bin ? { bin } : {}),
    exports: built(manifest.exports),
    imports: manifest.imports && built(manifest.imports),
    dependencies: exact(dependencies),
    optionalDependencies: exact(optionalDependencies),
    peerDependencies: exact(manifest.peerDependencies),
  });
}

/**
 * Dependencies without optional packages of ours, which the bundle of a bouncer leaves out. npm leaves an
 * optional package out, without a word, where its `engines` do not fit the Node that runs npm: commands would
 * be missing in a project that brings its own Node.
 */
function requireOurs(manifest: Manifest, isOurs: (dependency: string) => boolean) {
  const optional = Object.entries(manifest.optionalDependencies ?? {});
  const others = optional.filter(([dependency]) => !isOurs(dependency));
  const ours = optional.filter(([dependency]) => isOurs(dependency));
  return {
    dependencies:
      ours.length > 0
        ? { ...manifest.dependencies, ...Object.fromEntries(ours) }
        : manifest.dependencies,
    optionalDependencies: others.length > 0 ? Object.fromEntries(others) : undefined,
  };
}

type Built = string | { readonly types: string; readonly default: string };

/** The entries of `exports` or `imports`, with the declarations and the JavaScript of each source. */
function built(entries: Entries) {
  const shipped = Object.entries(entries).filter(([, path]) => !path.endsWith('.fixture.ts'));
  return mapped<Built>(Object.fromEntries(shipped), ([entry, path]) => {
    if (!path.endsWith('.ts')) return [entry, path];
    const file = path.replace(/^\.\/src\//, './dist/').slice(0, -'.ts'.length);
    return [entry, { types: `${file}.d.ts`, default: `${file}.js` }];
  });
}

/** npm accepts a provenance statement only for a package that names the repository it was built from. */
function repository(name: string): object {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: path } = process.env;
  if (!server || !path) return {};
  const directory = `packages/${name.replace(/^@[^/]+\//, '')}`;
  return { repository: { type: 'git', url: `git+${server}/${path}.git`, directory } };
}

const mapped = <Value>(
  entries: Entries,
  change: (entry: [string, string]) => [string, Value],
): Record<string, Value> => Object.fromEntries(Object.entries(entries).map(change));
const withoutUndefined = (object: object): object =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined));
