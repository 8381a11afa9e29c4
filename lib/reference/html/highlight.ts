import { type Language, SAMPLE_KEY } from '#lib/reference/page.model.ts';
import { type Html, html } from '#shared/http/html.ts';

/** What is coloured, the first that matches. Strings may run over lines, as those of a shell do. */
const PATTERNS: Readonly<Record<Language, RegExp>> = {
  sh: /(?<comment>(?<=^|\s)#.*$)|(?<string>"(?:[^"\\]|\\.)*"|'[^']*')|(?<word>(?<=^|\s)(?:curl|eval|api|control|npm|node|export)(?=\s))|(?<number>(?<=\s)-{1,2}[A-Za-z][\w-]*)/gm,
  ts: /(?<comment>\/\/.*$)|(?<string>'(?:[^'\\\n]|\\.)*'|`[^`]*`|"(?:[^"\\\n]|\\.)*")|(?<word>\b(?:import|from|const|let|await|for|of|if|new|async|function|return|try|catch|throw|export|type|true|false|null)\b)|(?<number>\b\d[\d_.]*\b)/gm,
  js: /(?<comment>\/\/.*$)|(?<string>'(?:[^'\\\n]|\\.)*'|`[^`]*`|"(?:[^"\\\n]|\\.)*")|(?<word>\b(?:import|from|const|let|await|for|of|if|new|async|function|return|try|catch|throw|export|true|false|null)\b)|(?<number>\b\d[\d_.]*\b)/gm,
  json: /(?<word>"(?:[^"\\]|\\.)*"(?=\s*:))|(?<string>"(?:[^"\\]|\\.)*")|(?<number>-?\b\d[\d.eE+-]*\b|\b(?:true|false|null)\b)|(?<comment>…)/gm,
};

/** Code with its kinds of words marked, for the style sheet. */
export function highlighted(language: Language, code: string): readonly Html[] {
  const parts: Html[] = [];
  let end = 0;
  for (const { 0: text, index, groups = {} } of code.matchAll(PATTERNS[language])) {
    const [kind = ''] = Object.entries(groups).find(([, found]) => found !== undefined) ?? [];
    parts.push(...withKeys(code.slice(end, index)), html`<span class="c-${kind}">${withKeys(text)}</span>`);
    end = index + text.length;
  }
  return [...parts, ...withKeys(code.slice(end))];
}

/** The page's script writes the reader's own key there. */
function withKeys(text: string): readonly Html[] {
  const key = html`<span class="reader-key">${SAMPLE_KEY}</span>`;
  return text.split(SAMPLE_KEY).flatMap((part, index) => (index === 0 ? [html`${part}`] : [key, html`${part}`]));
}
