import { SavedField } from './saved-field.tsx';

interface NameAndDescriptionProps {
  readonly of: { readonly name: string; readonly description: string };
  readonly maxLength: { readonly name: number; readonly description: number };
  /** Whether the reader may change them; others read the description. */
  readonly mayChange: boolean;
  readonly rename: (name: string) => Promise<unknown>;
  readonly describe: (description: string) => Promise<unknown>;
}

/** The texts of an open row. */
export const NameAndDescription = (props: NameAndDescriptionProps) => {
  const { of, maxLength, mayChange, rename, describe } = props;
  if (!mayChange) return <p>{of.description}</p>;
  return (
    <>
      <SavedField
        label="Name"
        kind={{ kind: 'text', maxLength: maxLength.name }}
        value={of.name}
        save={(name) => rename(String(name))}
      />
      <SavedField
        label="Description"
        kind={{ kind: 'text', maxLength: maxLength.description }}
        value={of.description}
        save={(description) => describe(String(description))}
      />
    </>
  );
};
