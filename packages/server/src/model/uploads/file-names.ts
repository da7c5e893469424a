import { cutText } from '@bellhop/protocol';

const LONGEST = 100;
const EXTENSION = /\.[\p{L}\p{N}]{1,16}$/u;

/** The name that people see: one line, without directories, of limited length. */
export function shownName(name: string): string {
  const base = name.toWellFormed().replace(/^.*[/\\]/s, '');
  return cut(base.replace(/\p{C}/gu, '').trim()) || 'file';
}

/** The name in the address: letters, digits and signs without a meaning in URLs. */
export function addressName(name: string): string {
  const plain = shownName(name)
    .normalize('NFKC')
    .replace(/\s+/g, '-')
    .replace(/[^\p{L}\p{N}._-]/gu, '')
    .replace(/^\.+/, '');
  return cut(plain) || 'file';
}

/** Shortens a name, but not its extension. */
const cut = (name: string): string => cutText(name, LONGEST, EXTENSION.exec(name)?.[0]);
