import { ApiError } from '@bellhop/protocol';

import { Icon } from './icon.tsx';
import { messageOf } from './message-of.ts';
import { refusedParts } from './refused-parts.ts';

interface ErrorNoticeProps {
  readonly error: unknown;
  readonly onRetry?: (() => unknown) | undefined;
}

/** An error where it happened: what went wrong, its code, the parts that it is about, and a button to try again. */
export function ErrorNotice({ error, onRetry }: ErrorNoticeProps) {
  if (error === undefined || error === null) return null;
  const refused = refusedParts(error);
  return (
    <div class="notice" role="alert">
      <Icon name="circle-alert" />
      <span class="grow">
        {messageOf(error)} {error instanceof ApiError && <code>{error.code}</code>}
        {refused.length > 0 && (
          <ul>
            {refused.map((part) => (
              <li key={part}>{part}</li>
            ))}
          </ul>
        )}
      </span>
      {onRetry && (
        <button type="button" class="button" onClick={onRetry}>
          Try again
        </button>
      )}
    </div>
  );
}
