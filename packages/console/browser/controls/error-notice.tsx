import { ApiError } from '@bellhop/protocol';
import { useEffect, useRef } from 'preact/hooks';

import { cameBack } from '../loading/came-back.ts';
import { Icon } from './icon.tsx';
import { messageOf } from './message-of.ts';
import { refusedParts } from './refused-parts.ts';

interface ErrorNoticeProps {
  readonly error: unknown;
  /** Fetches again: also called by itself when the server answers again, if it did not. */
  readonly onRetry?: (() => unknown) | undefined;
}

/** Whether the server has answered, and will answer the same again. */
const isRefusal = (error: unknown) => error instanceof ApiError && error.status < 500;

/** An error where it happened: what went wrong, its code, the parts that it is about, and a button to try again. */
export function ErrorNotice({ error, onRetry }: ErrorNoticeProps) {
  const retry = useRef(onRetry);
  retry.current = onRetry;
  useEffect(() => {
    if (error === undefined || error === null || isRefusal(error)) return undefined;
    const before = cameBack.peek();
    return cameBack.subscribe((now) => {
      if (now !== before) retry.current?.();
    });
  }, [error]);
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
