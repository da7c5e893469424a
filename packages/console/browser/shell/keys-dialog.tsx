import { Dialog } from '../controls/dialog.tsx';
import { keyGroups, modKey } from '../navigation/keys.ts';

/** The keys of everything that is on the page now. */
export const KeysDialog = ({ onClose }: { onClose: () => void }) => (
  <Dialog title="Keyboard shortcuts" onClose={onClose} class="keys-dialog">
    {shownGroups().map(({ title, bindings }) => (
      <section key={title}>
        <h3>{title}</h3>
        <dl class="keys">
          {bindings.map(({ keys, label }) => (
            <div key={keys} class="row">
              <dt class="grow">{label}</dt>
              <dd>
                {keys.split(' ').map((press) => (
                  <kbd key={press} class="kbd">
                    {nameOf(press)}
                  </kbd>
                ))}
              </dd>
            </div>
          ))}
        </dl>
      </section>
    ))}
  </Dialog>
);

/** Two conversations side by side have the same keys. */
const shownGroups = () => {
  const all = keyGroups.value;
  return all.filter(({ title }, at) => all.findIndex((one) => one.title === title) === at);
};

/** The names on the keyboard. */
const nameOf = (press: string): string =>
  press
    .replace('$mod', modKey)
    .replace('Shift+?', '?')
    .replace('ArrowUp', '↑')
    .replace('Escape', 'Esc')
    .replace('+', ' ');
