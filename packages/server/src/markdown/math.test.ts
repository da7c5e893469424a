import { describe, expect, test } from 'vitest';

import { renderMarkdown } from './render-markdown.ts';

const html = (content: string) => renderMarkdown(content).html;
const katex = (mathml: string, tex: string, display = '') =>
  `<span class="katex"><math xmlns="http://www.w3.org/1998/Math/MathML"${display}><semantics><mrow>${mathml}</mrow>` +
  `<annotation encoding="application/x-tex">${tex}</annotation></semantics></math></span>`;

describe('math', () => {
  test('in a line is MathML with its TeX', () => {
    const formula = katex('<msub><mi>x</mi><mn>1</mn></msub><mo>&lt;</mo><mi>y</mi>', 'x_1 &lt; y');
    expect(html('so $$x_1 < y$$.')).toBe(`<p>so ${formula}.</p>`);
  });

  test('in a fence is one displayed formula for each paragraph', () => {
    const display = (tex: string) =>
      `<span class="katex-display">${katex(`<mi>${tex}</mi>`, tex, ' display="block"')}</span>`;
    expect(html('```math\na\n\nb\n```').replaceAll('\n<', '<')).toBe(
      `<p>${display('a')}${display('b')}</p>`,
    );
  });

  test.each(['$$\\nope{x}$$', '$${$$', '$$\\def\\a{x}\\a$$', '$$\\href{javascript:x}{y$$'])(
    'with invalid or forbidden TeX stays as written: %s',
    (source) => expect(html(source)).toBe(`<p><span class="tex-error">${source}</span></p>`),
  );

  test('with invalid TeX in a fence stays a block of code', () => {
    const code = '<div class="codehilite"><pre><span></span><code>\\nope\n</code></pre></div>';
    expect(html('```math\n\\nope\n```')).toBe(code);
  });

  test('beyond 100 formulas, and beyond 2000 characters of TeX, stays as written', () => {
    const many = html('$$x$$ '.repeat(150));
    expect(many.match(/class="katex"/g)).toHaveLength(100);
    expect(many.match(/class="tex-error"/g)).toHaveLength(50);
    const long = `$$${'x'.repeat(1500)}$$`;
    const [first, second] = html(`${long}\n\n${long}`).split('\n');
    expect(first).toContain('katex');
    expect(second).toContain('tex-error');
  });
});
