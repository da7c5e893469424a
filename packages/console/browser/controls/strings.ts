export const strings = {
  retry: 'Try again',
  copy: 'Copy',
  copyNamed: (name: string) => `Copy ${name}`,
  copied: 'Copied',
  close: 'Close',
  cancel: 'Cancel',
  dismiss: 'Dismiss',
};
