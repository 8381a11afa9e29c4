/** Legal forms at the end of names, without dots and spaces. To add one, add a word. */
const LEGAL_FORMS = new Set(
  `ab ag aps as asa aş berhad bhd bv bvba co company corp corporation cv doo ee eg eirl eireli ek eood eurl ev gbr gmbh inc incorporated kft kg kgaa kk lda limited limitada
  llc llp lp ltd ltda ltdaepp ltdame ltdşti mbh nl nv oao ohg oü oy oyj ooo pa plc private pt pte pty pvt ry sa sab sadecv saa sapi sarl sàrl sas sasu sc sca scs sdn se sia sl slu
  snc spa spj spk spzoo sp srl sderldecv srldecv sro tbk tic uab ug ughaftungsbeschränkt ulc unlimited vof zoo zrt
  ао ооо оао пао зао тов αε επε ικε οε`.split(/\s+/),
);

/** Legal forms that precede the name where they are used. */
const LEADING_FORMS = new Set(['pt', 'ooo', 'oao', 'uab', 'sia', 'ао', 'ооо', 'оао', 'пао', 'зао', 'тов']);

/** Chinese, Japanese and Korean forms: before or after the name, without a space. */
const CJK_FORMS = '株式会社|有限会社|合同会社|株|股份有限公司|有限责任公司|有限公司|주식회사';
const CJK_FORM_AT_EDGE = new RegExp(`^(?:${CJK_FORMS})|(?:${CJK_FORMS})$`, 'gu');

/** The longest form in words: S. de R. L. de C. V. */
const MAX_FORM_WORDS = 7;

/** Whether a merchant's legal name and the name of its PSP account are the same, apart from spelling and legal form. */
export function matchNames(legalName: string | null, accountName: string | null): 'unknown' | 'match' | 'mismatch' {
  if (!legalName || !accountName) return 'unknown';
  const [a, b] = [coreName(legalName), coreName(accountName)];
  if (a === '' || b === '') return 'unknown';
  return a === b ? 'match' : 'mismatch';
}

function coreName(name: string): string {
  const words = wordsOf(name);
  const rest = words.length > 1 && LEADING_FORMS.has(words[0] ?? '') ? words.slice(1) : words;
  const joined = withoutLegalForms(rest).join('');
  return joined.replace(CJK_FORM_AT_EDGE, '') || joined;
}

/** Removes all legal forms at the end, but keeps at least one word: a name may look like a legal form. */
function withoutLegalForms(words: readonly string[]): readonly string[] {
  for (let count = Math.min(MAX_FORM_WORDS, words.length - 1); count > 0; count -= 1) {
    if (LEGAL_FORMS.has(words.slice(-count).join(''))) return withoutLegalForms(words.slice(0, -count));
  }
  return words;
}

/**
 * Upper case comes first, because only that makes ß and SS equal. A final sigma becomes a plain one. Dots, apostrophes
 * and invisible characters are removed (S.A., L'Oréal). All other signs separate words.
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
