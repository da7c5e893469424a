import { Component, type ComponentChildren } from 'preact';

import { ErrorNotice } from '../controls/error-notice.tsx';

/** Keeps an error inside of a pane or a row: the rest of the page goes on. */
export class Boundary extends Component<
  { readonly children: ComponentChildren },
  { readonly error: unknown }
> {
  override state = { error: undefined };

  static override getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override render() {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    return <ErrorNotice error={error} onRetry={() => this.setState({ error: undefined })} />;
  }
}
