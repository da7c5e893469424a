import { fileStore } from './file-store.ts';

// The child process of file-store-crash.test.ts: writes until it is killed, and prints each finished
// write. The value is long, so that the kill often interrupts a write.
const [directory = '', round = ''] = process.argv.slice(2);
const store = fileStore(directory);
for (let count = 1; ; count++) {
  const key = `key ${count % 5}`;
  const found = await store.get(key);
  await store.set(
    key,
    { round: Number(round), count, padding: 'x'.repeat(50_000) },
    { expected: found?.version ?? null },
  );
  process.stdout.write(`${key}\t${count}\n`);
}
