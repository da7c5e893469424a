import { fileStore } from './file-store.ts';

// The child of file-store-crash.test.ts: writes until it is killed, and tells of each write that
// was reported to be done. The value is long, so that a kill falls into the midst of a write.
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
