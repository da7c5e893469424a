import { variables } from '@bellhop/bouncer/variables';

interface Row {
  readonly description: string;
  readonly default?: string;
  readonly orFile?: boolean;
}

const cell = (text: string) => text.replaceAll('|', '\\|');

const rowOf = ([name, { description, default: value, orFile }]: [string, Row]) =>
  `| \`${name}\` | ${cell(description)} | ${value === undefined ? '' : `\`${value}\``} | ${orFile ? 'yes' : ''} |`;

/** docs/bouncer/variables.md, from the table that the bouncer reads its configuration by. */
export const bouncerVariablesPage = (): string => `# Variables of the bouncer

\`npm run docs\` writes this page. \`bellhop bouncer run --help\` prints the same.

A fault stops the start with one line that names the variable. "File": the value may be in a file that \`NAME_FILE\` names, or be a credential of systemd with the name of the variable. Files and credentials are read again at SIGHUP.

| variable | meaning | default | file |
| --- | --- | --- | --- |
${Object.entries<Row>(variables).map(rowOf).join('\n')}
| \`BELLHOP_DATA_DIR\` | Where the embedded PostgreSQL keeps its files | \`.bellhop-bouncer\` |  |
| \`BELLHOP_LOG_LEVEL\` | trace, debug, info, warn, error, fatal or silent | \`info\` |  |
`;
