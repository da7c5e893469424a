/** The secret of the servers that are measured. */
export const BENCH_SECRET = 'only for measuring, only for measuring';
