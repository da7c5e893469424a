#!/usr/bin/env node
// Runs before a bot's TypeScript, which an old Node refuses with an error that names no remedy.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 24 || (major === 24 && minor < 2)) {
  console.error(
    `This bot needs Node 24.2 or newer, and this is ${process.versions.node}: install Node 24, or run "npm install --save-dev node@24", which brings one for this project.`,
  );
  process.exit(1);
}
