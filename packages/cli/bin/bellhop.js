#!/usr/bin/env node
// Plain JavaScript, so that an old Node can say what is wrong instead of failing on the syntax.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 18)) {
  console.error(
    `Bellhop needs Node 22.18 or newer, and this is ${process.versions.node}.\n` +
      'In a clone of the repository run "npm ci" once and then "npm start": it brings its own Node.',
  );
  process.exit(1);
}
const { main } = await import('../src/bellhop.ts');
process.exitCode = await main(process.argv.slice(2));
