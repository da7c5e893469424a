#!/usr/bin/env node
// Plain JavaScript, so that an old Node can say what is wrong instead of failing on the syntax.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 18)) {
  console.error(
    `Bellhop needs Node 22.18 or newer, and this is ${process.versions.node}.\n` +
      'A clone of the repository brings its own: run "npm ci" once, then "npm start" or "npx bellhop".',
  );
  process.exit(1);
}
// A reader that goes away, such as a pager or a closed terminal, does not end the program.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
// Sources are compiled once, not at every start: kept where Node keeps them, below the temporary folder.
const { enableCompileCache } = await import('node:module');
enableCompileCache();
const { main } = await import('../src/bellhop.ts');
process.exitCode = await main(process.argv.slice(2));
