const keywords = ['chat', 'zulip', 'bellhop'];

/** The entries of a manifest that describe the package in the repository only. */
const ofRepository = ['private', 'scripts', 'devDependencies', 'files'];

/**
 * The package.json of a tarball. `exports` and `imports` name `dist` in the place of `src`, and fixtures
 * of tests are left out. The packages of the repository need each other in exactly this version.
 */
export function publishedManifest(manifest, workspaces) {
  const versions = new Map(workspaces.map(({ name, version }) => [name, version]));
  const { publishConfig: { name = manifest.name } = {}, ...rest } = manifest;
  const kept = Object.entries(rest).filter(([key]) => !ofRepository.includes(key));
  const exact = (dependencies) =>
    dependencies &&
    mapped(dependencies, ([dependency, range]) => [dependency, versions.get(dependency) ?? range]);
  return withoutUndefined({
    ...Object.fromEntries(kept),
    name,
    keywords: [...keywords, ...(manifest.keywords ?? [])],
    ...repository(manifest.name),
    publishConfig: { access: 'public', provenance: true },
    exports: built(manifest.exports),
    imports: manifest.imports && built(manifest.imports),
    dependencies: exact(manifest.dependencies),
    optionalDependencies: exact(manifest.optionalDependencies),
    peerDependencies: exact(manifest.peerDependencies),
  });
}

/** The entries of `exports` or `imports`, with the declarations and the JavaScript of each source. */
function built(entries) {
  const shipped = Object.entries(entries).filter(([, path]) => !path.endsWith('.fixture.ts'));
  return mapped(Object.fromEntries(shipped), ([entry, path]) => {
    if (!path.endsWith('.ts')) return [entry, path];
    const file = path.replace(/^\.\/src\//, './dist/').slice(0, -'.ts'.length);
    return [entry, { types: `${file}.d.ts`, default: `${file}.js` }];
  });
}

/** npm accepts a provenance statement only for a package that names the repository it was built from. */
function repository(name) {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: path } = process.env;
  if (!server || !path) return {};
  const directory = `packages/${name.replace(/^@[^/]+\//, '')}`;
  return { repository: { type: 'git', url: `git+${server}/${path}.git`, directory } };
}

const mapped = (object, change) => Object.fromEntries(Object.entries(object).map(change));
const withoutUndefined = (object) =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined));
