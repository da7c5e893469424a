#!/usr/bin/env node
// Plain JavaScript: an old Node prints this error instead of failing on the syntax of TypeScript.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 18)) {
  console.error(
    `Bellhop needs Node 22.18 or newer, and this is ${process.versions.node}: install Node 24, or run "npm install --save-dev node@24", which brings one for this project.`,
  );
  process.exit(1);
}
const whole = wholeCommand();
if (whole === undefined) {
  // A closed terminal or pager does not end the program.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  // Node keeps compiled sources below the temporary folder, also those of the processes that this one
  // starts. Faster to reach than by an import.
  const { directory } = process.getBuiltinModule('node:module').enableCompileCache();
  if (directory) process.env.NODE_COMPILE_CACHE ??= directory;
  const { main } = await import('#main');
  process.exitCode = await main(process.argv.slice(2));
} else {
  await import(whole);
}

/** The whole `bellhop`, if the project has it too: npm links only one program of a name. */
function wholeCommand() {
  try {
    return import.meta.resolve('bellhop/bin');
  } catch {
    return undefined;
  }
}
