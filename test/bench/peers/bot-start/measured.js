const begun = performance.now();
let imported = 0;

/** Call it when the framework is imported. */
export const imports = () => void (imported = performance.now() - begun);

/**
 * Call it when the bot listens. Prints its address, the time of the import in milliseconds and the memory
 * in MiB.
 */
export function listening(url) {
  const resident = process.memoryUsage.rss() / 2 ** 20;
  console.log(JSON.stringify({ url, imported, resident }));
}

/** Call it with an http server that is to listen. */
export const listen = (server) =>
  server.listen(0, '127.0.0.1', () => listening(`http://127.0.0.1:${server.address().port}/`));
