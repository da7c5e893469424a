const patterns: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/Traceback \(most recent call last\)|File "[^"]+", line \d+/, 'a Python stack trace'],
  [/^\s*(&nbsp;\s*)*at .{0,200}[:(]\S*:\d+:\d+\)?/m, 'a JavaScript stack trace'],
  [/(<br>|\\n)\s*(&nbsp;\s*)*at .{0,200}:\d+:\d+/, 'a JavaScript stack trace'],
  [/^\s+at [\w.$]+\([\w]+\.java:\d+\)/m, 'a Java stack trace'],
  [/goroutine \d+ \[|panic: /, 'a Go stack trace'],
  [/\.rb:\d+:in [`']/, 'a Ruby stack trace'],
  [/on line \d+ in .{0,100}\.php|\.php on line \d+/, 'a PHP error'],
  [/node_modules|site-packages|\/(home|usr|app|var|srv|opt)\/[\w./-]+/, 'a path of its machine'],
  [
    /\bE(CONNREFUSED|NOTFOUND|TIMEDOUT|CONNRESET|ACCES|NOENT)\b/,
    'an error of its operating system',
  ],
  [/SQLSTATE|syntax error at or near|SQLITE_\w+|ORA-\d{5}/, 'an error of its database'],
  [/(postgres(ql)?|mysql|mongodb(\+srv)?|redis|amqp):\/\/\S+/, 'the address of a service'],
  [
    /\b(Type|Reference|Syntax|Range)Error: |\b\w+(Exception|Error): .{0,40} (is not|of undefined)/,
    'an error of its programming language',
  ],
];

/** The name of the first internal detail of a program in a body; undefined if there is none. */
export const internalsIn = (body: string): string | undefined =>
  patterns.find(([pattern]) => pattern.test(body))?.[1];
