import {
  type AskOf,
  AuditAction,
  type BouncerOperator,
  OutcomeKind,
  TokenKind,
} from '@bellhop/protocol';

import type { Filter } from '../list/filter-text.ts';
import { auditColumns, feedbackColumns, pushColumns } from './columns.tsx';
import { LogPage } from './log-page.tsx';
import type { PageProps } from './page-props.ts';
import { strings } from './strings.ts';

const limit = 200;
/** The values that the bouncer filters by; it refuses others. */
const outcomeKeys = { outcome: OutcomeKind.options, provider: TokenKind.options };
const auditKeys = { action: AuditAction.options };

export const PushLog = ({ client, isSandbox }: PageProps) => (
  <LogPage
    fetchRows={async (terms) => (await client.pushes.list({ ...asked(terms), limit })).pushes}
    filterKeys={outcomeKeys}
    columns={pushColumns}
    label={strings.names.pushes}
    keyOf={({ push_id }) => push_id}
    timeOf={({ at_ms }) => at_ms}
    empty={strings.empty.pushes}
    command={isSandbox ? strings.pushCommand : undefined}
  />
);

export const FeedbackLog = ({ client }: PageProps) => (
  <LogPage
    fetchRows={async (terms) => (await client.feedback.list({ ...asked(terms), limit })).entries}
    filterKeys={outcomeKeys}
    columns={feedbackColumns}
    label={strings.names.feedback}
    keyOf={({ push_id }) => push_id}
    timeOf={({ at_ms }) => at_ms}
    empty={strings.empty.feedback}
  />
);

export const AuditLog = ({ client }: PageProps) => (
  <LogPage
    fetchRows={async (terms) =>
      (await client.audit.list({ ...(terms as AskOf<BouncerOperator['audit']['list']>), limit }))
        .entries
    }
    filterKeys={auditKeys}
    columns={auditColumns}
    label={strings.names.audit}
    keyOf={({ number }) => String(number)}
    timeOf={({ at_ms }) => at_ms}
    empty={strings.empty.audit}
  />
);

const asked = (terms: Filter['terms']) => terms as AskOf<BouncerOperator['feedback']['list']>;
