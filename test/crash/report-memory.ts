/**
 * Preloaded into a program under test: at SIGUSR2 collects garbage and prints the memory that is still
 * in use. Resident memory says little: Node returns it to the system when it likes.
 */
process.on('SIGUSR2', () => {
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  console.log(`memory in use: ${heapUsed + external}`);
});
