const signs: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>' };

/** Slack escapes three signs, and no others. */
export const unescapeHtml = (text: string): string =>
  text.replace(/&(?:amp|lt|gt);/g, (sign) => signs[sign] ?? sign);
