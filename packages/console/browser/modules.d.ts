declare module '*.css';
declare module '*.svg' {
  const url: string;
  export default url;
}
declare module 'virtual:icons' {
  const icons: Readonly<Record<string, readonly [string, Readonly<Record<string, string>>][]>>;
  export default icons;
}

/** The text of a file. */
declare module '*?raw' {
  const text: string;
  export default text;
}
