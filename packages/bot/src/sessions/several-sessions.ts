import type { MessageOrigin } from './scope-key.ts';
import type { Session, Sessions } from './sessions.ts';

/**
 * Sessions with different scopes as one, whose value has theirs under their names. They are saved
 * together: if another message has changed one of them, those saved before it get their old value back.
 */
export function severalSessions(
  byName: Readonly<Record<string, Sessions<unknown>>>,
): Sessions<Record<string, unknown>> {
  const all = Object.entries(byName);
  return {
    key: (origin: MessageOrigin) => JSON.stringify(all.map(([, sessions]) => sessions.key(origin))),

    async load(key, warn): Promise<Session<Record<string, unknown>>> {
      const keys = JSON.parse(key) as readonly string[];
      const parts = await Promise.all(
        all.map(async ([name, sessions], at) => {
          return { name, session: await sessions.load(keys[at] ?? '', warn) };
        }),
      );
      const several: Session<Record<string, unknown>> = {
        value: Object.fromEntries(parts.map(({ name, session }) => [name, session.value])),

        async save() {
          const saved: Session<unknown>[] = [];
          try {
            for (const { name, session } of parts) {
              session.value = several.value[name];
              if (await session.save()) saved.push(session);
            }
          } catch (error) {
            await Promise.all(saved.map((session) => session.revert()));
            throw error;
          }
          return saved.length > 0;
        },

        async revert() {
          await Promise.all(parts.map(({ session }) => session.revert()));
        },
      };
      return several;
    },
  };
}
