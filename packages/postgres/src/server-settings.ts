/** The server's settings as command-line arguments; postgresql.conf stays as initdb wrote it. */
export function serverSettings(more: Record<string, string>): string[] {
  return Object.entries({ ...always, ...more }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ]);
}

const always = {
  cluster_name: 'bellhop',
  port: '5432',
  unix_socket_permissions: '0700',
  max_connections: '100',
  shared_buffers: '128MB',
  max_wal_size: '512MB',
  // Parallel queries need shared memory that small containers do not have.
  max_parallel_workers_per_gather: '0',
  timezone: 'UTC',
  lc_messages: 'C',
  // Callers get the errors. The log must not contain statements, which contain messages.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_checkpoints: 'off',
};
