import type { Actor } from '../../../engine/caller.ts';
import type { ChangeableMessage } from '../changeable-message.ts';

/** An edit of a message by a user: of its content, its topic or its channel. */
export interface MessageEdit extends Actor {
  readonly target: ChangeableMessage;
}

/** The change of a message's content, as in the `update_message` event. */
export interface ContentChange {
  readonly orig_content: string;
  readonly orig_rendered_content: string;
  readonly content: string;
  readonly rendered_content: string;
  readonly is_me_message: boolean;
}
