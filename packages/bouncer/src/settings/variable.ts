/** An environment variable of the bouncer, as the documentation and `--help` show it. */
export interface Variable {
  readonly description: string;
  readonly default?: string;
  /**
   * `NAME_FILE` may hold the path of a file with the value, or `$CREDENTIALS_DIRECTORY` (systemd) may have a
   * file of this name.
   */
  readonly orFile?: boolean;
}
