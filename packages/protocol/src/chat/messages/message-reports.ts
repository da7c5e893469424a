import { z } from 'zod';

import { Description } from '../../values/fields.ts';
import { MessageId } from '../../values/ids.ts';
import { endpoint } from '../../wire/endpoint.ts';
import { StreamEvent } from '../channels/channel-events.ts';
import { MessageEvent } from './message-events.ts';

const MAX_REPORT_LENGTH = 1000;

/** Why a message is reported: the reasons and their names for people. */
export const reportTypes = {
  spam: 'Spam',
  harassment: 'Harassment',
  inappropriate: 'Inappropriate content',
  norms: 'Violates community norms',
  other: 'Other reason',
} as const;
export const ReportType = z.enum(
  Object.keys(reportTypes) as [keyof typeof reportTypes, ...(keyof typeof reportTypes)[]],
);
export type ReportType = z.output<typeof ReportType>;

export const messageReports = {
  report: endpoint('POST /messages/{message_id}/report', {
    summary: 'Report a message to the moderators',
    description:
      'The notification bot posts the report with the content of the message to the moderation channel of the organization. Fails if the organization has none.',
    since: 382,
    access: 'user',
    params: {
      message_id: MessageId,
      report_type: ReportType,
      description: Description.max(MAX_REPORT_LENGTH).optional().meta({
        description: 'Required for the report type other',
      }),
    },
    emits: [MessageEvent, StreamEvent],
  }),
};
