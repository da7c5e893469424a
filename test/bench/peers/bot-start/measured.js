const begun = performance.now();
let imported = 0;

/** Call it when the framework is imported. */
export const imports = () => void (imported = performance.now() - begun);

/** Call it when the bot listens. Prints the time of the import in milliseconds and the memory in MiB. */
export function listening() {
  const resident = process.memoryUsage.rss() / 2 ** 20;
  console.log(JSON.stringify({ imported, resident }));
}
