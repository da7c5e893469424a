import { Component, type ComponentType, h } from 'preact';

/** Renders a component again only when one of its properties is another one. */
export function memo<P extends object>(
  view: (props: P) => preact.ComponentChild,
): ComponentType<P> {
  return class Memo extends Component<P> {
    override shouldComponentUpdate(next: Readonly<P>): boolean {
      const { props } = this;
      return Object.keys({ ...props, ...next }).some(
        (key) => props[key as keyof P] !== next[key as keyof P],
      );
    }

    override render() {
      return h(view as ComponentType<P>, this.props);
    }
  };
}
