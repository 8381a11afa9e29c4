/** Legal forms at the end of names, without dots and spaces. A missing one is a word here. */
const LEGAL_FORMS = new Set(
  `ab ag aps as asa aş berhad bhd bv bvba co company corp corporation cv doo ee eg eirl eireli ek eood eurl ev gbr gmbh inc incorporated kft kg kgaa kk lda limited limitada
  llc llp lp ltd ltda ltdaepp ltdame ltdşti mbh nl nv oao ohg oü oy oyj ooo pa plc private pt pte pty pvt ry sa sab sadecv saa sapi sarl sàrl sas sasu sc sca scs sdn se sia sl slu
  snc spa spj spk spzoo sp srl sderldecv srldecv sro tbk tic uab ug ughaftungsbeschränkt ulc unlimited vof zoo zrt
  ао ооо оао пао зао тов αε επε ικε οε`.split(/\s+/),
);

/** Legal forms that precede the name where they are used. */
const LEADING_FORMS = new Set(['pt', 'ooo', 'oao', 'uab', 'sia', 'ао', 'ооо', 'оао', 'пао', 'зао', 'тов']);

/** In languages without spaces: before or after the name. */
const UNPARTED = '株式会社|有限会社|合同会社|株|股份有限公司|有限责任公司|有限公司|주식회사';
const UNPARTED_ENDS = new RegExp(`^(?:${UNPARTED})|(?:${UNPARTED})$`, 'gu');

/** The most words that a form is written in: S. de R. L. de C. V. */
const MOST_WORDS = 7;

/** Whether a merchant's legal name and its account's name at a PSP differ in spelling only. */
export function matchNames(registered: string | null, account: string | null): 'unknown' | 'match' | 'mismatch' {
  if (!registered || !account) return 'unknown';
  const [a, b] = [essence(registered), essence(account)];
  if (a === '' || b === '') return 'unknown';
  return a === b ? 'match' : 'mismatch';
}

function essence(name: string): string {
  const words = wordsOf(name);
  const rest = words.length > 1 && LEADING_FORMS.has(words[0] ?? '') ? words.slice(1) : words;
  const joined = withoutForms(rest).join('');
  return joined.replace(UNPARTED_ENDS, '') || joined;
}

/** Removes legal forms at the end, however many words each has. A name may consist of one: at least one word stays. */
function withoutForms(words: readonly string[]): readonly string[] {
  for (let count = Math.min(MOST_WORDS, words.length - 1); count > 0; count -= 1) {
    if (LEGAL_FORMS.has(words.slice(-count).join(''))) return withoutForms(words.slice(0, -count));
  }
  return words;
}

/**
 * Upper case first, since only that makes ß and SS equal; a final sigma becomes a plain one. Dots, apostrophes and
 * invisible characters join words (S.A., L'Oréal), all other signs separate them.
 */
const wordsOf = (name: string): readonly string[] =>
  name
    .normalize('NFKC')
    .toUpperCase()
    .toLowerCase()
    .normalize('NFKC')
    .replaceAll('ς', 'σ')
    .replace(/[.'’‘ʼ`]|\p{Cf}/gu, '')
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter((word) => word !== '');
