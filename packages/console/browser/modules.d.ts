declare module '*.css';
declare module '*.svg' {
  const url: string;
  export default url;
}
declare module 'virtual:icons' {
  const icons: Readonly<Record<string, readonly [string, Readonly<Record<string, string>>][]>>;
  export default icons;
}
